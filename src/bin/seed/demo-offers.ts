import type { OfferState, Prisma } from '../../generated/prisma/client.ts';
import { dayMs } from './moments.ts';
import { seededRandom } from './random.ts';

interface Place {
  readonly businessId: number;
  readonly staffIds: readonly number[];
  readonly adminId: number;
  readonly today: Date;
  readonly seed: number;
  /** Used up from the first one on. */
  readonly uuids: string[];
}

const messages = ['Black shoes, please. Parking is paid.', 'A long evening, with a warm meal at ten.', null];

/** The answers of the people who are asked, by how the places go. */
const answers: Readonly<Record<'first_come' | 'approval', readonly OfferState[]>> = {
  first_come: ['sent', 'declined', 'sent', 'sent'],
  approval: ['requested', 'sent', 'declined', 'requested'],
};

/** UUIDs of four offers with four people each. */
export function draftOfferUuids({ seed }: { readonly seed: number }): string[] {
  const random = seededRandom(seed + 2);
  return Array.from({ length: 20 }, () => random.uuid());
}

/**
 * Offers places that the next events lack people for, and lets staff claim others. Whoever is asked is free then: first of all the person
 * whose log-in the demo has.
 */
export async function storeOffers(tx: Prisma.TransactionClient, place: Place): Promise<void> {
  const { businessId, staffIds, adminId, today, seed, uuids } = place;
  const random = seededRandom(seed + 1);
  const booked = await tx.workShift.findMany({
    where: { businessId, status: 'active', event: { status: 'active' } },
    select: { callTimeId: true, userId: true, startsAt: true, endsAt: true },
  });
  const callTimes = await tx.callTime.findMany({
    where: {
      ...{ businessId, startTbd: false, endTbd: false, event: { status: 'active' } },
      startsAt: { gt: new Date(today.getTime() + 2 * dayMs) },
    },
    orderBy: [{ startsAt: 'asc' }, { id: 'asc' }],
  });
  const open = callTimes.filter(
    ({ id, staffNeeded }) => booked.filter(({ callTimeId }) => callTimeId === id).length < staffNeeded,
  );
  for (const [index, { id, eventId, startsAt, endsAt }] of open.slice(0, 12).entries()) {
    if (index % 3 !== 0) {
      const claims = index % 3 === 1 ? 'open' : 'approval';
      await tx.callTime.update({ where: { businessId_id: { businessId, id } }, data: { claims } });
      continue;
    }
    const isFree = (userId: number) =>
      booked.every(
        (shift) =>
          shift.userId !== userId || (shift.endsAt ?? endsAt) <= startsAt || (shift.startsAt ?? startsAt) >= endsAt,
      );
    const mode = index % 2 === 0 ? 'first_come' : 'approval';
    const shared = {
      businessId,
      eventId,
      callTimeId: id,
      expiresAt: startsAt,
      createdAt: new Date(today.getTime() - dayMs),
    };
    const offer = await tx.offer.create({
      data: { ...shared, uuid: uuids.shift()!, mode, message: random.pick(messages), createdById: adminId },
    });
    const [first, ...others] = staffIds.filter(isFree);
    const asked = [...(first === undefined ? [] : [first]), ...random.shuffled(others)].slice(0, answers[mode].length);
    await tx.offerRecipient.createMany({
      data: asked.map((userId, at) => {
        const state = answers[mode][at]!;
        const respondedAt = state === 'sent' ? null : today;
        return {
          ...shared,
          uuid: uuids.shift()!,
          offerId: offer.id,
          userId,
          state,
          respondedAt,
          modifiedAt: respondedAt ?? shared.createdAt,
        };
      }),
    });
  }
}
