import type { Event } from '../generated/prisma/client.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { WallTime } from '../time/wall-clock.ts';
import { matching, type EventFilter } from './event-filter.ts';
import { behind, orderBy, type EventSort } from './event-order.ts';
import type { Position } from './keyset.ts';
import { eventsInReach, guarded } from './reach.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** An event as it is read: its wall-clock times ready to print, its flags by their API names. */
export interface EventRow extends Omit<Event, 'startLocal' | 'endLocal' | 'startTbd' | 'endTbd'> {
  startTime: WallTime;
  startTimeTbd: boolean;
  endTime: WallTime;
  endTimeTbd: boolean;
}

const columns = (db: TenantDb) => Prisma.sql`
  e.business_id AS "businessId", e.id, e.uuid, e.client_id AS "clientId", e.status, e.title,
  to_char(e.start_local, 'YYYY-MM-DD HH24:MI:SS') AS "startTime", e.starts_at AS "startsAt", e.start_tbd AS "startTimeTbd",
  to_char(e.end_local, 'YYYY-MM-DD HH24:MI:SS') AS "endTime", e.ends_at AS "endsAt", e.end_tbd AS "endTimeTbd",
  e.timezone, e.resource_id AS "resourceId", e.description, ${guarded(db, 'private notes', Prisma.sql`e.private_notes`)} AS "privateNotes",
  e.dress_code AS "dressCode", e.venue_name AS "venueName", e.address, e.address_line_2 AS "addressLine2", e.room,
  e.city, e.state, e.zip, e.latitude, e.longitude, e.created_at AS "createdAt", e.modified_at AS "modifiedAt", e.version`;

/** Where a page begins: behind so many rows, or behind a place in the order. */
export interface Window {
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly after?: Position | undefined;
}

/** A page of events in an order. */
export const eventPage = (
  db: TenantDb,
  filter: EventFilter,
  sort: EventSort,
  { limit, offset = 0, after }: Window,
): Promise<EventRow[]> =>
  rawOf(db).$queryRaw<EventRow[]>(Prisma.sql`
    SELECT ${columns(db)} FROM events e
     WHERE ${matching(db, filter)} ${after ? Prisma.sql`AND ${behind(sort, after)}` : Prisma.empty}
     ORDER BY ${orderBy(sort)}
     LIMIT ${limit} OFFSET ${offset}`);

export async function countEvents(db: TenantDb, filter: EventFilter): Promise<number> {
  const [row] = await rawOf(db).$queryRaw<{ total: number }[]>(
    Prisma.sql`SELECT count(*)::int AS total FROM events e WHERE ${matching(db, filter)}`,
  );
  return row?.total ?? 0;
}

export async function eventByUuid(
  db: TenantDb,
  uuid: string,
  lock: 'none' | 'forUpdate' = 'none',
): Promise<EventRow | null> {
  const [row] = await rawOf(db).$queryRaw<EventRow[]>(Prisma.sql`
    SELECT ${columns(db)} FROM events e WHERE e.business_id = ${db.$businessId} AND e.uuid = ${uuid}::uuid AND ${eventsInReach(db)}
    ${lock === 'forUpdate' ? Prisma.sql`FOR UPDATE` : Prisma.empty}`);
  return row ?? null;
}

/** Events in the caller's reach, whatever their status, in any order. */
export const eventsByIds = (db: TenantDb, ids: readonly number[]): Promise<EventRow[]> =>
  rawOf(db).$queryRaw<EventRow[]>(Prisma.sql`
    SELECT ${columns(db)} FROM events e
     WHERE e.business_id = ${db.$businessId} AND e.id = ANY(${ids}::int[]) AND ${eventsInReach(db)}`);
