import { Prisma } from '../generated/prisma/client.ts';
import type { EventStatus } from '../generated/prisma/enums.ts';
import { matching } from './events-filter.ts';
import { plannedForItsValues } from './planning.ts';
import { rowsOfBusiness } from './sources.ts';
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

export const groupings = ['day', 'week', 'month', 'event', 'position', 'client', 'venue', 'staff'] as const;
export type Grouping = (typeof groupings)[number];

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

/**
 * The group that a row of a report is about. All fields are null in the row of the total; key and label in the group of events
 * without a client or a venue, and of work that is nobody's; the second ones where the report has groups of one thing.
 */
export interface GroupName {
  readonly isTotal: boolean;
  readonly key: string | null;
  readonly label: string | null;
  readonly secondKey: string | null;
  readonly secondLabel: string | null;
}

/** Condition on the events `e` that a report is about. */
export function matchReport(db: TenantDb, { from, to, running, ...filter }: ReportFilter): Prisma.Sql {
  const { statuses, clientId, city, state } = filter;
  const span = running ? { runsFrom: from, runsTo: to } : { startsFrom: from, startsTo: to };
  return matching(db, { statuses, ...span, clientId, city, state });
}

/** The start of event `e` as the clocks of a zone show it. */
function localStart(offsets: ZoneOffsets | null): Prisma.Sql {
  if (!offsets) return Prisma.sql`e.start_local`;
  const all = [offsets.first, ...offsets.changes.map(({ offset }) => offset)];
  const instants = offsets.changes.map(({ at }) => at.toISOString());
  return Prisma.sql`(e.starts_at AT TIME ZONE 'UTC' + make_interval(secs =>
    (${all}::int[])[width_bucket(e.starts_at, ${instants}::timestamptz[]) + 1]))`;
}

interface Group {
  readonly key: Prisma.Sql;
  readonly label: Prisma.Sql;
  /** Key by which groups are ordered; labels decide between equal ones. */
  readonly startsAt?: Prisma.Sql;
  readonly id?: Prisma.Sql;
}

/** Tables that only some groups need: the client `u` of event `e`. */
export const clients = (db: TenantDb) =>
  Prisma.sql`LEFT JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = e.client_id`;

/** A group from event `e`, its client `u`, the position `p`, and the person `w` of a shift. */
function groupOf(grouping: Grouping, { offsets, weekStart }: Grouped, isShift: boolean): Group {
  const day = Prisma.sql`${localStart(offsets)}::date`;
  const same = (key: Prisma.Sql) => ({ key, label: key });
  switch (grouping) {
    case 'day':
      return same(day);
    case 'week':
      return same(Prisma.sql`${day} - (extract(isodow FROM ${day})::int + 6 - ${weekStart}::int) % 7`);
    case 'month':
      return same(Prisma.sql`to_char(${localStart(offsets)}, 'YYYY-MM')`);
    case 'event':
      return {
        key: Prisma.sql`e.uuid`,
        label: Prisma.sql`e.title`,
        startsAt: Prisma.sql`e.starts_at`,
        id: Prisma.sql`e.id`,
      };
    case 'position':
      return { key: Prisma.sql`p.id`, label: Prisma.sql`p.title` };
    case 'client':
      return { key: Prisma.sql`u.id`, label: Prisma.sql`u.name` };
    case 'venue':
      return same(Prisma.sql`e.venue_name`);
    case 'staff':
      return isShift
        ? { key: Prisma.sql`w.id`, label: Prisma.sql`w.name` }
        : { key: Prisma.sql`NULL::int`, label: Prisma.sql`NULL::text` };
  }
}

/** Columns that name the group of a row, with a comma between. They are those of `groupNames`. */
export function groupColumns(grouped: Grouped, isShift = false): Prisma.Sql {
  const [one, two] = grouped.by.map((grouping) => groupOf(grouping, grouped, isShift));
  const none = { key: Prisma.sql`NULL::text`, label: Prisma.sql`NULL::text` };
  const columns = ({ key, label, startsAt, id }: Group, suffix: string) => Prisma.sql`
    ${key} AS ${Prisma.raw(`key${suffix}`)}, ${label} AS ${Prisma.raw(`label${suffix}`)},
    ${startsAt ?? Prisma.sql`NULL::timestamptz`} AS ${Prisma.raw(`starts_at${suffix}`)}, ${id ?? Prisma.sql`NULL::int`} AS ${Prisma.raw(`id${suffix}`)}`;
  return Prisma.sql`${columns(one ?? none, '')}, ${columns(two ?? none, '2')}`;
}

export const groupNames = Prisma.sql`key, label, starts_at, id, key2, label2, starts_at2, id2`;

export interface Sums {
  /** Columns of a group, from its rows. */
  readonly ofGroup: Prisma.Sql;
  /** Columns of the answer, from groups: of one, or of all of them for the total. */
  readonly ofGroups: Prisma.Sql;
}

/**
 * Sums up rows that carry the names of their groups: one row for the total, then one for each group, at most one more than
 * `groupsMax`. The total is made of the groups, and names are printed once for each group. `before` defines what the sums refer to.
 */
export function selectGroups(
  rows: Prisma.Sql,
  sums: Sums,
  { groupsMax }: Grouped,
  before: Prisma.Sql = Prisma.empty,
): Prisma.Sql {
  return plannedForItsValues(Prisma.sql`
  WITH ${before} summed AS (SELECT ${groupNames}, ${sums.ofGroup} FROM (${rows}) AS counted GROUP BY ${groupNames})
  SELECT grouping(key) = 1 AS "isTotal", key::text AS key, label::text AS label, key2::text AS "secondKey",
         label2::text AS "secondLabel", ${sums.ofGroups}
    FROM summed
   GROUP BY GROUPING SETS ((), (${groupNames}))
   ORDER BY "isTotal" DESC, starts_at, id, summed.label, summed.key, starts_at2, id2, label2, key2
   LIMIT ${groupsMax + 2}`);
}
