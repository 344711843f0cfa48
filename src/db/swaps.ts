import { swapFields, type SwapRow } from '../fields/swaps.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import type { SwapState } from '../generated/prisma/enums.ts';
import type { PageWindow } from '../paging/pages.ts';
import { isAnyAttended } from './attendance-plan.ts';
import { andEqual, firstOfParents } from './by-parent.ts';
import { columnsOf } from './fields.ts';
import { newestPage, toldOf, worksIn } from './offers.ts';
import { placeTimes } from './place-times.ts';
import { rowsOfBusiness, visibleSwaps } from './sources.ts';
import { rawOf, readTotal, type TenantDb } from './tenant.ts';

const times = placeTimes('c');

const shown = {
  workShiftUuid: 's.uuid',
  positionId: 'p.id',
  eventUuid: 'e.uuid',
  eventTitle: 'e.title',
  venueName: 'e.venue_name',
  address: 'e.address',
  city: 'e.city',
  position: 'p.title',
  startTime: times.startLocal,
  startsAt: times.startsAt,
  startTimeTbd: '(s.starts_at IS NULL)',
  endTime: times.endLocal,
  endsAt: times.endsAt,
  endTimeTbd: '(s.ends_at IS NULL)',
  timezone: 'e.timezone',
  dressCode: 'coalesce(c.dress_code, e.dress_code)',
  notesForStaff: 'c.notes_for_staff',
  otherShiftUuid: 'o.uuid',
  otherEventTitle: 'g.title',
  otherPosition: 'q.title',
  otherStartTime: 'o.start_local',
  otherEndTime: 'o.end_local',
  fromFirstName: 'u.first_name',
  fromLastName: 'u.last_name',
  toFirstName: 't.first_name',
  toLastName: 't.last_name',
} as const;
/** Staff are told nothing of drafts and deleted events, as in offers. */
const told = {
  ...shown,
  eventTitle: toldOf('e', shown.eventTitle, "''"),
  venueName: toldOf('e', shown.venueName),
  address: toldOf('e', shown.address),
  city: toldOf('e', shown.city),
  dressCode: toldOf('e', shown.dressCode),
  notesForStaff: toldOf('e', shown.notesForStaff),
  otherEventTitle: toldOf('g', shown.otherEventTitle),
};
const columns = { business: columnsOf(swapFields, 'w', shown), person: columnsOf(swapFields, 'w', told) };

const selectFrom = (db: TenantDb, swaps: Prisma.Sql) => Prisma.sql`
  SELECT ${columns[db.$visibility.of === 'business' ? 'business' : 'person'](db)} FROM ${swaps}
    JOIN ${rowsOfBusiness(db, 'work_shifts', 's')} ON s.id = w.work_shift_id
    JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = s.event_id
    JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = s.position_id
    LEFT JOIN ${rowsOfBusiness(db, 'call_times', 'c')} ON c.id = s.call_time_id
    JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = w.from_user_id
    LEFT JOIN ${rowsOfBusiness(db, 'users', 't')} ON t.id = w.to_user_id
    LEFT JOIN ${rowsOfBusiness(db, 'work_shifts', 'o')} ON o.id = w.other_shift_id
    LEFT JOIN ${rowsOfBusiness(db, 'events', 'g')} ON g.id = o.event_id
    LEFT JOIN ${rowsOfBusiness(db, 'positions', 'q')} ON q.id = o.position_id`;

export function readSwapsByUuids(db: TenantDb, uuids: readonly string[]): Promise<SwapRow[]> {
  const named = Prisma.sql`w.uuid = ANY(${uuids}::uuid[])`;
  return rawOf(db).$queryRaw<SwapRow[]>(Prisma.sql`${selectFrom(db, visibleSwaps(db))} WHERE ${named} ORDER BY w.id`);
}

/** Reads the swaps of the shifts of many events, in the order in which they were asked for, at most so many of each. */
export function readSwapsOfEvents(db: TenantDb, eventIds: readonly number[], atMostEach: number): Promise<SwapRow[]> {
  const of = { parent: 'w.event_id', from: visibleSwaps(db) };
  return rawOf(db).$queryRaw<SwapRow[]>(Prisma.sql`
    ${selectFrom(db, visibleSwaps(db))} WHERE ${firstOfParents('w', of, eventIds, atMostEach)} ORDER BY w.event_id, w.id`);
}

export interface SwapFilter {
  readonly eventId?: number | undefined;
  readonly states?: readonly SwapState[] | undefined;
  /** Who can take them now: those that ask this staff member, or anybody whose position fits. */
  readonly takeableBy?: { readonly userId: number; readonly now: Date } | undefined;
}

/** Condition on swaps `w` that a staff member can take. Rules of who can work are judged when they do. */
const takeable = (db: TenantDb, { userId, now }: NonNullable<SwapFilter['takeableBy']>) => Prisma.sql`
  AND w.state = 'requested' AND NOT ${isAnyAttended(db, Prisma.sql`w.work_shift_id, w.other_shift_id`)} AND w.expires_at > ${now.toISOString()}::timestamptz AND w.from_user_id <> ${userId}
  AND (w.to_user_id = ${userId} OR w.to_user_id IS NULL AND EXISTS (
        SELECT 1 FROM ${rowsOfBusiness(db, 'work_shifts', 'x')}
         WHERE x.id = w.work_shift_id AND ${worksIn(db, userId, Prisma.sql`x.position_id`, now)}))`;

/** The swaps that match a filter. Those that anybody can take belong to nobody yet, so whoever can take one sees it. */
const swapsLike = (db: TenantDb, { eventId, states, takeableBy }: SwapFilter) => ({
  from: takeableBy ? rowsOfBusiness(db, 'shift_swaps', 'w') : visibleSwaps(db),
  where: Prisma.sql`TRUE ${andEqual(Prisma.sql`w.event_id`, eventId)}
    ${states ? Prisma.sql`AND w.state = ANY(${[...states]}::"SwapState"[])` : Prisma.empty}
    ${takeableBy ? takeable(db, takeableBy) : Prisma.empty}`,
});

export function readSwapPage(db: TenantDb, filter: SwapFilter, window: PageWindow): Promise<SwapRow[]> {
  const { from, where } = swapsLike(db, filter);
  return rawOf(db).$queryRaw<SwapRow[]>(newestPage('w', { select: selectFrom(db, from), from, where }, window));
}

export async function countSwaps(db: TenantDb, filter: SwapFilter): Promise<number> {
  const { from, where } = swapsLike(db, filter);
  return readTotal(db, Prisma.sql`SELECT count(*)::int AS total FROM ${from} WHERE ${where}`);
}

/** The UUIDs of the shifts of a swap that a staff member takes part in or can take; null if there is none for them. */
export async function findSwapToTake(
  db: TenantDb,
  uuid: string,
  by: { readonly userId: number; readonly now: Date },
): Promise<{ readonly id: number } | null> {
  const { from, where } = swapsLike(db, { takeableBy: by });
  const [row] = await rawOf(db).$queryRaw<{ id: number }[]>(Prisma.sql`
    SELECT w.id FROM ${visibleSwaps(db)} WHERE w.uuid = ${uuid}::uuid UNION
    SELECT w.id FROM ${from} WHERE w.uuid = ${uuid}::uuid AND ${where}`);
  return row ?? null;
}

/** Condition on swaps `w` that something can still come of. */
export const isOpenSwap = Prisma.sql`w.state IN ('requested', 'taken')`;

/** Whether somebody may be about to get a shift: its person asks for it, or has agreed to. */
export async function isUnderSwap(db: TenantDb, shiftId: number): Promise<boolean> {
  const [row] = await rawOf(db).$queryRaw<{ found: boolean }[]>(Prisma.sql`
    SELECT TRUE AS found FROM ${rowsOfBusiness(db, 'shift_swaps', 'w')}
     WHERE ${isOpenSwap} AND w.work_shift_id = ${shiftId} OR w.state = 'taken' AND w.other_shift_id = ${shiftId} LIMIT 1`);
  return row !== undefined;
}

/** Deletes swaps that ended before a time, at most so many. Returns how many. */
export function deleteSwapsBefore(prisma: PrismaClient, before: Date, atMost: number): Promise<number> {
  return prisma.$executeRaw(Prisma.sql`
    DELETE FROM shift_swaps
     WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM shift_swaps WHERE expires_at < ${before.toISOString()}::timestamptz
        ORDER BY expires_at LIMIT ${atMost} FOR UPDATE SKIP LOCKED))`);
}
