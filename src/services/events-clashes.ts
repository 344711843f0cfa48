import type { Scope } from '../access/scope.ts';
import {
  readShiftsAfter,
  shiftsOfChangedEvent,
  type ClashRow,
  type MovedTime,
  type OutsideEvent,
  type Overlap,
  type RuleBreach,
} from '../db/clashes.ts';
import { writePlaces } from '../db/places.ts';
import { lockPeopleAt } from '../db/staffing.ts';
import type { EventRow } from '../fields/events.ts';
import { findClashesAfter, type ClashesAfter } from './staff-rules.ts';
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
  const after = takesPlace(next.status) && cause ? await findClashesOfChange(tx, event, { next, moved, cause }) : null;
  const { added, findClashing } = after ?? { added: [] };
  if (added.length + outside.length > 0 && !override)
    throw createClashFailure(
      [...outside, ...added],
      `The change would ${describeChange(added)}. To make it anyway, send an override with a reason (\`override_reason\` in REST).`,
      { [cause ?? 'startTime']: [...outside.map(describeOutside), ...added.map(describePersonClash)] },
    );
  if (!override || !findClashing || added.length === 0) return;
  const clashing = [...(await findClashing())].flatMap(([uuid, isNew]) => (isNew ? uuid : []));
  await writePlaces(tx, event.id).workShift.updateMany({
    where: { eventId: event.id, uuid: { in: clashing } },
    data: { overrideReason: override.reason, modifiedAt: tx.clock() },
  });
}

type Cause = 'status' | 'timezone' | 'startTime' | 'endTime';

function describeChange(added: readonly ClashRow[]): string {
  if (added.length === 0) return 'leave call times that do not touch the event';
  return added.some(({ kind }) => kind.endsWith('OVERLAP')) ? 'book people twice' : 'break rules of who can work';
}

/** The clashes of the shifts of the event after its change, whose people are locked; null if nobody is concerned. */
async function findClashesOfChange(
  tx: Scope,
  event: EventRow,
  { next, moved, cause }: Pick<Change, 'next' | 'moved'> & { cause: Cause },
): Promise<ClashesAfter | null> {
  // Shifts with known times of their own stay when the event gets other times and is not moved.
  const only = !moved && cause !== 'status' ? 'open' : 'all';
  if (!(await lockPeopleAt(tx.db, event.id, only))) return null;
  const changed = { ...next, id: event.id, uuid: event.uuid };
  const after = shiftsOfChangedEvent(tx.db, changed, moved);
  return findClashesAfter(tx, await readShiftsAfter(tx.db, after, changed), after);
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

/** Describes what stands against a person, as the end of a sentence about a field. */
export function describePersonClash(clash: ClashRow): string {
  return 'text' in clash ? describeBreach(clash) : describeOverlap(clash as Overlap);
}

const describeBreach = ({ userId, text }: Pick<RuleBreach, 'userId' | 'text'>) =>
  `would break a rule for user ${userId}: ${text}`;

function describeOverlap({ kind, userId, shiftUuid, eventUuid, eventTitle, startsAt, endsAt }: Overlap): string {
  const [from, to] = [startsAt, endsAt].map((at) => at?.toISOString() ?? 'an open time');
  const would = kind === 'OVERLAP' ? 'would' : 'may';
  return `${would} book user ${userId} twice: shift ${shiftUuid} at "${eventTitle}" (event ${eventUuid}) is from ${from} to ${to}`;
}
