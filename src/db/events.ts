import type { Event } from '../generated/prisma/client.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { EventStatus } from '../generated/prisma/enums.ts';
import type { WallTime } from '../time/wall-clock.ts';
import { eventsInReach, guarded } from './reach.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** An event as it is read: its wall-clock times ready to print, its flags by their API names. */
export interface EventRow extends Omit<Event, 'startLocal' | 'endLocal' | 'startTbd' | 'endTbd'> {
  startTime: WallTime;
  startTimeTbd: boolean;
  endTime: WallTime;
  endTimeTbd: boolean;
}

export interface EventFilter {
  /** Null: every status but `deleted`. */
  readonly status: EventStatus | null;
}

const columns = (db: TenantDb) => Prisma.sql`
  e.business_id AS "businessId", e.id, e.uuid, e.client_id AS "clientId", e.status, e.title,
  to_char(e.start_local, 'YYYY-MM-DD HH24:MI:SS') AS "startTime", e.starts_at AS "startsAt", e.start_tbd AS "startTimeTbd",
  to_char(e.end_local, 'YYYY-MM-DD HH24:MI:SS') AS "endTime", e.ends_at AS "endsAt", e.end_tbd AS "endTimeTbd",
  e.timezone, e.resource_id AS "resourceId", e.description, ${guarded(db, 'private notes', Prisma.sql`e.private_notes`)} AS "privateNotes",
  e.dress_code AS "dressCode", e.venue_name AS "venueName", e.address, e.address_line_2 AS "addressLine2", e.room,
  e.city, e.state, e.zip, e.latitude, e.longitude, e.created_at AS "createdAt", e.modified_at AS "modifiedAt"`;

const matching = (db: TenantDb, { status }: EventFilter) =>
  status === null
    ? Prisma.sql`e.business_id = ${db.$businessId} AND ${eventsInReach(db)} AND e.status <> 'deleted'`
    : Prisma.sql`e.business_id = ${db.$businessId} AND ${eventsInReach(db)} AND e.status = ${status}::"EventStatus"`;

/** A page of events by start instant, then id, in one direction: no event twice or missing over the pages. */
export function eventPage(
  db: TenantDb,
  filter: EventFilter,
  order: 'asc' | 'desc',
  window: { limit: number; offset: number },
): Promise<EventRow[]> {
  const direction = order === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  return rawOf(db).$queryRaw<EventRow[]>(Prisma.sql`
    SELECT ${columns(db)} FROM events e WHERE ${matching(db, filter)}
     ORDER BY e.starts_at ${direction}, e.id ${direction}
     LIMIT ${window.limit} OFFSET ${window.offset}`);
}

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
