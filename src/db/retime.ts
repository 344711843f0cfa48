import { Prisma } from '../generated/prisma/client.ts';
import type { WallTime } from '../time/wall-clock.ts';
import { lockRows, rowsOfBusiness, updateRows } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** Tables whose rows store instants that were derived from wall-clock times. */
export type TimedTable = 'events' | 'call_times' | 'work_shifts';

/** A row with at least one instant after a given time. Null means to be determined. */
export interface TimedRow {
  readonly table: TimedTable;
  readonly id: number;
  readonly uuid: string;
  readonly eventId: number;
  /** Time zone of the event. */
  readonly timezone: string;
  readonly startTime: WallTime | null;
  readonly startsAt: Date | null;
  readonly endTime: WallTime | null;
  readonly endsAt: Date | null;
}

/** Reads the ids of the next events of the business behind an id, in their order, whatever their status. */
export async function readEventIdsAfter(db: TenantDb, after: number, atMost: number): Promise<number[]> {
  const rows = await rawOf(db).$queryRaw<{ id: number }[]>(Prisma.sql`
    SELECT e.id FROM ${rowsOfBusiness(db, 'events', 'e')} WHERE e.id > ${after} ORDER BY e.id LIMIT ${atMost}`);
  return rows.map(({ id }) => id);
}

/** Reads the events of these ids, their call times and their shifts that have an instant after `since`. */
export function readTimedRows(db: TenantDb, eventIds: readonly number[], since: Date): Promise<TimedRow[]> {
  const columns = (table: TimedTable, alias: string, eventId: string) => {
    const as = Prisma.raw(alias);
    return Prisma.sql`
      SELECT ${table}::text AS "table", ${as}.id, ${as}.uuid::text AS uuid, ${as}.${Prisma.raw(eventId)} AS "eventId", e.timezone,
             ${as}.start_local::text AS "startTime", ${as}.starts_at AS "startsAt",
             ${as}.end_local::text AS "endTime", ${as}.ends_at AS "endsAt"`;
  };
  const chosen = (alias: string) => Prisma.sql`
    e.id = ANY(${eventIds}::int[])
      AND greatest(${Prisma.raw(alias)}.starts_at, ${Prisma.raw(alias)}.ends_at) > ${since.toISOString()}::timestamptz`;
  const events = rowsOfBusiness(db, 'events', 'e');
  return rawOf(db).$queryRaw<TimedRow[]>(Prisma.sql`
    ${columns('events', 'e', 'id')} FROM ${events} WHERE ${chosen('e')}
    UNION ALL ${columns('call_times', 'c', 'event_id')}
      FROM ${events} JOIN ${rowsOfBusiness(db, 'call_times', 'c')} ON c.event_id = e.id WHERE ${chosen('c')}
    UNION ALL ${columns('work_shifts', 's', 'event_id')}
      FROM ${events} JOIN ${rowsOfBusiness(db, 'work_shifts', 's')} ON s.event_id = e.id WHERE ${chosen('s')}`);
}

/** Locks events against every change of them, of their call times and of their shifts by others, until the transaction ends. */
export async function lockEventsToRetime(tx: TenantDb, eventIds: readonly number[]): Promise<void> {
  const where = Prisma.sql`e.id = ANY(${eventIds}::int[])`;
  await rawOf(tx).$queryRaw(lockRows(tx, 'events', 'e', { columns: Prisma.sql`e.id`, where, lock: 'for update' }));
}

export interface NewInstants {
  readonly id: number;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
}

export async function storeInstants(
  tx: TenantDb,
  table: TimedTable,
  rows: readonly NewInstants[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  const sent = rows.map(({ id, startsAt, endsAt }) => ({ id, starts_at: startsAt, ends_at: endsAt }));
  await rawOf(tx).$executeRaw(
    updateRows(tx, table, 'r', {
      set: Prisma.sql`starts_at = n.starts_at, ends_at = n.ends_at, modified_at = ${now.toISOString()}::timestamptz`,
      from: Prisma.sql`FROM jsonb_to_recordset(${JSON.stringify(sent)}::jsonb) AS n (id int, starts_at timestamptz, ends_at timestamptz)`,
      where: Prisma.sql`r.id = n.id`,
    }),
  );
}
