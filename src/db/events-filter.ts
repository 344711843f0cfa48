import { Prisma } from '../generated/prisma/client.ts';
import type { EventStatus } from '../generated/prisma/enums.ts';
import type { TenantDb } from './tenant.ts';
import { eventsInReach } from './visibility.ts';

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
  readonly [Name in keyof EventFilter]-?: (value: NonNullable<EventFilter[Name]>) => Prisma.Sql;
};

const sameInAnyCase = (column: Prisma.Sql, value: string) => Prisma.sql`lower(${column}) = lower(${value})`;

/** A value in which LIKE finds nothing but itself. */
const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Conditions on the events `e` of which the business is known. */
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
  staffId: (staffId) => Prisma.sql`EXISTS (
    SELECT 1 FROM work_shifts f
     WHERE f.business_id = e.business_id AND f.event_id = e.id AND f.status = 'active' AND f.user_id = ${staffId})`,
  positionId: (positionId) => Prisma.sql`(EXISTS (
    SELECT 1 FROM call_times f
     WHERE f.business_id = e.business_id AND f.event_id = e.id AND f.position_id = ${positionId}) OR EXISTS (
    SELECT 1 FROM work_shifts f
     WHERE f.business_id = e.business_id AND f.event_id = e.id AND f.status = 'active' AND f.position_id = ${positionId}))`,
  customField: ({ fieldUuid, value }) => Prisma.sql`EXISTS (
    SELECT 1 FROM custom_field_values f
      JOIN custom_fields d ON d.business_id = f.business_id AND d.id = f.custom_field_id
     WHERE f.business_id = e.business_id AND f.event_id = e.id AND d.uuid = ${fieldUuid}::uuid AND f.value = ${value})`,
  // As text, so that it is compared as the exact decimal that was written.
  coverageBelow: (share) => Prisma.sql`(
    SELECT sum(least(c.staff_needed, (
             SELECT count(*) FROM work_shifts f
              WHERE f.business_id = c.business_id AND f.call_time_id = c.id AND f.status = 'active')))
           < ${String(share)}::numeric * sum(c.staff_needed)
      FROM call_times c
     WHERE c.business_id = e.business_id AND c.event_id = e.id)`,
  updatedSince: (since) => Prisma.sql`e.modified_at >= ${since.toISOString()}::timestamptz`,
};

/** Whether a filter asks for nothing but statuses. */
export const isOfStatusOnly = (filter: EventFilter): boolean =>
  Object.entries(filter).every(([name, value]) => name === 'statuses' || value === undefined);

/** The condition on the events `e` that a filter makes, in the caller's business and reach. */
export function matching(db: TenantDb, filter: EventFilter): Prisma.Sql {
  const given = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (conditions[name as keyof EventFilter] as (value: unknown) => Prisma.Sql)(value));
  const status = filter.statuses === undefined ? [Prisma.sql`e.status <> 'deleted'`] : [];
  return Prisma.join([Prisma.sql`e.business_id = ${db.$businessId}`, eventsInReach(db), ...status, ...given], ' AND ');
}
