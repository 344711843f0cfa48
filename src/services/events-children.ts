import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { readCallTimesOfEvents } from '../db/call-times.ts';
import {
  countEndedShifts,
  moveChildren,
  readWallTimesOfChildren,
  type Moved,
  type MovingShifts,
} from '../db/events-children.ts';
import { writePlaces } from '../db/places.ts';
import { Failure, invalid } from '../errors.ts';
import type { CallTimeRow } from '../fields/call-times.ts';
import type { EventRow } from '../fields/events.ts';
import { isWallTime, moveByMs, resolveWallTime, wallToColumn } from '../time/wall-clock.ts';
import type { MovedTime } from '../db/clashes.ts';
import { settleClashes, type ChangedEvent } from './events-clashes.ts';
import { outsideEvent, touches } from './events-touch.ts';

interface Change {
  readonly next: ChangedEvent;
  readonly override: { reason: string } | null | undefined;
  readonly children: 'keep' | null | undefined;
}

/** What becomes of the wall-clock times of call times and shifts, and of which shifts. */
interface Move {
  readonly times: readonly MovedTime[];
  readonly shifts: MovingShifts;
}

/**
 * Lets the call times and shifts of an event follow a change of it, and refuses what stands against that. They move where
 * start and end of the event change by the same difference on its clocks, and get other instants in another zone. The
 * event must be locked, and its change not stored yet. Returns how many have moved; null if none has.
 */
export async function settleChildren(tx: Scope, event: EventRow, change: Change): Promise<Moved | null> {
  const { next, override, children } = change;
  const at = { event, now: tx.clock() };
  const move = await planMove(tx, event, change, at);
  const isElsewhere = +next.startsAt !== +event.startsAt || +next.endsAt !== +event.endsAt;
  const callTimes = isElsewhere || move ? await readCallTimesOfEvents(tx.db, [event.id], {}) : [];
  const instants = new Map(move?.times.map(({ wall, at: instant }) => [wall, instant]));
  const after = callTimes.map((callTime) => ({
    ...callTime,
    startsAt: instants.get(callTime.startTime) ?? callTime.startsAt,
    endsAt: instants.get(callTime.endTime) ?? callTime.endsAt,
  }));
  const left = after.filter((one, index) => !touches(one, next) && touches(callTimes[index] as CallTimeRow, event));
  const clashes = left.slice(0, limits.listedMax).map(outsideEvent);
  await settleClashes(tx, event, {
    next,
    moved: move?.times ?? null,
    override,
    outside: children === 'keep' ? [] : clashes,
  });
  const moved = move && (await moveChildren(tx, at, move.times, move.shifts));
  const uuids = (rows: readonly CallTimeRow[]) => ({ uuid: { in: rows.map(({ uuid }) => uuid) }, eventId: event.id });
  const modifiedAt = at.now;
  if (left.length > 0 && override)
    await writePlaces(tx, event.id).callTime.updateMany({
      where: uuids(left),
      data: { overrideReason: override.reason, modifiedAt },
    });
  const back = after.filter((one) => one.overrideReason !== null && touches(one, next));
  if (back.length > 0)
    await writePlaces(tx, event.id).callTime.updateMany({
      where: uuids(back),
      data: { overrideReason: null, modifiedAt },
    });
  return moved && moved.callTimes + moved.workShifts > 0 ? moved : null;
}

async function planMove(
  tx: Scope,
  event: EventRow,
  { next, children }: Change,
  at: { event: EventRow; now: Date },
): Promise<Move | null> {
  const [byMs, endByMs] = [differenceMs(event.startTime, next.startTime), differenceMs(event.endTime, next.endTime)];
  const isMoved = byMs !== 0 && byMs === endByMs && children !== 'keep';
  const isInOtherZone = next.timezone !== event.timezone;
  if (!isMoved && !isInOtherZone) return null;
  if (isMoved) await requireNoneEnded(tx, at);
  const shifts = isInOtherZone ? 'all' : 'unended';
  const walls = await readWallTimesOfChildren(tx.db, at, shifts);
  return { shifts, times: walls.map((wall) => resolve(wall, isMoved ? byMs : 0, next.timezone)) };
}

const differenceMs = (before: string, after: string) => wallToColumn(after).getTime() - wallToColumn(before).getTime();

/** What has ended does not move, so an event with such shifts does not either, unless the caller leaves all where they are. */
async function requireNoneEnded(tx: Scope, at: { event: EventRow; now: Date }): Promise<void> {
  const endedShifts = await countEndedShifts(tx.db, at);
  if (endedShifts === 0) return;
  const reason = `has work shifts that have ended (${endedShifts}), which do not move`;
  throw new Failure('CONFLICT', `The event ${reason}. To leave all call times and shifts where they are, keep them.`, {
    errors: {
      startTime: [`cannot move: the event ${reason}; \`children\` with the value keep leaves all where they are`],
    },
    details: { endedShifts },
  });
}

function resolve(wall: string, byMs: number, timezone: string): MovedTime {
  const to = moveByMs(wall, byMs);
  if (!isWallTime(to))
    throw invalid({
      startTime: [
        `would move ${wall}, a time of a call time or shift, out of the years ${limits.yearMin} to ${limits.yearMax}`,
      ],
    });
  const resolved = resolveWallTime(to, timezone);
  if ('at' in resolved) return { wall, to, at: resolved.at };
  const what =
    byMs === 0
      ? `skips ${wall}, the time of a call time or shift of the event: change that time first`
      : `would move ${wall}, a time of a call time or shift, to ${to}, which does not exist in ${timezone} because clocks skip it`;
  throw invalid({
    [byMs === 0 ? 'timezone' : 'startTime']: [`${what}; the next valid time is ${resolved.skippedUntil}`],
  });
}
