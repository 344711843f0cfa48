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
export function resolvePeriod(period: Period, timezone: string, errors: FieldErrors = {}): Instants {
  const { startsAt, endsAt } = judgeOpenPeriod(period, timezone, errors);
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

interface OpenPeriod {
  readonly startTime: WallTime | null;
  readonly endTime: WallTime | null;
}

interface OpenInstants {
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
}

/** Resolves a period whose start or end may be null, which means to be determined. */
export function resolveOpenPeriod(period: OpenPeriod, timezone: string, errors: FieldErrors = {}): OpenInstants {
  const instants = judgeOpenPeriod(period, timezone, errors);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return instants;
}

/** Resolves a period as far as it can be, and collects its faults. */
function judgeOpenPeriod({ startTime, endTime }: OpenPeriod, timezone: string, errors: FieldErrors): OpenInstants {
  const startsAt = startTime === null ? null : resolve('startTime', startTime, timezone, errors);
  const endsAt = endTime === null ? null : resolve('endTime', endTime, timezone, errors);
  if (startsAt && endsAt && endsAt <= startsAt) (errors['endTime'] ??= []).push('must be after the start');
  return { startsAt, endsAt };
}

export function findPeriodFaults(period: OpenPeriod, timezone: string): FieldErrors {
  const errors: FieldErrors = {};
  judgeOpenPeriod(period, timezone, errors);
  return errors;
}
