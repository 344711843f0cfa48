import { Prisma } from '../generated/prisma/client.ts';
import type { WallTime } from '../time/wall-clock.ts';
import { type MovedTime, possibleEnd } from './clashes.ts';
import { notePlaces, type PlacesTx } from './places.ts';
import { rowsOfBusiness, updateRows } from './sources.ts';
import { rawOf, readTotal, type TenantDb } from './tenant.ts';

/** An event as it is stored, and the time at which its shifts have ended or not. */
interface At {
  readonly event: { readonly id: number; readonly endsAt: Date };
  readonly now: Date;
}

const instant = (at: Date) => Prisma.sql`${at.toISOString()}::timestamptz`;

const hasEnded = (shift: Prisma.Sql, { event, now }: At) =>
  Prisma.sql`${possibleEnd(shift, instant(event.endsAt))} <= ${instant(now)}`;

/** Counts the active shifts of an event that have ended. */
export function countEndedShifts(db: TenantDb, at: At): Promise<number> {
  return readTotal(
    db,
    Prisma.sql`
    SELECT count(*)::int AS total FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
     WHERE s.event_id = ${at.event.id} AND s.status = 'active' AND ${hasEnded(Prisma.sql`s`, at)}`,
  );
}

/** Which shifts change with their event: all, or those that have not ended. */
export type MovingShifts = 'all' | 'unended';

/** Reads every distinct wall-clock time of the call times of an event and of the shifts that change with it. */
export async function readWallTimesOfChildren(db: TenantDb, at: At, which: MovingShifts): Promise<WallTime[]> {
  const unended = which === 'all' ? Prisma.empty : Prisma.sql`AND NOT ${hasEnded(Prisma.sql`s`, at)}`;
  const rows = await rawOf(db).$queryRaw<{ wall: WallTime }[]>(Prisma.sql`
    SELECT DISTINCT to_char(wall, 'YYYY-MM-DD HH24:MI:SS') AS wall
      FROM (SELECT unnest(ARRAY[start_local, end_local]) AS wall FROM ${rowsOfBusiness(db, 'call_times', 'c')} WHERE c.event_id = ${at.event.id}
            UNION ALL
            SELECT unnest(ARRAY[start_local, end_local]) FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
             WHERE s.event_id = ${at.event.id} ${unended}) AS walls
     WHERE wall IS NOT NULL
     ORDER BY wall`);
  return rows.map(({ wall }) => wall);
}

/** How many rows have moved with their event. */
export interface Moved {
  readonly callTimes: number;
  readonly workShifts: number;
}

/**
 * Moves the call times and shifts of an event, given what becomes of each wall-clock time. A shift that has not ended loses
 * its confirmation where its instants change, or could, because a time of it is to be determined.
 */
export async function moveChildren(
  tx: PlacesTx,
  at: At,
  times: readonly MovedTime[],
  which: MovingShifts,
): Promise<Moved> {
  const { db } = tx;
  const resolved = Prisma.sql`unnest(${times.map(({ wall }) => wall)}::timestamp[], ${times.map(({ to }) => to)}::timestamp[],
             ${times.map((time) => time.at.toISOString())}::timestamptz[])`;
  // In another zone, what is stored of a time stays: only its instant is another one.
  const isOther = Prisma.sql`(n.start_local, n.end_local) IS DISTINCT FROM (child.start_local, child.end_local)`;
  const move = (
    table: 'call_times' | 'work_shifts',
    rows: Prisma.Sql,
    { more = Prisma.empty, orElse = Prisma.empty, where = Prisma.empty } = {},
  ) =>
    rawOf(db).$executeRaw(
      updateRows(db, table, 'child', {
        set: Prisma.sql`start_local = n.start_local, starts_at = n.starts_at, end_local = n.end_local, ends_at = n.ends_at,
             modified_at = CASE WHEN ${isOther} ${orElse} THEN ${instant(at.now)} ELSE child.modified_at END ${more}`,
        from: Prisma.sql`FROM (
             SELECT s.id, first.moved AS start_local, first.at AS starts_at, last.moved AS end_local, last.at AS ends_at
               FROM ${rows}
               LEFT JOIN ${resolved} AS first (wall, moved, at) ON first.wall = s.start_local
               LEFT JOIN ${resolved} AS last (wall, moved, at) ON last.wall = s.end_local
              WHERE s.event_id = ${at.event.id} ${where}) AS n`,
        where: Prisma.sql`child.id = n.id AND (${isOther} ${orElse}
             OR (n.starts_at, n.ends_at) IS DISTINCT FROM (child.starts_at, child.ends_at))`,
      }),
    );
  const child = Prisma.sql`child`;
  const staysConfirmed = Prisma.sql`(${hasEnded(child, at)} OR num_nulls(n.starts_at, n.ends_at) = 0
             AND (n.starts_at, n.ends_at) IS NOT DISTINCT FROM (child.starts_at, child.ends_at))`;
  notePlaces(tx, at.event.id, null, true);
  return {
    callTimes: await move('call_times', rowsOfBusiness(db, 'call_times', 's')),
    workShifts: await move('work_shifts', rowsOfBusiness(db, 'work_shifts', 's'), {
      more: Prisma.sql`, confirmed = child.confirmed AND ${staysConfirmed},
             confirmed_at = CASE WHEN ${staysConfirmed} THEN child.confirmed_at END`,
      orElse: Prisma.sql`OR child.confirmed AND NOT ${staysConfirmed}`,
      where: which === 'all' ? Prisma.empty : Prisma.sql`AND NOT ${hasEnded(Prisma.sql`s`, at)}`,
    }),
  };
}
