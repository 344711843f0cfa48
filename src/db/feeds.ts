import { limits } from '../config/limits.ts';
import { Prisma, type Feed, type PrismaClient } from '../generated/prisma/client.ts';
import { placeTimes } from './place-times.ts';
import { readRows } from './rows.ts';
import { rowsOfBusiness, visibleEvents, visibleShifts } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** The columns of a feed that may be shown. A feed is named by its public id; no column here holds a secret. */
export const shownFeed = {
  publicId: true,
  kind: true,
  name: true,
  userId: true,
  eventUuid: true,
  clientId: true,
  createdAt: true,
  lastUsedAt: true,
  previousSecretExpiresAt: true,
} as const;

export type FeedRow = Pick<Feed, keyof typeof shownFeed>;

/** Reads the feeds of a person and, for admins, those of others that show more than their own shifts: all, or those with some public ids. */
export function readFeeds(db: TenantDb, userId: number, publicIds?: readonly string[]): Promise<FeedRow[]> {
  const others = db.$visibility.of === 'business' ? Prisma.sql`OR t.kind <> 'shifts'` : Prisma.empty;
  return readRows<FeedRow>(db, 'Feed', shownFeed, {
    where: Prisma.sql`(t.user_id = ${userId} ${others})
      ${publicIds ? Prisma.sql`AND t.public_id = ANY(${publicIds}::text[])` : Prisma.empty}`,
  });
}

/** A shift or an event in a feed. Times are `YYYY-MM-DD HH:MM:SS`: local ones in the zone, the others in UTC. */
export interface FeedEntry {
  readonly of: 'shift' | 'event';
  readonly uuid: string;
  readonly title: string;
  readonly position: string | null;
  /** Null in the feed of their own shifts. */
  readonly person: string | null;
  readonly isCanceled: boolean;
  readonly isConfirmed: boolean;
  readonly startLocal: string;
  readonly startUtc: string;
  readonly isStartTbd: boolean;
  readonly endLocal: string;
  readonly endUtc: string;
  readonly isEndTbd: boolean;
  readonly timezone: string;
  readonly location: string;
  readonly dressCode: string | null;
  readonly notes: string | null;
  readonly modifiedUtc: string;
  /** Goes up with each change of the entry. */
  readonly sequence: number;
}

export interface FeedContent extends Pick<Feed, 'kind' | 'userId' | 'eventUuid' | 'clientId'> {
  /** The entries follow from the rows and from this day alone, in UTC. */
  readonly today: Date;
}

const dayMs = 86_400_000;
const wall = (column: string) => Prisma.raw(`to_char(${column}, 'YYYY-MM-DD HH24:MI:SS')`);
const utc = (column: string) => wall(`(${column} AT TIME ZONE 'UTC')`);

const shiftTimes = placeTimes('c');
const eventTimes = {
  startsAt: 'e.starts_at',
  startLocal: 'e.start_local',
  endsAt: 'e.ends_at',
  endLocal: 'e.end_local',
};

/** What shifts and events have in common. */
const columns = (of: 'shift' | 'event', times: typeof eventTimes, modified: string, version: string) => Prisma.sql`
  ${Prisma.raw(`'${of}'`)} AS "of", e.title, e.timezone, ${wall(times.startLocal)} AS "startLocal",
  ${utc(times.startsAt)} AS "startUtc", ${wall(times.endLocal)} AS "endLocal",
  ${utc(times.endsAt)} AS "endUtc", ${utc(modified)} AS "modifiedUtc",
  (extract(epoch FROM ${Prisma.raw(modified)}) - 1577836800)::int + ${Prisma.raw(version)} AS sequence,
  concat_ws(', ', nullif(e.venue_name, ''), nullif(e.room, ''), nullif(e.address, ''), nullif(e.address_line_2, ''),
            nullif(e.city, ''), nullif(concat_ws(' ', nullif(e.state, ''), nullif(e.zip, '')), '')) AS location`;

/** Condition on entries of the days of feeds. Canceled ones stay for some time. */
const shown = (today: Date, start: string, isCanceled: string, canceledAt: string): Prisma.Sql => {
  const at = (days: number) => new Date(today.getTime() + days * dayMs).toISOString();
  return Prisma.sql`e.status IN ('active', 'canceled')
     AND ${Prisma.raw(start)} >= ${at(-limits.feedDaysBack)}::timestamptz
     AND ${Prisma.raw(start)} < ${at(limits.spanDaysMax)}::timestamptz
     AND (NOT ${Prisma.raw(isCanceled)} OR ${Prisma.raw(canceledAt)} >= ${at(-limits.feedCanceledDays)}::timestamptz)`;
};

/** Entries by start. Of more than a feed shows, those from today on are kept first, and then the latest. */
const kept = (entries: Prisma.Sql, today: Date) => Prisma.sql`
  SELECT * FROM (
    SELECT * FROM (${entries}) AS found
     ORDER BY "startUtc" < ${utcText(today)}, CASE WHEN "startUtc" >= ${utcText(today)} THEN "startUtc" END, "startUtc" DESC, uuid
     LIMIT ${limits.wholeReadMax}) AS kept
   ORDER BY "startUtc", uuid`;

const utcText = (instant: Date) => instant.toISOString().slice(0, 19).replace('T', ' ');

function selectShifts(db: TenantDb, { kind, userId, eventUuid, today }: FeedContent): Prisma.Sql {
  const ofPerson = kind === 'shifts' ? '' : ', u.updated_at';
  const modified = `greatest(s.modified_at, e.modified_at, c.modified_at, p.modified_at${ofPerson})`;
  const isCanceled = `(s.status = 'canceled' OR e.status = 'canceled')`;
  return Prisma.sql`
    SELECT ${columns('shift', shiftTimes, modified, 's.version')}, s.uuid, p.title AS position,
           ${kind === 'shifts' ? Prisma.sql`NULL` : Prisma.sql`u.name`} AS person, ${Prisma.raw(isCanceled)} AS "isCanceled",
           s.confirmed AS "isConfirmed", s.starts_at IS NULL AS "isStartTbd", s.ends_at IS NULL AS "isEndTbd",
           coalesce(c.dress_code, e.dress_code) AS "dressCode", c.notes_for_staff AS notes
      FROM ${visibleShifts(db)}
      JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = s.position_id
      JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = s.user_id
      LEFT JOIN ${rowsOfBusiness(db, 'call_times', 'c')} ON c.id = s.call_time_id
     WHERE s.status IN ('active', 'canceled')
       AND ${kind === 'shifts' ? Prisma.sql`s.user_id = ${userId}` : Prisma.sql`e.uuid = ${eventUuid}::uuid`}
       AND ${shown(today, shiftTimes.startsAt, isCanceled, `CASE WHEN s.status = 'canceled' THEN coalesce(s.canceled_at, s.modified_at) ELSE e.modified_at END`)}`;
}

function selectEvents(db: TenantDb, { kind, clientId, eventUuid, today }: FeedContent): Prisma.Sql {
  const isCanceled = `(e.status = 'canceled')`;
  return Prisma.sql`
    SELECT ${columns('event', eventTimes, 'e.modified_at', 'e.version')}, e.uuid, NULL AS position, NULL AS person,
           ${Prisma.raw(isCanceled)} AS "isCanceled", TRUE AS "isConfirmed", e.start_tbd AS "isStartTbd", e.end_tbd AS "isEndTbd",
           e.dress_code AS "dressCode", e.description AS notes
      FROM ${visibleEvents(db)}
     WHERE ${shown(today, 'e.starts_at', isCanceled, 'e.modified_at')}
       ${kind === 'client' ? Prisma.sql`AND e.client_id = ${clientId}` : Prisma.empty}
       ${kind === 'event' ? Prisma.sql`AND e.uuid = ${eventUuid}::uuid` : Prisma.empty}`;
}

/** Reads what a feed shows, at most `limits.wholeReadMax` entries, earliest first, of the rows that its owner may see. */
export function readFeedEntries(db: TenantDb, content: FeedContent): Promise<FeedEntry[]> {
  const { kind } = content;
  const selected =
    kind === 'shifts'
      ? selectShifts(db, content)
      : kind === 'event'
        ? Prisma.sql`${selectEvents(db, content)} UNION ALL ${selectShifts(db, content)}`
        : selectEvents(db, content);
  return rawOf(db).$queryRaw<FeedEntry[]>(kept(selected, content.today));
}

/** Deletes at most so many feeds whose owners were deleted before a time: no address of theirs has worked since. Returns how many. */
export function deleteFeedsBefore(prisma: PrismaClient, before: Date, atMost: number): Promise<number> {
  return prisma.$executeRaw(Prisma.sql`
    DELETE FROM feeds
     WHERE ctid = ANY(ARRAY(
       SELECT f.ctid FROM feeds f JOIN users u ON u.business_id = f.business_id AND u.id = f.user_id
        WHERE u.deleted_at < ${before.toISOString()}::timestamptz LIMIT ${atMost} FOR UPDATE OF f SKIP LOCKED))`);
}
