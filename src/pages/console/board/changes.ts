import type { Messages } from '../messages/messages.ts';
import { countCoverage } from './lanes.ts';
import type { BoardData, BoardEvent } from './model.ts';

/* What is different between two readings of the board. Equal parts are the same objects in both: see sharing.ts. */

export interface Changes {
  /** UUIDs of call times and shifts that are new or changed; of an event that is new or changed itself, also its own. */
  readonly uuidsByEvent: ReadonlyMap<string, ReadonlySet<string>>;
  readonly filled: number;
  readonly opened: number;
  readonly confirmed: number;
  readonly newEvents: number;
}

export function listChanges(before: BoardData, after: BoardData): Changes {
  const uuidsByEvent = new Map<string, ReadonlySet<string>>();
  const known = new Map(before.events.map((event) => [event.uuid, event]));
  const counts = { filled: 0, opened: 0, confirmed: 0, newEvents: 0 };
  for (const event of after.events) {
    const old = known.get(event.uuid);
    if (old === event) continue;
    uuidsByEvent.set(event.uuid, listChangedUuids(old, event));
    if (!old) counts.newEvents++;
    const [was, is] = [countEvent(old), countEvent(event)];
    for (const [uuid, open] of is.openByCall) {
      const difference = open - (was.openByCall.get(uuid) ?? 0);
      if (old && difference > 0) counts.opened += difference;
      else if (old) counts.filled -= difference;
    }
    if (old) counts.confirmed += Math.max(0, is.confirmed - was.confirmed);
  }
  return { uuidsByEvent, ...counts };
}

function listChangedUuids(old: BoardEvent | undefined, event: BoardEvent): ReadonlySet<string> {
  const known = new Set<unknown>([...(old?.callTimes ?? []), ...(old?.workShifts ?? [])]);
  const changed = [...event.callTimes, ...event.workShifts].filter((part) => !known.has(part));
  const wasShift = old && old.workShifts.length > event.workShifts.length;
  return new Set([...changed.map(({ uuid }) => uuid), ...(changed.length === 0 || wasShift ? [event.uuid] : [])]);
}

function countEvent(event: BoardEvent | undefined) {
  const openByCall = new Map<string, number>();
  for (const { uuid, staffNeeded } of event?.callTimes ?? []) {
    const shifts = event!.workShifts.filter(({ callTime }) => callTime?.uuid === uuid);
    openByCall.set(uuid, countCoverage(staffNeeded, shifts).open);
  }
  return { openByCall, confirmed: event?.workShifts.filter(({ confirmed }) => confirmed).length ?? 0 };
}

/** One sentence, empty if nothing that counts has changed: `2 places filled, 1 new gap.` */
export function describeChanges(changes: Changes, { board: { changes: texts } }: Messages): string {
  const parts = (['filled', 'opened', 'confirmed', 'newEvents'] as const)
    .filter((name) => changes[name] > 0)
    .map((name) => texts[name](changes[name]));
  return parts.length > 0 ? `${parts.join(', ')}.` : '';
}
