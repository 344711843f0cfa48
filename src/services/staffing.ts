import type { Scope } from '../access/scope.ts';
import type { ClashRow, JudgedShift, Overfill } from '../db/clashes.ts';
import { countActiveShifts, lockEvent, type EventBy, type StaffedEvent } from '../db/staffing.ts';
import { conflict, Failure, notFound, type FieldErrors } from '../errors.ts';
import type { EventStatus } from '../generated/prisma/enums.ts';
import { findClashesAfter } from './staff-rules.ts';

/** Locks the event to the end of the transaction. */
export async function lockEventToStaff(tx: Scope, by: EventBy): Promise<StaffedEvent> {
  const event = await lockEvent(tx.db, by);
  if (event) return event;
  if ('recipient' in by) throw notFound('offer recipient');
  throw notFound('event' in by || 'id' in by ? 'event' : 'callTime' in by ? 'call time' : 'work shift');
}

/** Whether an event takes place, as far as anybody knows. */
export const takesPlace = (status: EventStatus): boolean => status === 'active' || status === 'draft';

/** Throws unless the event takes place: nobody is assigned to a canceled or deleted one. */
export function requireTakesPlace({ status }: StaffedEvent): void {
  if (!takesPlace(status)) throw conflict(`The event is ${status}: only active and draft events can be staffed.`);
}

/** Returns the clashes that a failure is about. */
export function readClashes({ details }: Pick<Failure, 'details'>): ClashRow[] {
  return (details?.['clashes'] ?? []) as ClashRow[];
}

/** The refusal of a change that breaks rules which the caller can override. Other states in the way are a `CONFLICT`. */
export function createClashFailure(clashes: ClashRow[], message: string, errors?: FieldErrors): Failure {
  return new Failure('CLASH', message, { details: { clashes }, ...(errors && { errors }) });
}

/** Counts the active shifts on a call time, except the shift with the given id. */
export async function countAssigned({ db }: Scope, callTimeId: number, exceptShiftId?: number): Promise<number> {
  return (
    (await countActiveShifts(db, [callTimeId], exceptShiftId === undefined ? [] : [exceptShiftId])).get(callTimeId) ?? 0
  );
}

/** The call time that a shift is, or will be, on. */
export interface FilledCallTime {
  readonly id: number;
  readonly uuid: string;
  readonly staffNeeded: number;
}

/** Returns the clash of one more shift on a call time with so many, if it makes too many. */
export function findOverfill({ uuid, staffNeeded }: FilledCallTime, assigned: number): Overfill[] {
  return assigned >= staffNeeded ? [{ kind: 'OVERFILLED', callTimeUuid: uuid, needed: staffNeeded, assigned }] : [];
}

/** The clashes of a stored shift: those that a change makes, and those that were there before. */
export interface Clashes {
  readonly added: ClashRow[];
  readonly kept: ClashRow[];
}

/** The call time of a shift, as a change will leave it. */
interface Filled {
  readonly callTime: FilledCallTime | null;
  /** Whether the change puts the shift on the call time, so that a surplus is new. */
  readonly isNew: boolean;
  readonly shiftId: number;
}

/**
 * Finds the clashes of a stored shift as a change will leave it: its call time has enough staff without it, or the person is
 * busy, or may be, or cannot work then. The event and the person must be locked, because otherwise two requests could both find no clash.
 * The change must not be stored yet.
 */
export async function findClashes(
  tx: Scope,
  wanted: JudgedShift,
  { callTime, isNew, shiftId }: Filled,
): Promise<Clashes> {
  const overfills = callTime ? findOverfill(callTime, await countAssigned(tx, callTime.id, shiftId)) : [];
  const { added, kept } = await findClashesAfter(tx, [wanted]);
  return isNew ? { added: [...overfills, ...added], kept } : { added, kept: [...overfills, ...kept] };
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
