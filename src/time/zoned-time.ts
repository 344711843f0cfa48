import { instantsOf, offsetAt } from './offsets.ts';
import { formatUtc, moveByDays, type WallTime } from './wall-clock.ts';

export type DstEffect = 'none' | 'ambiguous' | 'crosses';

/**
 * A time in three forms: local with its zone, ISO 8601 with its offset, and as an instant. All three are null while the
 * time is unknown.
 */
export interface ZonedTimeValue {
  readonly local: WallTime | null;
  /** ISO 8601 with the zone's offset at that time. */
  readonly iso: string | null;
  readonly utc: Date | null;
  readonly timezone: string;
  /** Whether the time is still to be determined; a time that is present anyway is tentative. */
  readonly tbd: boolean;
  readonly dst: DstEffect;
}

/** A start and an end in one zone. Without the two flags, null means to be determined. */
export interface ZonedPeriod {
  readonly timezone: string;
  readonly startTime: WallTime | null;
  readonly startsAt: Date | null;
  readonly startTimeTbd?: boolean;
  readonly endTime: WallTime | null;
  readonly endsAt: Date | null;
  readonly endTimeTbd?: boolean;
}

export const startOf = (period: ZonedPeriod): ZonedTimeValue =>
  zoned(period, period.startTime, period.startsAt, isStartTbd(period));

export const endOf = (period: ZonedPeriod): ZonedTimeValue =>
  zoned(period, period.endTime, period.endsAt, isEndTbd(period));

/** An instant as the clocks of a zone show it, to the second. */
export function instantInZone(at: Date, timezone: string): ZonedTimeValue {
  const second = new Date(Math.floor(at.getTime() / 1000) * 1000);
  const local = formatUtc(new Date(second.getTime() + offsetAt(second, timezone)));
  return zoned({ timezone, startTime: local, startsAt: second, endTime: null, endsAt: null }, local, second, false);
}

/** Today by the clocks of a zone, and the day that comes some days later, `YYYY-MM-DD`. */
export function daysFrom(now: Date, count: number, timezone: string): { from: string; to: string } {
  const today = instantInZone(now, timezone).local!;
  return { from: today.slice(0, 10), to: moveByDays(today, count).slice(0, 10) };
}

/** Minutes that pass from start to end, across clock changes too; null while either is to be determined. */
export const elapsedMinutes = (period: ZonedPeriod): number | null =>
  period.startsAt === null || period.endsAt === null || isStartTbd(period) || isEndTbd(period)
    ? null
    : (period.endsAt.getTime() - period.startsAt.getTime()) / 60_000;

const isStartTbd = ({ startTime, startTimeTbd = startTime === null }: ZonedPeriod) => startTimeTbd;
const isEndTbd = ({ endTime, endTimeTbd = endTime === null }: ZonedPeriod) => endTimeTbd;

const zoned = (period: ZonedPeriod, local: WallTime | null, utc: Date | null, tbd: boolean): ZonedTimeValue => ({
  local,
  iso: local === null || utc === null ? null : local.replace(' ', 'T') + printOffset(offsetMs(local, utc)),
  utc,
  timezone: period.timezone,
  tbd,
  /** Computed on access, because it costs more than all other fields together. */
  get dst() {
    if (local !== null && happensTwice(local, period.timezone)) return 'ambiguous';
    return crosses(period) ? 'crosses' : 'none';
  },
});

const offsetMs = (wall: WallTime, at: Date): number => Date.parse(`${wall.replace(' ', 'T')}Z`) - at.getTime();

/** Formats an offset such as `+05:30`. Seconds appear only for historical offsets that have them. */
function printOffset(ms: number): string {
  const text = new Date(Math.abs(ms)).toISOString();
  return (ms < 0 ? '-' : '+') + text.slice(11, text.slice(17, 19) === '00' ? 16 : 19);
}

const happensTwice = (wall: WallTime, timezone: string): boolean => instantsOf(wall, timezone).length > 1;

const crosses = ({ startTime, startsAt, endTime, endsAt }: ZonedPeriod): boolean =>
  startTime !== null &&
  startsAt !== null &&
  endTime !== null &&
  endsAt !== null &&
  offsetMs(startTime, startsAt) !== offsetMs(endTime, endsAt);
