import {
  offerFields,
  openCallTimeFields,
  recipientFields,
  type OfferRow,
  type OpenCallTimeRow,
  type RecipientRow,
} from '../fields/offers.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import type { OfferState } from '../generated/prisma/enums.ts';
import type { CursorOrder } from '../paging/cursors.ts';
import type { PageWindow } from '../paging/pages.ts';
import { isInstant } from '../time/instants.ts';
import { openBusinesses } from './businesses.ts';
import { andEqual, firstOfParents } from './by-parent.ts';
import { directionOf } from './direction.ts';
import { plannedForItsValues } from './engine/reads.ts';
import { columnsOf } from './fields.ts';
import { rowsOfBusiness, visibleRecipients } from './sources.ts';
import { rawOf, readTotal, type TenantDb } from './tenant.ts';

/** What is shown of a call time `c`, its event `e` and its position `p`. */
const place = {
  eventUuid: 'e.uuid',
  eventTitle: 'e.title',
  venueName: 'e.venue_name',
  address: 'e.address',
  city: 'e.city',
  position: 'p.title',
  startTime: 'c.start_local',
  startsAt: 'c.starts_at',
  startTimeTbd: 'c.start_tbd',
  endTime: 'c.end_local',
  endsAt: 'c.ends_at',
  endTimeTbd: 'c.end_tbd',
  timezone: 'e.timezone',
  dressCode: 'coalesce(c.dress_code, e.dress_code)',
  notesForStaff: 'c.notes_for_staff',
} as const;

/** A column of an event as staff are told it: they learn nothing new of a draft or of a deleted event. */
export const toldOf = (event: string, column: string, untold = 'NULL') =>
  `CASE WHEN ${event}.status IN ('active', 'canceled') THEN ${column} ELSE ${untold} END`;

const toldPlace = {
  ...place,
  eventTitle: toldOf('e', place.eventTitle, "''"),
  venueName: toldOf('e', place.venueName),
  address: toldOf('e', place.address),
  city: toldOf('e', place.city),
  dressCode: toldOf('e', place.dressCode),
  notesForStaff: toldOf('e', place.notesForStaff),
};

const ofRecipients = {
  callTimeUuid: 'c.uuid',
  offerUuid: 'o.uuid',
  mode: 'o.mode',
  isClaim: 'o.is_claim',
  message: 'o.message',
  waitlistPlace: 'queue.place',
  firstName: 'u.first_name',
  lastName: 'u.last_name',
  workShiftUuid: 's.uuid',
  positionId: 'p.id',
} as const;
const recipientColumns = {
  business: columnsOf(recipientFields, 'r', { ...place, ...ofRecipients }),
  person: columnsOf(recipientFields, 'r', { ...toldPlace, ...ofRecipients }),
};

/** Joins the event, the call time and the position of a row with `event_id` and `call_time_id`, whoever asks. */
const places = (db: TenantDb, alias: Prisma.Sql) => Prisma.sql`
  JOIN ${rowsOfBusiness(db, 'call_times', 'c')} ON c.id = ${alias}.call_time_id
  JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = ${alias}.event_id
  JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = c.position_id`;

const selectRecipients = (db: TenantDb) => Prisma.sql`
  SELECT ${recipientColumns[db.$visibility.of === 'business' ? 'business' : 'person'](db)} FROM ${visibleRecipients(db)} ${places(db, Prisma.sql`r`)}
    JOIN ${rowsOfBusiness(db, 'offers', 'o')} ON o.id = r.offer_id
    JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = r.user_id
    LEFT JOIN ${rowsOfBusiness(db, 'work_shifts', 's')} ON s.id = r.work_shift_id
    LEFT JOIN LATERAL (
      SELECT count(*)::int AS place FROM ${rowsOfBusiness(db, 'offer_recipients', 'w')}
       WHERE w.call_time_id = r.call_time_id AND w.state = 'waitlisted'
         AND (w.waitlisted_at, w.id) <= (r.waitlisted_at, r.id)) AS queue ON r.state = 'waitlisted'`;

export function readRecipientsByUuids(db: TenantDb, uuids: readonly string[]): Promise<RecipientRow[]> {
  return rawOf(db).$queryRaw<RecipientRow[]>(
    Prisma.sql`${selectRecipients(db)} WHERE r.uuid = ANY(${uuids}::uuid[]) ORDER BY r.id`,
  );
}

export const recipientParents = ['offerId', 'eventId', 'callTimeId'] as const;
const parentColumns = { offerId: 'r.offer_id', eventId: 'r.event_id', callTimeId: 'r.call_time_id' } as const;

/** Reads the people of many offers, events or call times, in the order in which they were asked, at most so many of each. */
export function readRecipientsOf(
  db: TenantDb,
  of: (typeof recipientParents)[number],
  ids: readonly number[],
  atMostEach: number,
): Promise<RecipientRow[]> {
  const parent = parentColumns[of];
  return rawOf(db).$queryRaw<RecipientRow[]>(Prisma.sql`
    ${selectRecipients(db)} WHERE ${firstOfParents('r', { parent, from: visibleRecipients(db) }, ids, atMostEach)}
     ORDER BY ${Prisma.raw(parent)}, r.id`);
}

export interface RecipientFilter {
  readonly eventId?: number | undefined;
  readonly callTimeId?: number | undefined;
  readonly userId?: number | undefined;
  readonly states?: readonly OfferState[] | undefined;
}

const recipientsLike = ({ eventId, callTimeId, userId, states }: RecipientFilter) => Prisma.sql`
  TRUE ${andEqual(Prisma.sql`r.event_id`, eventId)} ${andEqual(Prisma.sql`r.call_time_id`, callTimeId)}
  ${andEqual(Prisma.sql`r.user_id`, userId)}
  ${states ? Prisma.sql`AND r.state = ANY(${[...states]}::"OfferState"[])` : Prisma.empty}`;

export const newestFirst: CursorOrder<{ readonly id: number }> = {
  by: 'id',
  direction: 'desc',
  positionOf: ({ id }) => ({ value: '', id }),
  isValue: (value) => value === '',
};

/** Builds the statement of one page of rows under an alias, the newest first. */
export function newestPage(
  alias: string,
  { select, from, where }: Readonly<Record<'select' | 'from' | 'where', Prisma.Sql>>,
  window: PageWindow,
): Prisma.Sql {
  const { limit, offset = 0, after } = window;
  const { direction, beyond } = directionOf(window, 'desc');
  const id = Prisma.raw(`${alias}.id`);
  const behind = after ? Prisma.sql`AND ${id} ${beyond} ${after.id}` : Prisma.empty;
  return plannedForItsValues(Prisma.sql`
    ${select} WHERE ${id} = ANY(ARRAY(
       SELECT ${id} FROM ${from} WHERE ${where} ${behind} ORDER BY ${id} ${direction} LIMIT ${limit} OFFSET ${offset}))
     ORDER BY ${id} ${direction}`);
}

export function readRecipientPage(db: TenantDb, filter: RecipientFilter, window: PageWindow): Promise<RecipientRow[]> {
  const page = { select: selectRecipients(db), from: visibleRecipients(db), where: recipientsLike(filter) };
  return rawOf(db).$queryRaw<RecipientRow[]>(newestPage('r', page, window));
}

export function countRecipients(db: TenantDb, filter: RecipientFilter): Promise<number> {
  return readTotal(
    db,
    Prisma.sql`SELECT count(*)::int AS total FROM ${visibleRecipients(db)} WHERE ${recipientsLike(filter)}`,
  );
}

const offerColumns = columnsOf(offerFields, 'o', {
  callTimeUuid: 'c.uuid',
  waitingCount: 'cardinality(o.waiting_user_ids)',
});

const selectOffers = (db: TenantDb) => Prisma.sql`
  SELECT ${offerColumns(db)} FROM ${rowsOfBusiness(db, 'offers', 'o')}
    JOIN ${rowsOfBusiness(db, 'call_times', 'c')} ON c.id = o.call_time_id`;

/** Reads offers for an admin, in any order. */
export function readOffers(
  db: TenantDb,
  by: { readonly ids: readonly number[] } | { readonly uuids: readonly string[] },
): Promise<OfferRow[]> {
  const named = 'ids' in by ? Prisma.sql`o.id = ANY(${by.ids}::int[])` : Prisma.sql`o.uuid = ANY(${by.uuids}::uuid[])`;
  return rawOf(db).$queryRaw<OfferRow[]>(Prisma.sql`${selectOffers(db)} WHERE ${named}`);
}

interface OfferFilter {
  readonly eventId?: number | undefined;
  readonly callTimeId?: number | undefined;
}

const offersLike = (db: TenantDb, { eventId, callTimeId }: OfferFilter) => ({
  from: rowsOfBusiness(db, 'offers', 'o'),
  where: Prisma.sql`TRUE ${andEqual(Prisma.sql`o.event_id`, eventId)} ${andEqual(Prisma.sql`o.call_time_id`, callTimeId)}`,
});

/** Reads one page of the offers of a business, the newest first. */
export function readOfferPage(db: TenantDb, filter: OfferFilter, window: PageWindow): Promise<OfferRow[]> {
  return rawOf(db).$queryRaw<OfferRow[]>(
    newestPage('o', { select: selectOffers(db), ...offersLike(db, filter) }, window),
  );
}

export function countOffers(db: TenantDb, filter: OfferFilter): Promise<number> {
  const { from, where } = offersLike(db, filter);
  return readTotal(db, Prisma.sql`SELECT count(*)::int AS total FROM ${from} WHERE ${where}`);
}

const openPlaces = 'c.staff_needed - coalesce(taken.total, 0)';

const openCallTimeColumns = columnsOf(openCallTimeFields, 'c', {
  ...place,
  claims: 'c.claims',
  openPlaces,
});

export const openCallTimeOrder: CursorOrder<OpenCallTimeRow> = {
  by: 'start',
  direction: 'asc',
  positionOf: ({ startsAt, id }) => ({ value: startsAt.toISOString(), id }),
  isValue: isInstant,
};

/** Condition on shifts `s` that were worked by a time: what is to come, was canceled or nobody came to makes nobody an old hand. */
const workedBy = (db: TenantDb, now: Date) => Prisma.sql`
  s.status = 'active' AND coalesce(s.ends_at, s.starts_at) <= ${now.toISOString()}::timestamptz
    AND NOT EXISTS (SELECT 1 FROM ${rowsOfBusiness(db, 'attendance', 'n')} WHERE n.id = s.id AND n.no_show)`;

/** Whether a staff member has had a shift in a position, or none at all yet; with a time, or has not worked by then. */
export const worksIn = (db: TenantDb, userId: number | Prisma.Sql, positionId: Prisma.Sql, now?: Date) => Prisma.sql`
  ${positionId} = ANY(ARRAY(
    SELECT p.id FROM ${rowsOfBusiness(db, 'positions', 'p')} WHERE p.id IN (
      SELECT s.position_id FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
       WHERE s.user_id = ${userId} AND s.status <> 'deleted')
        OR NOT EXISTS (
      SELECT 1 FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
       WHERE s.user_id = ${userId} AND ${now ? workedBy(db, now) : Prisma.sql`s.status <> 'deleted'`})))`;

/** Whether the call time `c` is one that a staff member can claim at a time, but for the places, and what they have there. */
const isToClaim = (db: TenantDb, userId: number, now: Date) => Prisma.sql`
  c.claims <> 'none' AND c.starts_at > ${now.toISOString()}::timestamptz
    AND ${worksIn(db, userId, Prisma.sql`c.position_id`, now)}`;

/** The taken places of call times, by the shifts that a condition chooses. */
const takenPlaces = (db: TenantDb, userId: number, where: Prisma.Sql) => Prisma.sql`
  (SELECT s.call_time_id AS id, count(*)::int AS total, bool_or(s.user_id = ${userId}) AS is_own
     FROM ${rowsOfBusiness(db, 'work_shifts', 's')} WHERE s.status = 'active' AND ${where} GROUP BY s.call_time_id) AS taken`;

/** The parts in offers `r` that a staff member has not finished. */
const ownParts = (db: TenantDb, userId: number) => Prisma.sql`
  (SELECT r.call_time_id FROM ${rowsOfBusiness(db, 'offer_recipients', 'r')}
    WHERE r.user_id = ${userId} AND r.state IN ('sent', 'waitlisted', 'requested')) AS r`;

/**
 * Call times `c` that a staff member can claim at a time, with open places or not: at an active event, to come, in a position that
 * they have had a shift in. Whoever has not worked yet can claim any. Those that they have a part in already are left out.
 */
const claimable = (db: TenantDb, userId: number, now: Date) => Prisma.sql`
  ${rowsOfBusiness(db, 'call_times', 'c')}
    JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = c.event_id AND e.status = 'active'
    JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = c.position_id
    LEFT JOIN LATERAL ${takenPlaces(db, userId, Prisma.sql`s.call_time_id = c.id`)} ON TRUE
   WHERE ${isToClaim(db, userId, now)} AND taken.is_own IS NOT TRUE
     AND NOT EXISTS (SELECT 1 FROM ${ownParts(db, userId)} WHERE r.call_time_id = c.id)`;

const hasOpenPlace = Prisma.sql`${Prisma.raw(openPlaces)} > 0`;

/** Reads one page of the call times with open places that a staff member can claim, by start. */
export function readOpenCallTimePage(
  db: TenantDb,
  userId: number,
  now: Date,
  window: PageWindow,
): Promise<OpenCallTimeRow[]> {
  const { limit, offset = 0, after } = window;
  const { direction, beyond } = directionOf(window, 'asc');
  const behind = after
    ? Prisma.sql`AND (c.starts_at, c.id) ${beyond} (${after.value}::timestamptz, ${after.id}::int)`
    : Prisma.empty;
  return rawOf(db).$queryRaw<OpenCallTimeRow[]>(
    plannedForItsValues(Prisma.sql`
    SELECT ${openCallTimeColumns(db)} FROM ${claimable(db, userId, now)} AND ${hasOpenPlace} ${behind}
     ORDER BY c.starts_at ${direction}, c.id ${direction} LIMIT ${limit} OFFSET ${offset}`),
  );
}

/**
 * Counts the rows of `readOpenCallTimePage`: all that one can claim, from the index alone, less the few that have no place or are the
 * person's already. That takes less than half the time of looking at each.
 */
export function countOpenCallTimes(db: TenantDb, userId: number, now: Date): Promise<number> {
  const callTimes = rowsOfBusiness(db, 'call_times', 'c');
  const toClaim = isToClaim(db, userId, now);
  const atThese = Prisma.sql`s.event_id = ANY(ARRAY(SELECT id FROM these))`;
  return readTotal(
    db,
    plannedForItsValues(Prisma.sql`
      WITH found AS MATERIALIZED (SELECT c.event_id, count(*) AS total FROM ${callTimes} WHERE ${toClaim} GROUP BY c.event_id),
      these AS MATERIALIZED (
        SELECT e.id, found.total FROM found
          JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = found.event_id AND e.status = 'active')
      SELECT (coalesce(sum(these.total), 0) - (SELECT count(*) FROM (
               SELECT c.id FROM ${takenPlaces(db, userId, atThese)} JOIN ${callTimes} ON c.id = taken.id
                WHERE ${toClaim} AND (taken.is_own OR NOT ${hasOpenPlace})
                UNION
               SELECT c.id FROM ${ownParts(db, userId)} JOIN ${callTimes} ON c.id = r.call_time_id
                WHERE ${toClaim} AND c.event_id IN (SELECT id FROM these)) AS gone))::int AS total
        FROM these`),
  );
}

/** Whether a staff member can claim a place of a call time, apart from whether one is open. */
export async function isClaimable(db: TenantDb, userId: number, now: Date, uuid: string): Promise<boolean> {
  const [row] = await rawOf(db).$queryRaw<{ found: boolean }[]>(
    Prisma.sql`SELECT TRUE AS found FROM ${claimable(db, userId, now)} AND c.uuid = ${uuid}::uuid`,
  );
  return row !== undefined;
}

/**
 * Whether a place is free for somebody's part in an offer, apart from those that are held for others on the waitlist, and the shift by
 * which they have one already.
 */
export async function readPlaceOf(
  db: TenantDb,
  { id, callTimeId, userId }: Pick<RecipientRow, 'id' | 'callTimeId' | 'userId'>,
  now: Date,
): Promise<{ isFree: boolean; own: { id: number; uuid: string } | null }> {
  const [row] = await rawOf(db).$queryRaw<{ isFree: boolean; own: { id: number; uuid: string } | null }[]>(Prisma.sql`
    SELECT (SELECT count(*) FROM ${rowsOfBusiness(db, 'work_shifts', 's')} WHERE s.call_time_id = c.id AND s.status = 'active')
         + (SELECT count(*) FROM ${rowsOfBusiness(db, 'offer_recipients', 'r')}
             WHERE r.call_time_id = c.id AND r.id <> ${id} AND r.state = 'sent' AND r.waitlisted_at IS NOT NULL
               AND r.expires_at > ${now.toISOString()}::timestamptz) < c.staff_needed AS "isFree",
           (SELECT jsonb_build_object('id', s.id, 'uuid', s.uuid) FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
             WHERE s.call_time_id = c.id AND s.user_id = ${userId} AND s.status = 'active' ORDER BY s.id LIMIT 1) AS own
      FROM ${rowsOfBusiness(db, 'call_times', 'c')} WHERE c.id = ${callTimeId}`);
  return row ?? { isFree: false, own: null };
}

/** Finds events of all businesses at which the time of a part in an offer or of a swap is over, or the next people are to be asked. */
export function findDueOffers(
  prisma: Pick<PrismaClient, '$queryRaw'>,
  now: Date,
  atMost: number,
): Promise<{ businessId: number; eventId: number }[]> {
  const at = Prisma.sql`${now.toISOString()}::timestamptz`;
  return prisma.$queryRaw(Prisma.sql`
    SELECT DISTINCT due.business_id AS "businessId", due.event_id AS "eventId" FROM (
      (SELECT r.business_id, r.event_id FROM offer_recipients r JOIN ${openBusinesses} AS b ON b.id = r.business_id
        WHERE r.state IN ('sent', 'waitlisted', 'requested') AND r.expires_at <= ${at} ORDER BY r.expires_at LIMIT ${atMost})
       UNION ALL
      (SELECT o.business_id, o.event_id FROM offers o JOIN ${openBusinesses} AS b ON b.id = o.business_id
        WHERE o.next_wave_at <= ${at} ORDER BY o.next_wave_at LIMIT ${atMost})
       UNION ALL
      (SELECT w.business_id, w.event_id FROM shift_swaps w JOIN ${openBusinesses} AS b ON b.id = w.business_id
        WHERE w.state IN ('requested', 'taken') AND w.expires_at <= ${at} ORDER BY w.expires_at LIMIT ${atMost})) AS due`);
}

/** Deletes offers that ended before a time, with the parts of people in them, at most so many. Returns how many. */
export function deleteOffersBefore(prisma: PrismaClient, before: Date, atMost: number): Promise<number> {
  return prisma.$executeRaw(Prisma.sql`
    DELETE FROM offers
     WHERE ctid = ANY(ARRAY(
       SELECT o.ctid FROM offers o
        WHERE o.expires_at < ${before.toISOString()}::timestamptz AND NOT EXISTS (
              SELECT 1 FROM offer_recipients r
               WHERE r.business_id = o.business_id AND r.offer_id = o.id AND r.expires_at >= ${before.toISOString()}::timestamptz)
        ORDER BY o.expires_at LIMIT ${atMost} FOR UPDATE SKIP LOCKED))`);
}
