import { Prisma } from '../generated/prisma/client.ts';
import { changesOfSightSince, type LoggedChange } from './change-log.ts';
import { rowsOfBusiness, visibleCallTimes, visibleEvents, visibleShifts } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** An event of the business, whether or not the caller sees it, with what decides who sees it and its rows. */
export interface EventPast {
  readonly id: number;
  readonly uuid: string;
  readonly status: string;
  readonly clientId: number | null;
  /** The shifts that are the caller's, and those that `changes` name, as they are now. */
  readonly shifts: readonly { readonly id: number; readonly userId: number | null; readonly status: string }[];
  /** Latest first. */
  readonly changes: readonly SightChange[];
}

/** A change of the log of an event, a call time or a shift. */
interface SightChange extends Pick<LoggedChange, 'table' | 'rowId' | 'change' | 'before'> {
  readonly revision: number;
}

/** Reads events by their ids, in any order, with their changes from a commit on. One statement, so that all is of one moment. */
export function readEventPasts(
  db: TenantDb,
  ids: readonly number[],
  revision: bigint,
  userId: number,
): Promise<EventPast[]> {
  return rawOf(db).$queryRaw<EventPast[]>(Prisma.sql`
    SELECT e.id, e.uuid, e.status, e.client_id AS "clientId",
           coalesce(own.shifts, '[]') AS shifts, coalesce(past.changes, '[]') AS changes
      FROM ${rowsOfBusiness(db, 'events', 'e')}
      LEFT JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_object('revision', h.revision, 'table', h.table, 'rowId', h."rowId",
                 'change', h.change, 'before', h.before) ORDER BY h.revision DESC, h.id DESC) AS changes,
               array_agg(h."rowId") FILTER (WHERE h.table = 'work_shifts') AS "shiftIds"
          FROM (${changesOfSightSince(db, Prisma.sql`e.id`, revision)}) AS h) AS past ON TRUE
      LEFT JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_object('id', s.id, 'userId', s.user_id, 'status', s.status)) AS shifts
          FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
         WHERE s.event_id = e.id AND (s.user_id = ${userId} OR s.id = ANY(past."shiftIds"))) AS own ON TRUE
     WHERE e.id = ANY(${ids}::int[])`);
}

/** The UUIDs of events, by id. Those that were deleted from the table are missing. */
export async function readEventUuids(db: TenantDb, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await rawOf(db).$queryRaw<{ id: number; uuid: string }[]>(
    Prisma.sql`SELECT e.id, e.uuid FROM ${rowsOfBusiness(db, 'events', 'e')} WHERE e.id = ANY(${ids}::int[])`,
  );
  return new Map(rows.map(({ id, uuid }) => [id, uuid]));
}

/** The id of an event of the business, whether or not the caller sees it; null if there is none. */
export async function readEventId(db: TenantDb, uuid: string): Promise<number | null> {
  const [row] = await rawOf(db).$queryRaw<{ id: number }[]>(
    Prisma.sql`SELECT e.id FROM ${rowsOfBusiness(db, 'events', 'e')} WHERE e.uuid = ${uuid}::uuid`,
  );
  return row?.id ?? null;
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
