import type { Scope } from '../access/scope.ts';
import { findDoubleBooked, findOverlaps, shiftsOfChangedEvent, type Overlap } from '../db/clashes.ts';
import type { ResolvedTime } from '../db/events-children.ts';
import { lockPeopleAt } from '../db/staffing.ts';
import type { EventRow } from '../fields/events.ts';
import { createClashFailure, takesPlace } from './staffing.ts';

/** An event as a change will leave it. */
type ChangedEvent = Pick<EventRow, 'title' | 'status' | 'timezone' | 'startTime' | 'startsAt' | 'endTime' | 'endsAt'>;

interface Change {
  readonly next: ChangedEvent;
  /** The new instants of call times and shifts, if the event moves to another zone. */
  readonly instants: readonly ResolvedTime[] | null;
  readonly override: { reason: string } | null | undefined;
}

/**
 * Refuses a change of an event that books people twice, unless the caller gives a reason; the reason is stored on the
 * shifts that needed it. Overlaps that are there already are not asked about. The event must be locked, and the change
 * not stored yet. A change of neither status, zone nor times costs nothing.
 */
export async function settleOverlaps(tx: Scope, event: EventRow, { next, instants, override }: Change): Promise<void> {
  const cause = findCause(event, next);
  if (cause === null) return;
  // Shifts with known times of their own do not move when the event gets other times.
  const only = cause === 'startTime' || cause === 'endTime' ? 'open' : 'all';
  if (!(await lockPeopleAt(tx.db, event.id, only))) return;

  const after = shiftsOfChangedEvent(tx.db, { ...next, id: event.id, uuid: event.uuid }, instants);
  const { added } = await findOverlaps(tx.db, after);
  if (added.length === 0) return;
  if (!override)
    throw createClashFailure(
      added,
      'The change would book people twice. To make it anyway, send an override with a reason (`override_reason` in REST).',
      { [cause]: added.map(describeOverlap) },
    );
  await tx.db.workShift.updateMany({
    where: { eventId: event.id, uuid: { in: await findDoubleBooked(tx.db, after) } },
    data: { overrideReason: override.reason, modifiedAt: tx.clock() },
  });
}

/** Returns the field whose change can make shifts of the event overlap others; null for none. */
function findCause(before: ChangedEvent, next: ChangedEvent): 'status' | 'timezone' | 'startTime' | 'endTime' | null {
  if (!takesPlace(next.status)) return null;
  if (!takesPlace(before.status)) return 'status';
  if (next.timezone !== before.timezone) return 'timezone';
  if (next.startTime !== before.startTime) return 'startTime';
  return next.endTime === before.endTime ? null : 'endTime';
}

function describeOverlap({ kind, userId, shiftUuid, eventUuid, eventTitle, startsAt, endsAt }: Overlap): string {
  const [from, to] = [startsAt, endsAt].map((at) => at?.toISOString() ?? 'an open time');
  const would = kind === 'OVERLAP' ? 'would' : 'may';
  return `${would} book user ${userId} twice: shift ${shiftUuid} at "${eventTitle}" (event ${eventUuid}) is from ${from} to ${to}`;
}
