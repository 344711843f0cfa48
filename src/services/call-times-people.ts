import type { Scope } from '../access/scope.ts';
import { writePlaces } from '../db/places.ts';
import { lockStaff, type StaffedEvent } from '../db/staffing.ts';
import type { CallTimeRow } from '../fields/call-times.ts';
import { findClashesAfter } from './staff-rules.ts';
import { requireReason } from './staffing.ts';

/**
 * Takes the people of a call time along to its new position, judged as assignments: they are asked to confirm anew. A shift in another
 * position than the call time had keeps it, and so does one that has ended or of which attendance is noted. The event must be locked.
 */
export async function takeToPosition(
  tx: Scope,
  event: StaffedEvent,
  callTime: Pick<CallTimeRow, 'id' | 'positionId'>,
  { positionId, override }: { positionId: number; override: { reason: string } | null | undefined },
): Promise<void> {
  if (positionId === callTime.positionId) return;
  const now = tx.clock();
  const shifts = await tx.db.workShift.findMany({
    where: {
      ...{ eventId: event.id, callTimeId: callTime.id, positionId: callTime.positionId, status: 'active' },
      NOT: [{ endsAt: { lte: now } }, { attendance: { OR: [{ checkedInAt: { not: null } }, { noShow: true }] } }],
    },
    orderBy: { id: 'asc' },
    select: { id: true, uuid: true, userId: true, startsAt: true, endsAt: true },
  });
  if (shifts.length === 0) return;
  await lockStaff(
    tx.db,
    shifts.map(({ userId }) => userId),
  );
  const wanted = shifts.map(({ id: _id, ...shift }) => ({ ...shift, positionId, callTimeId: callTime.id, event }));
  const { added, findClashing } = await findClashesAfter(tx, wanted);
  const overrideReason = requireReason(added, override);
  const clashing = await findClashing();
  const ids = shifts.map(({ id }) => id);
  const unconfirmed = { confirmed: false, confirmedAt: null, dropRequestedAt: null };
  await writePlaces(tx, event.id).workShift.updateMany({
    where: { id: { in: ids } },
    data: { positionId, ...unconfirmed, modifiedAt: now },
  });
  const overridden = shifts.filter(({ uuid }) => clashing.get(uuid) === true).map(({ id }) => id);
  if (overridden.length > 0)
    await writePlaces(tx, event.id).workShift.updateMany({
      where: { id: { in: overridden } },
      data: { overrideReason },
    });
  for (const id of ids) tx.record({ kind: 'workShift', id });
}
