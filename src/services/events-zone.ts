import type { Scope } from '../access/scope.ts';
import { readWallTimesOfChildren, type ResolvedTime } from '../db/events-children.ts';
import { invalid } from '../errors.ts';
import { resolveWallTime } from '../time/wall-clock.ts';

/**
 * Call times and shifts keep their wall-clock times when their event moves to another zone, so their instants are
 * computed again. The move is refused if the new zone skips one of these times.
 */
export async function resolveInZone(scope: Scope, eventId: number, timezone: string): Promise<ResolvedTime[]> {
  const walls = await readWallTimesOfChildren(scope.db, eventId);
  return walls.map((wall) => {
    const resolved = resolveWallTime(wall, timezone);
    if ('at' in resolved) return { wall, at: resolved.at };
    throw invalid({
      timezone: [`skips ${wall}, the time of a call time or shift of the event: change that time first`],
    });
  });
}
