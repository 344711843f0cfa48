import type { Scope } from '../access/scope.ts';
import { findOverlaps, type ClashRow, type Overfill, type WantedShift } from '../db/clashes.ts';
import { holdPosition } from '../db/positions.ts';
import { lockEvent, type EventBy, type StaffedEvent } from '../db/staffing.ts';
import { conflict, Failure, notFound } from '../errors.ts';

/** The event, which stays as it is until the transaction ends. */
export async function lockEventToStaff(tx: Scope, by: EventBy): Promise<StaffedEvent> {
  const event = await lockEvent(tx.db, by);
  if (event) return event;
  throw notFound('event' in by ? 'event' : 'callTime' in by ? 'call time' : 'work shift');
}

/** Nobody is given work at an event that does not take place. */
export function requireTakesPlace({ status }: StaffedEvent): void {
  if (status === 'canceled' || status === 'deleted')
    throw conflict(`The event is ${status}: only active and draft events can be staffed.`);
}

export const refusedFor = (clashes: ClashRow[], message: string): Failure =>
  new Failure('CONFLICT', message, { details: { clashes } });

/** The position, which does not go before the transaction ends. */
export const positionOf = ({ db }: Scope, id: number) => holdPosition(db, id);

/** How many active shifts point to a call time, besides one. */
export const countAssigned = ({ db }: Scope, callTimeId: number, exceptShiftId?: number): Promise<number> =>
  db.workShift.count({
    where: { callTimeId, status: 'active', ...(exceptShiftId !== undefined && { id: { not: exceptShiftId } }) },
  });

/**
 * What stands against a shift: its call time has enough staff without it, or the person is, or may be, busy. The event
 * and the person must be locked, or two requests could both find nothing.
 */
export async function findClashes(
  tx: Scope,
  wanted: WantedShift,
  callTime: { id: number; uuid: string; staffNeeded: number } | null,
): Promise<ClashRow[]> {
  const assigned = callTime ? await countAssigned(tx, callTime.id, wanted.exceptId) : 0;
  const overfills: Overfill[] =
    callTime && assigned >= callTime.staffNeeded
      ? [{ kind: 'OVERFILLED', callTimeUuid: callTime.uuid, needed: callTime.staffNeeded, assigned }]
      : [];
  return [...overfills, ...(await findOverlaps(tx.db, [wanted]))];
}

/** Refuses what clashes unless the caller says why it shall stand; answers the reason to be stored, where one was needed. */
export function requireReason(clashes: ClashRow[], override: { reason: string } | null | undefined): string | null {
  if (clashes.length === 0) return null;
  if (override) return override.reason;
  throw refusedFor(clashes, 'The assignment breaks a rule. To make it anyway, send an override with a reason.');
}
