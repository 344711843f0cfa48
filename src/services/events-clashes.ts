import type { Scope } from '../access/scope.ts';
import {
  findDoubleBooked,
  findOverlaps,
  shiftsOfChangedEvent,
  type OutsideEvent,
  type Overlap,
  type ShiftsAfter,
  type MovedTime,
} from '../db/clashes.ts';
import { lockPeopleAt } from '../db/staffing.ts';
import type { EventRow } from '../fields/events.ts';
import { createClashFailure, takesPlace } from './staffing.ts';

/** An event as a change will leave it. */
export type ChangedEvent = Pick<
  EventRow,
  'title' | 'status' | 'timezone' | 'startTime' | 'startsAt' | 'endTime' | 'endsAt'
>;

interface Change {
  readonly next: ChangedEvent;
  /** What becomes of the times of call times and shifts, if they move with the event or to another zone. */
  readonly moved: readonly MovedTime[] | null;
  /** Call times that would no longer touch the event. */
  readonly outside: readonly OutsideEvent[];
  readonly override: { reason: string } | null | undefined;
}

/**
 * Refuses a change of an event that books people twice or leaves call times beside the event, unless the caller gives a
 * reason; the reason is stored on the shifts that needed it. Overlaps that are there already are not asked about. The event
 * must be locked, and the change not stored yet. A change of neither status, zone nor times costs nothing.
 */
export async function settleClashes(
  tx: Scope,
  event: EventRow,
  { next, moved, outside, override }: Change,
): Promise<void> {
  const cause = findCause(event, next);
  const after = takesPlace(next.status) && cause ? await lockShifts(tx, event, { next, moved, cause }) : null;
  const { added } = after ? await findOverlaps(tx.db, after) : { added: [] };
  if (added.length + outside.length > 0 && !override)
    throw createClashFailure(
      [...outside, ...added],
      `The change would ${added.length > 0 ? 'book people twice' : 'leave call times that do not touch the event'}. To make it anyway, send an override with a reason (\`override_reason\` in REST).`,
      { [cause ?? 'startTime']: [...outside.map(describeOutside), ...added.map(describeOverlap)] },
    );
  if (!override || !after || added.length === 0) return;
  await tx.db.workShift.updateMany({
    where: { eventId: event.id, uuid: { in: await findDoubleBooked(tx.db, after) } },
    data: { overrideReason: override.reason, modifiedAt: tx.clock() },
  });
}

type Cause = 'status' | 'timezone' | 'startTime' | 'endTime';

/** The shifts of the event after its change, whose people are locked; null if nobody is concerned. */
async function lockShifts(
  tx: Scope,
  event: EventRow,
  { next, moved, cause }: Pick<Change, 'next' | 'moved'> & { cause: Cause },
): Promise<ShiftsAfter | null> {
  // Shifts with known times of their own stay when the event gets other times and is not moved.
  const only = !moved && cause !== 'status' ? 'open' : 'all';
  if (!(await lockPeopleAt(tx.db, event.id, only))) return null;
  return shiftsOfChangedEvent(tx.db, { ...next, id: event.id, uuid: event.uuid }, moved);
}

const describeOutside = ({ callTimeUuid, startsAt, endsAt }: OutsideEvent) =>
  `would no longer touch call time ${callTimeUuid}, which is from ${startsAt.toISOString()} to ${endsAt.toISOString()}`;

/** Returns the field whose change can make shifts of the event overlap others; null for none. */
function findCause(before: ChangedEvent, next: ChangedEvent): Cause | null {
  if (takesPlace(next.status) && !takesPlace(before.status)) return 'status';
  if (next.timezone !== before.timezone) return 'timezone';
  if (next.startTime !== before.startTime) return 'startTime';
  return next.endTime === before.endTime ? null : 'endTime';
}

export function describeOverlap({ kind, userId, shiftUuid, eventUuid, eventTitle, startsAt, endsAt }: Overlap): string {
  const [from, to] = [startsAt, endsAt].map((at) => at?.toISOString() ?? 'an open time');
  const would = kind === 'OVERLAP' ? 'would' : 'may';
  return `${would} book user ${userId} twice: shift ${shiftUuid} at "${eventTitle}" (event ${eventUuid}) is from ${from} to ${to}`;
}
