import { limits } from '../config/limits.ts';
import type { FieldErrors } from '../errors.ts';
import { formatUtc, isWallTime, moveByDays, resolveWallTime, wallToColumn } from '../time/wall-clock.ts';

/** Wall-clock times in the form of the columns. Null means to be determined. */
interface Walls<T extends Date | null> {
  readonly startLocal: T;
  readonly endLocal: T;
}

export interface TimeMover {
  /** Returns the moved times with their instants. A time that the zone skips is remembered under the name. */
  move<T extends Date | null>(walls: Walls<T>, name: string): Walls<T> & { readonly startsAt: T; readonly endsAt: T };
  /** The faults of the days: each time that could not be moved. */
  findFaults(): FieldErrors;
}

/**
 * Makes a function that moves times by whole days on the clocks of a zone. The time of day stays the same, across clock
 * changes too.
 */
export function createTimeMover(days: number, timezone: string): TimeMover {
  const impossible: string[] = [];
  const moved = <T extends Date | null>(local: T, name: string): { local: T; at: T } => {
    if (local === null) return { local, at: local };
    const wall = moveByDays(formatUtc(local), days);
    const resolved = isWallTime(wall) ? resolveWallTime(wall, timezone) : null;
    if (resolved && 'at' in resolved) return { local: wallToColumn(wall) as T, at: resolved.at as T };
    impossible.push(
      resolved
        ? `would move the ${name} to ${wall}, which does not exist in ${timezone} because clocks skip it; the nearest valid time is ${resolved.skippedUntil}`
        : `would move the ${name} out of the years ${limits.yearMin} to ${limits.yearMax}`,
    );
    return { local, at: local };
  };
  return {
    move: ({ startLocal, endLocal }, name) => {
      const start = moved(startLocal, `start of ${name}`);
      const end = moved(endLocal, `end of ${name}`);
      return { startLocal: start.local, startsAt: start.at, endLocal: end.local, endsAt: end.at };
    },
    findFaults: (): FieldErrors => (impossible.length > 0 ? { days: impossible } : {}),
  };
}
