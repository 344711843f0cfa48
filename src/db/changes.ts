import { Prisma } from '../generated/prisma/client.ts';
import { rawOf } from './raw.ts';
import { rowsOfBusiness, visibleCallTimes, visibleEvents, visibleShifts } from './sources.ts';
import type { TenantDb } from './tenant.ts';

/** An event of the business, whether or not the caller sees it now. */
export interface EventAccess {
  readonly id: number;
  readonly uuid: string;
  /** Whether the event is one of the caller's, whatever its status. Every event is an admin's. */
  readonly isOwn: boolean;
}

/** Reads events of the business by their ids, in any order. */
export function readEventAccess(db: TenantDb, ids: readonly number[]): Promise<EventAccess[]> {
  return rawOf(db).$queryRaw<EventAccess[]>(Prisma.sql`
    SELECT e.id, e.uuid, ${isOwnEvent(db)} AS "isOwn" FROM ${rowsOfBusiness(db, 'events', 'e')}
     WHERE e.id = ANY(${ids}::int[])`);
}

/** The id of an event of the business, whether or not the caller sees it; null if there is none. */
export async function readEventId(db: TenantDb, uuid: string): Promise<number | null> {
  const [row] = await rawOf(db).$queryRaw<{ id: number }[]>(
    Prisma.sql`SELECT e.id FROM ${rowsOfBusiness(db, 'events', 'e')} WHERE e.uuid = ${uuid}::uuid`,
  );
  return row?.id ?? null;
}

function isOwnEvent(db: TenantDb): Prisma.Sql {
  const { $visibility } = db;
  switch ($visibility.of) {
    case 'business':
      return Prisma.sql`TRUE`;
    // Screens read no changes.
    case 'screen':
      return Prisma.sql`FALSE`;
    case 'client':
      return Prisma.sql`(e.client_id IS NOT DISTINCT FROM ${$visibility.userId}::int)`;
    case 'staff':
      return Prisma.sql`EXISTS (
        SELECT 1 FROM ${rowsOfBusiness(db, 'work_shifts', 'own')}
         WHERE own.event_id = e.id AND own.user_id = ${$visibility.userId} AND own.status <> 'deleted')`;
  }
}

/** Returns the ids of the shifts that a person has among the given ones, whatever their status. */
export async function readShiftIdsOfUser(db: TenantDb, ids: readonly number[], userId: number): Promise<number[]> {
  const rows = await rawOf(db).$queryRaw<{ id: number }[]>(Prisma.sql`
    SELECT s.id FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
     WHERE s.id = ANY(${ids}::int[]) AND s.user_id = ${userId}`);
  return rows.map(({ id }) => id);
}

export interface RowOfEvent {
  readonly kind: 'callTime' | 'workShift';
  readonly id: number;
  readonly uuid: string;
  readonly eventId: number;
}

/** The call times and shifts of these events that the caller may see, whatever their status. */
export function readRowsOfEvents(db: TenantDb, eventIds: readonly number[]): Promise<RowOfEvent[]> {
  return rawOf(db).$queryRaw<RowOfEvent[]>(Prisma.sql`
    SELECT 'callTime' AS kind, c.id, c.uuid, c.event_id AS "eventId" FROM ${visibleCallTimes(db)}
     WHERE c.event_id = ANY(${eventIds}::int[])
     UNION ALL
    SELECT 'workShift', s.id, s.uuid, s.event_id FROM ${visibleShifts(db)} WHERE s.event_id = ANY(${eventIds}::int[])`);
}

/** The ids of those of these events that the caller sees now. */
export async function readVisibleEventIds(db: TenantDb, ids: readonly number[]): Promise<number[]> {
  const rows = await rawOf(db).$queryRaw<{ id: number }[]>(
    Prisma.sql`SELECT e.id FROM ${visibleEvents(db)} WHERE e.id = ANY(${ids}::int[])`,
  );
  return rows.map(({ id }) => id);
}
