import { callTimeFields, type CallTimeRow } from '../fields/call-times.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { PageWindow } from '../paging/pages.ts';
import { andEqual, readSlices } from './by-parent.ts';
import { columnsOf, joinFor, type ListOptions } from './fields.ts';
import { rowsOfBusiness, rowsOfVisibleEvents, visibleCallTimes, visibleEvents, type AskedEvents } from './sources.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

const columns = columnsOf(callTimeFields, 'c', {
  position: 'p.title',
  timezone: 'e.timezone',
  payRate: 'coalesce(c.pay_rate, p.default_pay_rate)',
});

const positions = (db: TenantDb) => Prisma.sql`JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = c.position_id`;

const selectCallTimes = (db: TenantDb) => Prisma.sql`
  SELECT ${columns(db)} FROM ${visibleCallTimes(db)} ${positions(db)}`;

const callTimeOrder = Prisma.sql`"startsAt", id`;

/**
 * Builds a statement that reads the call times of events; those of each event are ordered by start. The call times are read
 * before they are joined to anything: PostgreSQL does not know that an id belongs to one business only, expects one row of
 * each event, and would go through the joined table once for each. Performance notes: src/guide/performance.md#rows-first
 */
export function selectCallTimesOfEvents(
  db: TenantDb,
  events: AskedEvents,
  { atMostEach, shown }: ListOptions = {},
): Prisma.Sql {
  return Prisma.sql`
    WITH c AS MATERIALIZED (
         SELECT c.* FROM ${rowsOfVisibleEvents(db, 'call_times', 'c', events, { order: Prisma.sql`c.starts_at, c.id`, atMostEach })})
    SELECT ${columns(db, shown)}
      FROM c
      ${joinFor(shown, ['timezone'], Prisma.sql`JOIN ${visibleEvents(db)} ON e.id = c.event_id`)}
      ${joinFor(shown, ['position', 'payRate'], positions(db))}
     ORDER BY c.event_id, c.starts_at, c.id`;
}

/** Reads the call times of many events in one statement. Fields that are not shown are missing. */
export function readCallTimesOfEvents(
  db: TenantDb,
  eventIds: readonly number[],
  options: ListOptions,
): Promise<CallTimeRow[]> {
  return rawOf(db).$queryRaw<CallTimeRow[]>(selectCallTimesOfEvents(db, eventIds, options));
}

/** Counts the call times of each visible event. An event without any has no row. */
export async function countCallTimes(db: TenantDb, eventIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await rawOf(db).$queryRaw<{ id: number; total: number }[]>(Prisma.sql`
    SELECT e.id, count(*)::int AS total
      FROM ${visibleCallTimes(db)}
     WHERE c.event_id = ANY(${eventIds}::int[])
     GROUP BY e.id`);
  return new Map(rows.map(({ id, total }) => [id, total]));
}

export async function callTimeByUuid(db: TenantDb, uuid: string): Promise<CallTimeRow | null> {
  const [row] = await rawOf(db).$queryRaw<CallTimeRow[]>(
    Prisma.sql`${selectCallTimes(db)} WHERE c.uuid = ${uuid}::uuid`,
  );
  return row ?? null;
}

/** Reads call times that the caller may see by their uuids, in any order. */
export function readCallTimesByUuids(db: TenantDb, uuids: readonly string[]): Promise<CallTimeRow[]> {
  return rawOf(db).$queryRaw<CallTimeRow[]>(Prisma.sql`${selectCallTimes(db)} WHERE c.uuid = ANY(${uuids}::uuid[])`);
}

/** Reads call times that the caller may see, in any order. */
export function readCallTimesByIds(db: TenantDb, ids: readonly number[]): Promise<CallTimeRow[]> {
  return rawOf(db).$queryRaw<CallTimeRow[]>(Prisma.sql`${selectCallTimes(db)} WHERE c.id = ANY(${ids}::int[])`);
}

export interface CallTimeFilter {
  readonly positionId?: number;
  readonly skillLevelId?: number;
}

/** Reads the same slice of the call times of each of many events. */
export function readCallTimeSlices(
  db: TenantDb,
  eventIds: readonly number[],
  { positionId, skillLevelId }: CallTimeFilter,
  window: PageWindow,
) {
  return readSlices<CallTimeRow>(
    db,
    {
      parent: 'eventId',
      order: callTimeOrder,
      rows: Prisma.sql`${selectCallTimes(db)}
       WHERE c.event_id = ANY(${eventIds}::int[])
         ${andEqual(Prisma.sql`c.position_id`, positionId)} ${andEqual(Prisma.sql`c.skill_level_id`, skillLevelId)}`,
    },
    window,
  );
}
