import { Prisma } from '../generated/prisma/client.ts';
import type { EventStatus } from '../generated/prisma/enums.ts';
import { eventsChangedSince } from './change-log.ts';
import { plannedForItsValues } from './engine/reads.ts';
import { isAboutText, isSameFolded } from './searched-text.ts';
import { hasPosition, rowsOfBusiness } from './sources.ts';
import type { TenantDb } from './tenant.ts';

/** Conditions on the events to be read. All that are given must hold. A range includes its start but not its end. */
export interface EventFilter {
  /** Without it, events of every status except `deleted`. */
  readonly statuses?: readonly EventStatus[] | undefined;
  readonly startsFrom?: Date | undefined;
  readonly startsTo?: Date | undefined;
  /**
   * Events that run at some time after `runsFrom` and before `runsTo`, with both also those that have a call time then.
   * Tentative times count as they are.
   */
  readonly runsFrom?: Date | undefined;
  readonly runsTo?: Date | undefined;
  /** `YYYY-MM-DD`, the day of the start in the zone of the event. Both `dateFrom` and `dateTo` are included. */
  readonly dateFrom?: string | undefined;
  readonly dateTo?: string | undefined;
  /** Text that the title, the venue or the city contains, in upper or lower case. */
  readonly text?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly clientId?: number | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  /** Id of a staff member who has an active shift at the event. */
  readonly staffId?: number | undefined;
  /** Position of a call time or of an active shift of the event. */
  readonly positionId?: number | undefined;
  readonly customField?: { readonly fieldUuid: string; readonly value: string } | undefined;
  /**
   * Filled share of the people needed that the event must stay below, 0 to 1. Too many people on one call time do not
   * make up for another.
   */
  readonly coverageBelow?: number | undefined;
  readonly updatedSince?: Date | undefined;
}

type Conditions = {
  readonly [Name in keyof EventFilter]-?: (
    value: NonNullable<EventFilter[Name]>,
    db: TenantDb,
    filter: EventFilter,
  ) => Prisma.Sql;
};

const instant = (at: Date) => Prisma.sql`${at.toISOString()}::timestamptz`;

/** Conditions on events `e`, by field of the filter. */
const conditions: Conditions = {
  // A single status uses the index that begins with the status; several are filtered from the index of all events.
  statuses: (statuses) =>
    statuses.length === 1
      ? Prisma.sql`e.status = ${statuses[0]}::"EventStatus"`
      : Prisma.sql`e.status = ANY(${[...statuses]}::"EventStatus"[])`,
  startsFrom: (from) => Prisma.sql`e.starts_at >= ${from.toISOString()}::timestamptz`,
  startsTo: (to) => Prisma.sql`e.starts_at < ${to.toISOString()}::timestamptz`,
  runsFrom: (runsFrom, db, { runsTo }) => {
    const from = instant(runsFrom);
    return runsTo
      ? runsIn(db, { from, to: instant(runsTo) })
      : Prisma.sql`(e.ends_at > ${from} AND e.starts_at > ${earliestStart(rowsOfBusiness(db, 'events', 'l'), from)})`;
  },
  runsTo: (runsTo, _db, { runsFrom }) => (runsFrom ? Prisma.sql`TRUE` : Prisma.sql`e.starts_at < ${instant(runsTo)}`),
  // No zone is a full day ahead of or behind UTC, so a range of instants, which an index can read, contains all these
  // days.
  dateFrom: (from) => Prisma.sql`(e.start_local >= ${from}::date AND e.starts_at >= ${from}::date - 1)`,
  dateTo: (to) => Prisma.sql`(e.start_local < ${to}::date + 1 AND e.starts_at < ${to}::date + 2)`,
  text: isAboutText,
  resourceId: (resourceId) => Prisma.sql`e.resource_id = ${resourceId}`,
  clientId: (clientId) => Prisma.sql`e.client_id = ${clientId}`,
  city: (city) => isSameFolded('e.city', city),
  state: (state) => isSameFolded('e.state', state),
  staffId: (staffId, db) => Prisma.sql`EXISTS (
    SELECT 1 FROM ${rowsOfBusiness(db, 'work_shifts', 'f')}
     WHERE f.event_id = e.id AND f.status = 'active' AND f.user_id = ${staffId})`,
  positionId: (positionId, db) => hasPosition(db, positionId),
  // A value can be too long for an index, which has hashes instead.
  customField: ({ fieldUuid, value }, db) => Prisma.sql`e.id IN (
    SELECT f.event_id FROM ${rowsOfBusiness(db, 'custom_field_values', 'f')}
     WHERE f.custom_field_id = (SELECT d.id FROM ${rowsOfBusiness(db, 'custom_fields', 'd')} WHERE d.uuid = ${fieldUuid}::uuid)
       AND hashtextextended(f.value, 0) = hashtextextended(${value}, 0) AND f.value = ${value})`,
  // The share is sent as text, so that it is compared as an exact decimal. An index has the shares of events in millionths.
  coverageBelow: (share, db) => {
    const exact = Prisma.sql`${String(share)}::numeric`;
    return Prisma.sql`e.id IN (
      SELECT f.event_id FROM ${rowsOfBusiness(db, 'event_staffing', 'f')}
       WHERE f.filled::bigint * 1000000 / nullif(f.needed, 0) <= trunc(${exact} * 1000000)::bigint
         AND f.filled < ${exact} * f.needed)`;
  },
  updatedSince: (since, db) => {
    const time = Prisma.sql`${since.toISOString()}::timestamptz`;
    return Prisma.sql`(e.modified_at >= ${time}
      OR EXISTS (SELECT 1 FROM ${rowsOfBusiness(db, 'call_times', 'f')} WHERE f.event_id = e.id AND f.modified_at >= ${time})
      OR EXISTS (SELECT 1 FROM ${rowsOfBusiness(db, 'work_shifts', 'f')} WHERE f.event_id = e.id AND f.modified_at >= ${time})
      OR e.id = ANY(ARRAY(${eventsChangedSince(db, since)})))`;
  },
};

/**
 * Condition on events `e`: they run in a span, or one of their call times lies in it. Few call times lie in a span in which
 * their event does not run, so these events are found first, and the range of the index by start reaches to them. No row
 * that still lasts has started longer ago than the longest one lasts.
 */
function runsIn(db: TenantDb, { from, to }: { from: Prisma.Sql; to: Prisma.Sql }): Prisma.Sql {
  const liesIn = (row: Prisma.Sql) => Prisma.sql`(${row}.ends_at > ${from} AND ${row}.starts_at < ${to})`;
  const beside = (what: Prisma.Sql) => Prisma.sql`(
      SELECT ${what} FROM ${rowsOfBusiness(db, 'call_times', 'c')}
        JOIN ${rowsOfBusiness(db, 'events', 'x')} ON x.id = c.event_id AND NOT ${liesIn(Prisma.sql`x`)}
       WHERE ${liesIn(Prisma.sql`c`)} AND c.starts_at > ${earliestStart(rowsOfBusiness(db, 'call_times', 'l'), from)})`;
  return Prisma.sql`((${liesIn(Prisma.sql`e`)} OR e.id = ANY(ARRAY${beside(Prisma.sql`x.id`)}))
    AND e.starts_at >= least(${earliestStart(rowsOfBusiness(db, 'events', 'l'), from)}, ${beside(Prisma.sql`min(x.starts_at)`)})
    AND e.starts_at <= greatest(${to}, ${beside(Prisma.sql`max(x.starts_at)`)}))`;
}

const earliestStart = (rows: Prisma.Sql, from: Prisma.Sql) =>
  Prisma.sql`${from} - make_interval(secs => (
      SELECT max(extract(epoch FROM l.ends_at - l.starts_at)) FROM ${rows})::float8)`;

/** Conditions that few events may meet, or most. */
const uneven = ['text', 'city', 'state', 'customField', 'coverageBelow'] as const satisfies (keyof EventFilter)[];

/** Has a statement with a filter planned for the values of the filter, where it matters how many events they leave. */
export function plannedForFilter(filter: EventFilter, sql: Prisma.Sql): Prisma.Sql {
  return uneven.some((name) => filter[name] !== undefined) ? plannedForItsValues(sql) : sql;
}

/** Whether a filter has no condition other than statuses. */
export function hasOnlyStatuses(filter: EventFilter): boolean {
  return Object.entries(filter).every(([name, value]) => name === 'statuses' || value === undefined);
}

/** Builds the condition on events `e` from a filter. It fits every source of events. */
export function matching(db: TenantDb, filter: EventFilter): Prisma.Sql {
  const given = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) =>
      (conditions[name as keyof EventFilter] as (value: unknown, db: TenantDb, filter: EventFilter) => Prisma.Sql)(
        value,
        db,
        filter,
      ),
    );
  const status = filter.statuses === undefined ? [Prisma.sql`e.status <> 'deleted'`] : [];
  return Prisma.join([...status, ...given], ' AND ');
}
