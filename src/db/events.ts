import type { Event } from '../generated/prisma/client.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { PageWindow } from '../paging/pages.ts';
import type { WallTime } from '../time/wall-clock.ts';
import { isOfStatusOnly, matching, type EventFilter } from './events-filter.ts';
import { behind, orderBy, type EventSort } from './events-order.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';
import { eventsInReach, guarded } from './visibility.ts';

/** An event as it is read: its wall-clock times ready to print, its flags by their API names. */
export interface EventRow extends Omit<Event, 'startLocal' | 'endLocal' | 'startTbd' | 'endTbd'> {
  startTime: WallTime;
  startTimeTbd: boolean;
  endTime: WallTime;
  endTimeTbd: boolean;
}

const columns = (db: TenantDb) => Prisma.sql`
  e.business_id AS "businessId", e.id, e.uuid, e.client_id AS "clientId", e.status, e.title,
  e.start_local::text AS "startTime", e.starts_at AS "startsAt", e.start_tbd AS "startTimeTbd",
  e.end_local::text AS "endTime", e.ends_at AS "endsAt", e.end_tbd AS "endTimeTbd",
  e.timezone, e.resource_id AS "resourceId", e.description, ${guarded(db, 'private notes', Prisma.sql`e.private_notes`)} AS "privateNotes",
  e.dress_code AS "dressCode", e.venue_name AS "venueName", e.address, e.address_line_2 AS "addressLine2", e.room,
  e.city, e.state, e.zip, e.latitude, e.longitude, e.created_at AS "createdAt", e.modified_at AS "modifiedAt", e.version`;

/** What is not given is null, not to be determined later, or active. */
export type NewEvent = Pick<
  EventRow,
  'title' | 'timezone' | 'startTime' | 'endTime' | 'startsAt' | 'endsAt' | 'createdAt'
> &
  Partial<Omit<EventRow, 'id' | 'uuid' | 'businessId' | 'modifiedAt' | 'version'>>;

/** Stores an event, in one statement, and gives it as it is read. */
export async function insertEvent(db: TenantDb, event: NewEvent): Promise<EventRow> {
  const textOf = (value: string | null | undefined) => value ?? null;
  const [row] = await rawOf(db).$queryRaw<EventRow[]>(Prisma.sql`
    INSERT INTO events AS e (
           business_id, client_id, status, title, timezone, start_local, starts_at, start_tbd, end_local, ends_at, end_tbd,
           resource_id, description, private_notes, dress_code, venue_name, address, address_line_2, room, city, state, zip,
           latitude, longitude, created_at, modified_at)
    VALUES (${db.$businessId}, ${event.clientId ?? null}, ${event.status ?? 'active'}::"EventStatus", ${event.title},
           ${event.timezone}, ${event.startTime}::timestamp, ${event.startsAt}::timestamptz, ${event.startTimeTbd ?? false},
           ${event.endTime}::timestamp, ${event.endsAt}::timestamptz, ${event.endTimeTbd ?? false},
           ${textOf(event.resourceId)}, ${textOf(event.description)}, ${textOf(event.privateNotes)},
           ${textOf(event.dressCode)}, ${textOf(event.venueName)}, ${textOf(event.address)},
           ${textOf(event.addressLine2)}, ${textOf(event.room)}, ${textOf(event.city)}, ${textOf(event.state)},
           ${textOf(event.zip)}, ${textOf(event.latitude)}, ${textOf(event.longitude)},
           ${event.createdAt}::timestamptz, ${event.createdAt}::timestamptz)
    RETURNING ${columns(db)}`);
  if (!row) throw new Error('An event was stored and not given back.');
  return row;
}

/**
 * A page of events in an order. What lies before a page that is named by its number is passed over in an index: only the
 * rows of the page are fetched, by their ids.
 */
export function eventPage(
  db: TenantDb,
  filter: EventFilter,
  sort: EventSort,
  { limit, offset = 0, after }: PageWindow,
): Promise<EventRow[]> {
  const found = Prisma.sql`
      FROM events e
     WHERE ${matching(db, filter)} ${after ? Prisma.sql`AND ${behind(sort, after)}` : Prisma.empty}
     ORDER BY ${orderBy(sort)}
     LIMIT ${limit}`;
  return rawOf(db).$queryRaw<EventRow[]>(
    offset === 0
      ? Prisma.sql`SELECT ${columns(db)} ${found}`
      : Prisma.sql`
    SELECT ${columns(db)} FROM events e
     WHERE e.business_id = ${db.$businessId} AND e.id = ANY(ARRAY(SELECT e.id ${found} OFFSET ${offset}))
     ORDER BY ${orderBy(sort)}`,
  );
}

/** How many events there are; of a whole business without counting them, which takes longer the more it has. */
export async function countEvents(db: TenantDb, filter: EventFilter): Promise<number> {
  const [row] = await rawOf(db).$queryRaw<{ total: number }[]>(
    db.$reach.of === 'business' && isOfStatusOnly(filter)
      ? Prisma.sql`SELECT coalesce(sum(e.delta), 0)::int AS total FROM event_tallies e WHERE ${matching(db, filter)}`
      : Prisma.sql`SELECT count(*)::int AS total FROM events e WHERE ${matching(db, filter)}`,
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
