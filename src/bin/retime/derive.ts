import type { TimedRow } from '../../db/retime.ts';
import { resolveWallTime, type WallTime } from '../../time/wall-clock.ts';

/** Result of deriving the instants of a row with the data in force. */
export type Derivation =
  | { readonly kind: 'same' }
  | { readonly kind: 'changed'; readonly startsAt: Date | null; readonly endsAt: Date | null }
  /** The row cannot be derived anew: somebody has to decide. It keeps its instants. */
  | { readonly kind: 'problem'; readonly reason: string };

/** Rows whose instants are at most so long past are looked at: no change of rules moves an instant further. */
export const retimeMarginMs = 2 * 86_400_000;

/**
 * Derives the instants of a row anew from its wall-clock times. An instant is still to come if it lies after `now` as it is
 * stored or as it is derived; one that is past by both stays as it is, because people have worked by it.
 */
export function deriveInstants(row: TimedRow, now: Date): Derivation {
  const { startTime, startsAt, endTime, endsAt, timezone } = row;
  const start = derive(startTime, startsAt, timezone, now);
  const end = derive(endTime, endsAt, timezone, now);
  for (const each of [start, end]) if (typeof each === 'string') return { kind: 'problem', reason: each };
  const derived = { startsAt: start as Date | null, endsAt: end as Date | null };
  if (isSame(derived.startsAt, startsAt) && isSame(derived.endsAt, endsAt)) return { kind: 'same' };
  if (derived.startsAt && derived.endsAt && derived.endsAt <= derived.startsAt)
    return { kind: 'problem', reason: `its end, ${endTime}, would not be after its start, ${startTime}` };
  return { kind: 'changed', ...derived };
}

/** Returns the instant, or why there is none. */
function derive(wall: WallTime | null, stored: Date | null, timezone: string, now: Date): Date | null | string {
  if (wall === null || stored === null) return stored;
  const resolved = resolve(wall, timezone);
  if (resolved === null) return `the time zone data do not know ${timezone}`;
  if ('at' in resolved) return resolved.at > now || stored > now ? resolved.at : stored;
  return stored > now
    ? `${wall} does not exist in ${timezone} any more, because clocks skip it; the nearest valid time is ${resolved.skippedUntil}`
    : stored;
}

function resolve(wall: WallTime, timezone: string) {
  try {
    return resolveWallTime(wall, timezone);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const isSame = (one: Date | null, other: Date | null): boolean => one?.getTime() === other?.getTime();
