import type { reportGroupings } from '../fields/codes.ts';
import type { FieldKind, FieldList } from '../fields/field-list.ts';
import type { ReportGroupRow } from '../fields/reports.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { EventStatus } from '../generated/prisma/enums.ts';
import { plannedForItsValues } from './engine/reads.ts';
import { matching } from './events-filter.ts';
import { resultColumns, selectResult } from './fields.ts';
import { composed } from './searched-text.ts';
import { rowsOfBusiness, visibleEvents } from './sources.ts';
import type { TenantDb } from './tenant.ts';

/** Filter of a report: events that start in [from, to), or run at some time in it, and meet the other conditions. */
export interface ReportFilter {
  readonly from: Date;
  readonly to: Date;
  /** Whether events count that run in the period, and not only those that start in it. */
  readonly running?: boolean | undefined;
  readonly statuses: readonly EventStatus[];
  readonly clientId?: number | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  /** Position of the call times or shifts that are counted. */
  readonly positionId?: number | undefined;
}

export type Grouping = keyof typeof reportGroupings;

/** How a report is grouped: by one or two things, and by which calendar. */
export interface Grouped {
  readonly by: readonly Grouping[];
  /** The offsets of the zone whose days count; null: each event counts on the day of its own zone. */
  readonly offsets: ZoneOffsets | null;
  /** Days from Monday to the first day of the week, 0 to 6. */
  readonly weekStart: number;
  readonly groupsMax: number;
}

/** Offsets of a zone, in seconds east of UTC: from the beginning, and from each instant on. */
export interface ZoneOffsets {
  readonly first: number;
  readonly changes: readonly { readonly at: Date; readonly offset: number }[];
}

/** The group of a row, or the total. */
export interface GroupName extends ReportGroupRow {
  readonly isTotal: boolean;
}

/** Condition on the events `e` that a report is about. */
export function matchReport(db: TenantDb, { from, to, running, ...filter }: ReportFilter): Prisma.Sql {
  const { statuses, clientId, city, state } = filter;
  const span = running ? { runsFrom: from, runsTo: to } : { startsFrom: from, startsTo: to };
  return matching(db, { statuses, ...span, clientId, city, state });
}

/** The start of event `e` as the clocks of a zone show it. */
const localStart = (offsets: ZoneOffsets | null): Prisma.Sql =>
  offsets ? localTime(Prisma.sql`e.starts_at`, offsets) : Prisma.sql`e.start_local`;

/** An instant as the clocks of a zone show it. */
export function localTime(at: Prisma.Sql, offsets: ZoneOffsets): Prisma.Sql {
  const all = [offsets.first, ...offsets.changes.map(({ offset }) => offset)];
  const instants = offsets.changes.map((change) => change.at.toISOString());
  return Prisma.sql`(${at} AT TIME ZONE 'UTC' + make_interval(secs =>
    (${all}::int[])[width_bucket(${at}, ${instants}::timestamptz[]) + 1]))`;
}

/** The first day of the week of a day. */
export const weekOf = (day: Prisma.Sql, weekStart: number) =>
  Prisma.sql`${day} - (extract(isodow FROM ${day})::int + 6 - ${weekStart}::int) % 7`;

/** The value of event `e` that a report is grouped by; null where events have none. */
function valueOfEvent(grouping: Grouping, { offsets, weekStart }: Grouped): Prisma.Sql {
  const day = Prisma.sql`${localStart(offsets)}::date`;
  switch (grouping) {
    case 'day':
      return day;
    case 'week':
      return weekOf(day, weekStart);
    case 'month':
      return Prisma.sql`to_char(${localStart(offsets)}, 'YYYY-MM')`;
    case 'event':
      return Prisma.sql`e.id`;
    case 'client':
      return Prisma.sql`e.client_id`;
    case 'venue':
      return Prisma.sql`v.name`;
    case 'position':
    case 'staff':
      return Prisma.sql`NULL::int`;
  }
}

/** The groups of a row, as `group1` and `group2`: from the values that are given, and else from event `e`. */
export function groupColumns(grouped: Grouped, given: Partial<Record<Grouping, Prisma.Sql>> = {}): Prisma.Sql {
  const [one, two] = grouped.by.map((grouping) => given[grouping] ?? valueOfEvent(grouping, grouped));
  return Prisma.sql`${one} AS group1, ${two ?? Prisma.sql`NULL::int`} AS group2`;
}

export const groupNames = Prisma.sql`group1, group2`;

/** Joins the name `v.name` of the venue of event `e`, where it matters: one of its spellings in these events. */
export function joinVenues(db: TenantDb, filter: ReportFilter, { by }: Grouped): Prisma.Sql {
  if (!by.includes('venue')) return Prisma.empty;
  return Prisma.sql`
    LEFT JOIN (SELECT venue_name, min(venue_name) OVER (PARTITION BY ${composed('venue_name')}) AS name
                 FROM (SELECT DISTINCT e.venue_name FROM ${visibleEvents(db)} WHERE ${matchReport(db, filter)}) AS spelled) AS v
      ON v.venue_name = e.venue_name`;
}

/** Where the names of groups stand whose value is the id of a row, and what they are ordered by. */
const named = {
  event: { table: 'events', key: 'uuid', label: 'title', order: ['starts_at', 'id'] },
  position: { table: 'positions', key: 'id', label: 'title', order: ['title', 'id'] },
  client: { table: 'users', key: 'id', label: 'name', order: ['name', 'id'] },
  staff: { table: 'users', key: 'id', label: 'name', order: ['name', 'id'] },
} as const;

export interface Sums {
  /** Columns of a group, from its rows. */
  readonly ofGroup: Prisma.Sql;
  /** Columns of the answer, from groups: of one, or of all of them for the total. */
  readonly ofGroups: Prisma.Sql;
}

/** How a sum is made of groups, which have cents instead of amounts and seconds instead of hours. */
const sumsByKind: Partial<Record<FieldKind, (name: string) => string>> = {
  integer: (name) => `coalesce(sum("${name}"), 0)::int`,
  money: (name) => `round(coalesce(sum("${name}"), 0) * 0.01, 2)::text`,
  hours: (name) => `round(coalesce(sum("${name}"), 0) / 3600.0, 2)::float8`,
};

/** The sums of a report, from rows that have them under the names of the list. `others` are made otherwise. */
export function sumsOf<L extends FieldList>(list: L, others: { readonly [K in keyof L]?: string } = {}): Sums {
  return {
    ofGroup: selectResult(
      list,
      resultColumns(list, (name) => `sum("${name}")`),
    ),
    ofGroups: selectResult(
      list,
      resultColumns(list, (name, kind) => others[name] ?? sumsByKind[kind]?.(name) ?? 'NULL'),
    ),
  };
}

/**
 * Sums up rows that carry their groups: one row for the total, then one for each group, at most one more than `groupsMax`. The total is
 * made of the groups, and names are looked up once for each group. `before` defines what the sums refer to.
 */
export function selectGroups(
  db: TenantDb,
  rows: Prisma.Sql,
  sums: Sums,
  { by, groupsMax }: Grouped,
  before: Prisma.Sql = Prisma.empty,
): Prisma.Sql {
  const groups = by.map((grouping, index) => {
    const [group, row] = [`group${index + 1}`, `n${index + 1}`];
    if (!(grouping in named)) return { key: group, label: group, order: [group], join: Prisma.empty };
    const { table, key, label, order } = named[grouping as keyof typeof named];
    return {
      key: `${row}.${key}`,
      label: `${row}.${label}`,
      order: order.map((column) => `${row}.${column}`),
      join: Prisma.sql`LEFT JOIN ${rowsOfBusiness(db, table, row)} ON ${Prisma.raw(`${row}.id = ${group}`)}`,
    };
  });
  const [first, second = { key: 'NULL', label: 'NULL' }] = groups;
  const columns = groups.flatMap(({ key, label, order }) => [key, label, ...order]);
  return plannedForItsValues(Prisma.sql`
  WITH ${before} summed AS (SELECT ${groupNames}, ${sums.ofGroup} FROM (${rows}) AS counted GROUP BY ${groupNames})
  SELECT grouping(group1) = 1 AS "isTotal",
         ${Prisma.raw(`${first?.key}::text AS key, ${first?.label}::text AS label, ${second.key}::text AS "secondKey", ${second.label}::text AS "secondLabel"`)},
         ${sums.ofGroups}
    FROM summed ${Prisma.join(
      groups.map(({ join }) => join),
      ' ',
    )}
   GROUP BY GROUPING SETS ((), (${groupNames}, ${Prisma.raw(columns.join(', '))}))
   ORDER BY "isTotal" DESC, ${Prisma.raw(groups.flatMap(({ order }) => order).join(', '))}
   LIMIT ${groupsMax + 2}`);
}
