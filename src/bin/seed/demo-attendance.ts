import { limits } from '../../config/limits.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { dayMs } from './moments.ts';
import { seededRandom } from './random.ts';

interface Place {
  readonly businessId: number;
  readonly today: Date;
  readonly seed: number;
}

const minuteMs = 60_000;

/** Notes who came in the last four weeks: most in time, some late, a few not at all, and of a few nobody noted anything. */
export async function storeAttendance(tx: Prisma.TransactionClient, { businessId, today, seed }: Place): Promise<void> {
  const random = seededRandom(seed + 3);
  const shifts = await tx.workShift.findMany({
    where: {
      ...{ businessId, status: 'active', event: { status: 'active' }, endsAt: { lt: today } },
      startsAt: { gt: new Date(today.getTime() - 28 * dayMs) },
    },
    orderBy: [{ startsAt: 'asc' }, { id: 'asc' }],
    select: { id: true, uuid: true, eventId: true, startsAt: true, endsAt: true },
  });
  await tx.attendance.createMany({
    data: shifts.flatMap(({ startsAt, endsAt, ...shift }) => {
      const modifiedAt = new Date(endsAt!.getTime() + 10 * minuteMs);
      const noted = { ...shift, businessId, createdAt: modifiedAt, modifiedAt };
      if (random.chance(0.04)) return [];
      if (random.chance(0.03)) return { ...noted, noShow: true };
      const late = random.chance(0.1) ? random.whole(5, 25) : -random.whole(0, 15);
      const length = endsAt!.getTime() - startsAt!.getTime();
      return {
        ...noted,
        checkedInAt: new Date(startsAt!.getTime() + Math.min(late * minuteMs, length / 2)),
        checkedOutAt: new Date(endsAt!.getTime() + random.whole(0, 20) * minuteMs),
        breakMinutes: length > 6 * 60 * minuteMs ? 30 : 0,
        late: late > limits.lateAfterMin,
        source: random.pick(['admin', 'code', 'code', 'kiosk'] as const),
      };
    }),
  });
}
