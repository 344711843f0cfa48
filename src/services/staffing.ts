import type { Scope } from '../access/scope.ts';
import { findOverlaps, type ClashRow, type Overfill, type WantedShift } from '../db/clashes.ts';
import { lockEvent, type EventBy, type StaffedEvent } from '../db/staffing.ts';
import { conflict, Failure, notFound } from '../errors.ts';

/** Locks the event to the end of the transaction. */
export async function lockEventToStaff(tx: Scope, by: EventBy): Promise<StaffedEvent> {
  const event = await lockEvent(tx.db, by);
  if (event) return event;
  throw notFound('event' in by ? 'event' : 'callTime' in by ? 'call time' : 'work shift');
}

/** Throws unless the event takes place: nobody is assigned to a canceled or deleted one. */
export function requireTakesPlace({ status }: StaffedEvent): void {
  if (status === 'canceled' || status === 'deleted')
    throw conflict(`The event is ${status}: only active and draft events can be staffed.`);
}

export function createClashFailure(clashes: ClashRow[], message: string): Failure {
  return new Failure('CONFLICT', message, { details: { clashes } });
}

/** Counts the active shifts on a call time, except the shift with the given id. */
export function countAssigned({ db }: Scope, callTimeId: number, exceptShiftId?: number): Promise<number> {
  return db.workShift.count({
    where: { callTimeId, status: 'active', ...(exceptShiftId !== undefined && { id: { not: exceptShiftId } }) },
  });
}

/**
 * Finds the clashes of a shift: its call time has enough staff without it, or the person is busy, or may be. The event
 * and the person must be locked, because otherwise two requests could both find no clash.
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

/**
 * Refuses clashes unless the caller gives a reason for the override. Returns the reason to be stored; null where none
 * was needed.
 */
export function requireReason(clashes: ClashRow[], override: { reason: string } | null | undefined): string | null {
  if (clashes.length === 0) return null;
  if (override) return override.reason;
  throw createClashFailure(clashes, 'The assignment breaks a rule. To make it anyway, send an override with a reason.');
}
