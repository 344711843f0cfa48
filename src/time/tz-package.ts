import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { limits } from '../config/limits.ts';
import { yearlyRules } from './tz-posix.ts';
import {
  afterLast,
  isOffset,
  startOfYear,
  tableRules,
  withoutRepeats,
  type OffsetChange,
  type ZoneRules,
} from './tz-rules.ts';
import { runtimeRules } from './tz-runtime.ts';
import { findYearlyRule } from './tz-yearly.ts';

interface Packed {
  readonly version: string;
  /** `name|abbreviations|offsets|indices of the offsets|minutes between the changes|population`. */
  readonly zones: readonly string[];
  /** `name|further name`. */
  readonly links: readonly string[];
}

/** The text of the data in the npm package moment-timezone. Nothing else of that package is used. */
export function readPackedText(): string {
  return readFileSync(createRequire(import.meta.url).resolve('moment-timezone/data/packed/latest.json'), 'utf8');
}

export function packedVersion(text: string): string {
  const [, version] = /"version"\s*:\s*"(\d{4}[a-z]{1,2})"/.exec(text) ?? [];
  if (version === undefined) throw new Error('the data name no version');
  return version;
}

/** Reads all zones of the packed data, under all their names. Throws if anything in them cannot be read. */
export function readPackedRules(text: string): Map<string, ZoneRules> {
  const { zones, links } = JSON.parse(text) as Packed;
  const rules = new Map(zones.map(unpack));
  for (const link of links) {
    const [one = '', other = ''] = link.split('|');
    const [known, alias] = rules.has(one) ? [one, other] : [other, one];
    const found = rules.get(known);
    if (!found || alias === '') throw new Error(`the link ${link.slice(0, 100)} leads to no zone`);
    rules.set(alias, found);
  }
  if (rules.size === 0) throw new Error('the data have no zones');
  return rules;
}

/**
 * Unpacks one zone. The data list changes for some centuries. Where the ten years up to 2037 follow a yearly rule, that rule
 * stands for all later years and they are not unpacked, which would take 100 ms and some megabytes. A zone without such a
 * rule, whose clocks change with Ramadan, has all that is listed, and from then on the runtime's data.
 */
function unpack(packed: string): [string, ZoneRules] {
  const [name = '', , offsetTexts = '', indices = '', spans = ''] = packed.split('|');
  const offsets = offsetTexts.split(' ').map((west) => 0 - Math.round(base60(west) * 60));
  const listed: PackedChanges = { offsets, indices, spans: spans === '' ? [] : spans.split(' ') };
  const initial = offsets[base60(indices.charAt(0))] ?? NaN;
  if (!isOffset(initial) || listed.spans.length !== indices.length - 1)
    throw new Error(`${name.slice(0, 100)} has not as many offsets as changes`);
  const tableEnd = startOfYear(limits.tzTablesYearMax + 1);
  const changes = withoutRepeats(initial, unpackChanges(name, listed, tableEnd));
  const rule = findYearlyRule(initial, changes);
  if (rule) return [name, tableRules({ initial, changes, later: yearlyRules(rule), laterFrom: tableEnd })];
  const all = withoutRepeats(initial, unpackChanges(name, listed, Infinity));
  return [
    name,
    tableRules({ initial, changes: all, later: laterOf(name), laterFrom: Math.max(tableEnd, afterLast(all)) }),
  ];
}

interface PackedChanges {
  readonly offsets: readonly number[];
  /** One digit for each period between two changes. */
  readonly indices: string;
  readonly spans: readonly string[];
}

function unpackChanges(name: string, { offsets, indices, spans }: PackedChanges, until: number): OffsetChange[] {
  const changes: OffsetChange[] = [];
  let [minutes, before] = [0, -Infinity];
  for (const [index, span] of spans.entries()) {
    minutes += base60(span);
    const at = Math.round(minutes * 60);
    const offset = offsets[digitOf(indices.charCodeAt(index + 1))] ?? NaN;
    if (!(at > before) || !isOffset(offset)) throw new Error(`the changes of ${name.slice(0, 100)} cannot be read`);
    if (at >= until) break;
    changes.push({ at, offset });
    before = at;
  }
  return changes;
}

/** Asks the runtime only when a year is needed, because its data may lack the zone. */
const laterOf =
  (name: string): ZoneRules =>
  (year) =>
    runtimeRules(name)(year);

const [zero, nine, upperA, lowerA] = [48, 57, 65, 97];

function digitOf(code: number): number {
  if (code >= lowerA && code < lowerA + 26) return code - lowerA + 10;
  if (code >= upperA && code < upperA + 24) return code - upperA + 36;
  return code >= zero && code <= nine ? code - zero : NaN;
}

/** Reads a number to the base 60, with a fraction behind a point; NaN for any other text. */
function base60(text: string): number {
  const isNegative = text.startsWith('-');
  let [value, scale] = [0, 0];
  for (let index = isNegative ? 1 : 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === point && scale === 0) scale = 1;
    else {
      value = value * 60 + digitOf(code);
      scale *= 60;
    }
  }
  return (isNegative ? -value : value) / (scale || 1);
}

const point = 46;
