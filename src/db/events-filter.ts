import { Prisma } from '../generated/prisma/client.ts';
import type { EventStatus } from '../generated/prisma/enums.ts';
import { rowsOfBusiness } from './sources.ts';
import type { TenantDb } from './tenant.ts';

/** What events must be like to be read; all of what is given holds. Ranges include their start, not their end. */
export interface EventFilter {
  /** Without it, every status but `deleted`. */
  readonly statuses?: readonly EventStatus[] | undefined;
  readonly startsFrom?: Date | undefined;
  readonly startsTo?: Date | undefined;
  /** `YYYY-MM-DD`, of the start in the event's own zone; both days included. */
  readonly dateFrom?: string | undefined;
  readonly dateTo?: string | undefined;
  /** Somewhere in title, venue or city, in any case. */
  readonly text?: string | undefined;
  readonly clientId?: number | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  /** Has an active shift. */
  readonly staffId?: number | undefined;
  /** Of a call time or an active shift. */
  readonly positionId?: number | undefined;
  readonly customField?: { readonly fieldUuid: string; readonly value: string } | undefined;
  /** 0 to 1: less of what its call times need is filled, an overfilled one filling no other. */
  readonly coverageBelow?: number | undefined;
  readonly updatedSince?: Date | undefined;
}

type Conditions = {
  readonly [Name in keyof EventFilter]-?: (value: NonNullable<EventFilter[Name]>, db: TenantDb) => Prisma.Sql;
};

const sameInAnyCase = (column: Prisma.Sql, value: string) => Prisma.sql`lower(${column}) = lower(${value})`;

/** A value in which LIKE finds nothing but itself. */
const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Conditions on events `e`. */
const conditions: Conditions = {
  // One by itself is looked up in the index of its own order; several are picked from the order of all.
  statuses: (statuses) =>
    statuses.length === 1
      ? Prisma.sql`e.status = ${statuses[0]}::"EventStatus"`
      : Prisma.sql`e.status = ANY(${[...statuses]}::"EventStatus"[])`,
  startsFrom: (from) => Prisma.sql`e.starts_at >= ${from.toISOString()}::timestamptz`,
  startsTo: (to) => Prisma.sql`e.starts_at < ${to.toISOString()}::timestamptz`,
  // No zone is a day ahead of UTC or behind: the instants near by, which an index has in order, hold all of these.
  dateFrom: (from) => Prisma.sql`(e.start_local >= ${from}::date AND e.starts_at >= ${from}::date - 1)`,
  dateTo: (to) => Prisma.sql`(e.start_local < ${to}::date + 1 AND e.starts_at < ${to}::date + 2)`,
  text: (text) => {
    const pattern = `%${literally(text)}%`;
    return Prisma.sql`(e.title ILIKE ${pattern} OR e.venue_name ILIKE ${pattern} OR e.city ILIKE ${pattern})`;
  },
  clientId: (clientId) => Prisma.sql`e.client_id = ${clientId}`,
  city: (city) => sameInAnyCase(Prisma.sql`e.city`, city),
  state: (state) => sameInAnyCase(Prisma.sql`e.state`, state),
  staffId: (staffId, db) => Prisma.sql`EXISTS (
    SELECT 1 FROM ${rowsOfBusiness(db, 'work_shifts', 'f')}
     WHERE f.event_id = e.id AND f.status = 'active' AND f.user_id = ${staffId})`,
  positionId: (positionId, db) => Prisma.sql`(EXISTS (
    SELECT 1 FROM ${rowsOfBusiness(db, 'call_times', 'f')}
     WHERE f.event_id = e.id AND f.position_id = ${positionId}) OR EXISTS (
    SELECT 1 FROM ${rowsOfBusiness(db, 'work_shifts', 'f')}
     WHERE f.event_id = e.id AND f.status = 'active' AND f.position_id = ${positionId}))`,
  customField: ({ fieldUuid, value }, db) => Prisma.sql`EXISTS (
    SELECT 1 FROM ${rowsOfBusiness(db, 'custom_field_values', 'f')}
      JOIN ${rowsOfBusiness(db, 'custom_fields', 'd')} ON d.id = f.custom_field_id
     WHERE f.event_id = e.id AND d.uuid = ${fieldUuid}::uuid AND f.value = ${value})`,
  // As text, so that it is compared as the exact decimal that was written.
  coverageBelow: (share, db) => Prisma.sql`(
    SELECT sum(least(c.staff_needed, (
             SELECT count(*) FROM ${rowsOfBusiness(db, 'work_shifts', 'f')}
              WHERE f.call_time_id = c.id AND f.status = 'active')))
           < ${String(share)}::numeric * sum(c.staff_needed)
      FROM ${rowsOfBusiness(db, 'call_times', 'c')}
     WHERE c.event_id = e.id)`,
  updatedSince: (since) => Prisma.sql`e.modified_at >= ${since.toISOString()}::timestamptz`,
};

/** Whether a filter asks for nothing but statuses. */
export const hasOnlyStatuses = (filter: EventFilter): boolean =>
  Object.entries(filter).every(([name, value]) => name === 'statuses' || value === undefined);

/** The condition on events `e` that a filter makes, whichever source they come from. */
export function matching(db: TenantDb, filter: EventFilter): Prisma.Sql {
  const given = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) =>
      (conditions[name as keyof EventFilter] as (value: unknown, db: TenantDb) => Prisma.Sql)(value, db),
    );
  const status = filter.statuses === undefined ? [Prisma.sql`e.status <> 'deleted'`] : [];
  return Prisma.join([...status, ...given], ' AND ');
}
