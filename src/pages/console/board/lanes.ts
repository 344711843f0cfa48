import type { BoardEvent, BoardCallTime, Shift } from './model.ts';
import { isWaiting } from '../../time/presence.ts';
import { formatTime, formatZone, readMinuteOfDay } from '../../time/zones.ts';

/* The time line of an event: its axis, and one lane for each call time. */

const hourMs = 3_600_000;

export interface Axis {
  readonly fromMs: number;
  readonly toMs: number;
  readonly ticks: readonly { readonly ms: number; readonly label: string }[];
}

export interface Coverage {
  readonly needed: number;
  /** Confirmed, or has come. */
  readonly confirmed: number;
  /** Assigned, and has to answer. */
  readonly waiting: number;
  readonly open: number;
  /** People beyond those needed. */
  readonly surplus: number;
}

export interface Lane {
  /** That of the call time; null for the shifts without one. */
  readonly call: BoardCallTime | null;
  readonly uuid: string;
  /** In the order of the chips: clashes and those who wait come after those who confirmed. */
  readonly shifts: readonly Shift[];
  readonly coverage: Coverage;
  readonly fromMs: number;
  readonly toMs: number;
  readonly isTbd: boolean;
}

/** Lanes by call time, with one more for shifts that fill none. */
export function buildLanes(event: BoardEvent): Lane[] {
  const byCall = new Map<string, Shift[]>(event.callTimes.map(({ uuid }) => [uuid, []]));
  const loose = event.workShifts.filter((shift) => {
    const shifts = byCall.get(shift.callTime?.uuid ?? '');
    shifts?.push(shift);
    return !shifts;
  });
  const lanes = event.callTimes.map((call): Lane => {
    const shifts = sortShifts(byCall.get(call.uuid) ?? []);
    return {
      call,
      uuid: call.uuid,
      shifts,
      coverage: countCoverage(call.staffNeeded, shifts),
      fromMs: Date.parse(call.startsAt),
      toMs: Date.parse(call.endsAt),
      isTbd: call.startTimeTbd || call.endTimeTbd,
    };
  });
  return loose.length > 0 ? [...lanes, buildLooseLane(event, loose)] : lanes;
}

function buildLooseLane(event: BoardEvent, loose: readonly Shift[]): Lane {
  const shifts = sortShifts(loose);
  return {
    call: null,
    uuid: `${event.uuid} loose`,
    shifts,
    // Nobody is needed, and so nobody is too many.
    coverage: { ...countCoverage(0, shifts), surplus: 0 },
    fromMs: Math.min(...shifts.map(({ startsAt }) => Date.parse(startsAt ?? event.startsAt))),
    toMs: Math.max(...shifts.map(({ endsAt }) => Date.parse(endsAt ?? event.endsAt))),
    isTbd: shifts.some(({ startsAt, endsAt }) => startsAt === null || endsAt === null),
  };
}

const sortShifts = (shifts: readonly Shift[]): Shift[] =>
  shifts.toSorted((a, b) => Number(b.confirmed) - Number(a.confirmed) || a.lastName.localeCompare(b.lastName, 'en'));

export function countCoverage(needed: number, shifts: readonly Shift[]): Coverage {
  const waiting = shifts.filter(isWaiting).length;
  const lack = needed - shifts.length;
  return {
    needed,
    confirmed: shifts.length - waiting,
    waiting,
    open: Math.max(0, lack),
    surplus: Math.max(0, -lack),
  };
}

/** Adds up; surplus people on one call time do not fill another. */
export function sumCoverage(parts: readonly Coverage[]): Coverage {
  const sum = { needed: 0, confirmed: 0, waiting: 0, open: 0, surplus: 0 };
  for (const part of parts) {
    sum.needed += part.needed;
    sum.confirmed += part.confirmed;
    sum.waiting += part.waiting;
    sum.open += part.open;
    sum.surplus += part.surplus;
  }
  return sum;
}

/** Filled share of the people needed in whole percent; null if nobody is needed. */
export const fillPercent = ({ needed, open }: Coverage): number | null =>
  needed === 0 ? null : Math.floor(((needed - open) / needed) * 100);

/**
 * The axis spans the event and its lanes in whole hours. Its ticks stand at round hours of the event's clocks, so that
 * they are an hour apart or together where the clocks change; the zone's name then tells the two apart.
 */
export function buildAxis(event: BoardEvent, lanes: readonly Lane[]): Axis {
  const { timezone } = event;
  const firstMs = Math.min(Date.parse(event.startsAt), ...lanes.map(({ fromMs }) => fromMs));
  const lastMs = Math.max(Date.parse(event.endsAt), ...lanes.map(({ toMs }) => toMs));
  const fromMs = floorToHour(firstMs, timezone);
  const toMs = Math.max(fromMs + 2 * hourMs, floorToHour(lastMs + hourMs - 1, timezone));
  const hours = (toMs - fromMs) / hourMs;
  const step = [1, 2, 3, 4, 6, 12].find((each) => hours / each <= 9) ?? 24;
  const isChange = formatZone(fromMs, timezone) !== formatZone(toMs, timezone);
  const ticks: { ms: number; label: string }[] = [];
  for (let ms = fromMs; ms < toMs; ms += hourMs / 4) {
    const minute = readMinuteOfDay(ms, timezone);
    if (minute % (step * 60) !== 0) continue;
    ticks.push({ ms, label: formatTime(ms, timezone) + (isChange ? ` ${formatZone(ms, timezone)}` : '') });
  }
  return { fromMs, toMs, ticks };
}

/** Some zones are a quarter or half of an hour off, so the hour is that of their clocks. */
const floorToHour = (ms: number, zone: string): number => {
  const minuteMs = Math.floor(ms / 60_000) * 60_000;
  return minuteMs - (readMinuteOfDay(minuteMs, zone) % 60) * 60_000;
};

/** Place on the axis in percent of its width. */
export const positionOf = ({ fromMs, toMs }: Axis, ms: number): number =>
  Math.min(100, Math.max(0, ((ms - fromMs) / (toMs - fromMs)) * 100));

export interface Gap {
  readonly event: BoardEvent;
  readonly lane: Lane;
  readonly call: BoardCallTime;
}

/** Call times that lack people and are not over, soonest first. */
export function listGaps(
  events: readonly { readonly event: BoardEvent; readonly lanes: readonly Lane[] }[],
  nowMs: number,
): Gap[] {
  return events
    .filter(({ event }) => event.status === 'ACTIVE' || event.status === 'DRAFT')
    .flatMap(({ event, lanes }) =>
      lanes.flatMap((lane) => (lane.call && lane.coverage.open > 0 ? [{ event, lane, call: lane.call }] : [])),
    )
    .filter(({ lane }) => lane.toMs > nowMs)
    .toSorted((a, b) => a.lane.fromMs - b.lane.fromMs || b.lane.coverage.open - a.lane.coverage.open);
}
