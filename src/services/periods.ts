import { invalid, type FieldErrors } from '../errors.ts';
import { resolveWallTime, type WallTime } from '../time/wall-clock.ts';

export interface Period {
  readonly startTime: WallTime;
  readonly endTime: WallTime;
}

export interface Instants {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/**
 * Resolves the wall-clock times of a period in a zone to instants. It refuses a time that the zone skips, and an end
 * whose instant is not after the start. Errors that were found before can be passed in, so that all are reported at
 * once.
 */
export function resolvePeriod({ startTime, endTime }: Period, timezone: string, errors: FieldErrors = {}): Instants {
  const startsAt = resolve('startTime', startTime, timezone, errors);
  const endsAt = resolve('endTime', endTime, timezone, errors);
  if (startsAt && endsAt && endsAt <= startsAt) (errors['endTime'] ??= []).push('must be after the start');
  if (!startsAt || !endsAt || Object.keys(errors).length > 0) throw invalid(errors);
  return { startsAt, endsAt };
}

function resolve(field: string, wall: WallTime, timezone: string, errors: FieldErrors): Date | null {
  const resolved = resolveWallTime(wall, timezone);
  if ('at' in resolved) return resolved.at;
  (errors[field] ??= []).push(
    `does not exist in ${timezone}, where clocks skip it; the nearest valid time is ${resolved.skippedUntil}`,
  );
  return null;
}

/** Resolves a period whose start or end may be null, which means to be determined. */
export function resolveOpenPeriod(
  { startTime, endTime }: { readonly startTime: WallTime | null; readonly endTime: WallTime | null },
  timezone: string,
  errors: FieldErrors = {},
): { startsAt: Date | null; endsAt: Date | null } {
  if (startTime !== null && endTime !== null) return resolvePeriod({ startTime, endTime }, timezone, errors);
  const startsAt = startTime === null ? null : resolve('startTime', startTime, timezone, errors);
  const endsAt = endTime === null ? null : resolve('endTime', endTime, timezone, errors);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return { startsAt, endsAt };
}
