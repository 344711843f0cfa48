import { limits } from '../config/limits.ts';
import { rulesInForce, tzData } from './tz-data.ts';
import type { OffsetChange, ZoneRules, ZoneYear } from './tz-rules.ts';

/*
 * The only place that says how far the clocks of a zone are from UTC. Every conversion between wall-clock time and instant
 * comes here; no other file asks Intl, Temporal or the database for an offset.
 *
 * Performance notes: src/guide/performance.md#zone-years
 */

/** A change of a zone's offset. Offsets are milliseconds east of UTC. */
export interface Transition {
  readonly at: Date;
  readonly offsetBefore: number;
  readonly offsetAfter: number;
}

/** Returns the offset of a zone at an instant, in milliseconds east of UTC. Throws a `RangeError` for an unknown zone. */
export function offsetAt(instant: Date, zone: string): number {
  return offsetInS(Math.floor(instant.getTime() / 1000), zone) * 1000;
}

/**
 * Finds the instants at which clocks in the zone show the wall-clock time `YYYY-MM-DD HH:MM:SS`: none where clocks skip it,
 * two where it happens twice, in the order of time.
 */
export function instantsOf(wall: string, zone: string): Date[] {
  const shown = Date.parse(`${wall.replace(' ', 'T')}Z`) / 1000;
  // No offset is as far as two days from the one before it.
  const first = offsetInS(shown - 2 * dayS, zone);
  const changes = changesBetween(shown - 2 * dayS, shown + 2 * dayS, zone);
  if (changes.length === 0) return [new Date((shown - first) * 1000)];
  const offsets = new Set([first, ...changes.map(({ offset }) => offset)]);
  return [...offsets]
    .map((offset) => ({ at: shown - offset, offset }))
    .filter(({ at, offset }) => offsetInS(at, zone) === offset)
    .sort((a, b) => a.at - b.at)
    .map(({ at }) => new Date(at * 1000));
}

/** Finds the first change of a zone's offset after one instant and not after another; null if there is none. */
export function nextTransition(after: Date, until: Date, zone: string): Transition | null {
  const [from, to] = [Math.floor(after.getTime() / 1000), Math.floor(until.getTime() / 1000)];
  for (let start = from; start < to; start = Math.min(start + 366 * dayS, to)) {
    const [change] = changesBetween(start, Math.min(start + 366 * dayS, to), zone);
    if (!change) continue;
    const offsetBefore = offsetInS(change.at - 1, zone) * 1000;
    return { at: new Date(change.at * 1000), offsetBefore, offsetAfter: change.offset * 1000 };
  }
  return null;
}

const dayS = 86_400;

const yearOf = (at: number): number => new Date(at * 1000).getUTCFullYear();

function offsetInS(at: number, zone: string): number {
  const { initial, changes } = zoneYear(zone, yearOf(at));
  let offset = initial;
  for (const change of changes) {
    if (change.at > at) break;
    offset = change.offset;
  }
  return offset;
}

/** Finds the changes after one instant and not after another, which is at most some years later. */
function changesBetween(after: number, until: number, zone: string): readonly OffsetChange[] {
  const [first, last] = [yearOf(after), yearOf(until)];
  const { changes } = zoneYear(zone, first);
  if (first === last && changes.length === 0) return changes;
  const found = changes.filter(({ at }) => at > after && at <= until);
  for (let year = first + 1; year <= last; year++)
    found.push(...zoneYear(zone, year).changes.filter(({ at }) => at > after && at <= until));
  return found;
}

interface RememberedZone {
  readonly rules: ZoneRules;
  readonly years: Map<number, ZoneYear>;
}

const remembered = new Map<string, RememberedZone>();
let yearsRemembered = 0;
let versionRemembered = '';

function zoneYear(zone: string, year: number): ZoneYear {
  if (versionRemembered !== tzData().version) forget();
  return remembered.get(zone)?.years.get(year) ?? computeYear(zone, year);
}

function computeYear(zone: string, year: number): ZoneYear {
  if (yearsRemembered >= limits.remembered) forget();
  let known = remembered.get(zone);
  if (!known) remembered.set(zone, (known = { rules: rulesInForce(zone), years: new Map() }));
  const computed = known.rules(year);
  known.years.set(year, computed);
  yearsRemembered += 1;
  return computed;
}

function forget(): void {
  remembered.clear();
  yearsRemembered = 0;
  versionRemembered = tzData().version;
}
