import type { conflictKinds } from '../fields/codes.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { PageWindow } from '../paging/pages.ts';
import { possibleEnd, possibleStart } from './clashes.ts';
import { rowsOfBusiness } from './sources.ts';
import { rawOf, readTotal, type TenantDb } from './tenant.ts';

/**
 * Two active shifts of one person at the same time, or possibly at the same time if a time is to be determined; or a shift that
 * breaks a rule of who can work.
 */
export interface ConflictRow {
  kind: keyof typeof conflictKinds;
  userId: number;
  /** Id of the shift that begins first. */
  firstId: number;
  /** Null where the rule is about one shift. */
  secondId: number | null;
  /** Period that the shifts share, or possibly share; the rest between them; or that of the one shift. */
  startsAt: Date;
  endsAt: Date;
  /** Minutes as `Overlap` and `RuleBreach` count them. */
  minutes: number | null;
  /** The broken rule in words; null for overlaps. */
  text: string | null;
}

/** The conflicts to be found: those that have some time within [from, to). */
export interface ConflictFilter {
  readonly from: Date;
  readonly to: Date;
  readonly userId?: number | undefined;
}

/**
 * Both shifts of a pair have some time within [from, to), so only such shifts are read. The later shift of a pair is
 * found on the day (UTC) on which it begins, or on the first day of the period. So each pair is found once, and the
 * cost for people with many shifts grows only with their number.
 */
function pairs(db: TenantDb, { from, to, userId }: ConflictFilter): Prisma.Sql {
  const begins = possibleStart(Prisma.sql`s`, Prisma.sql`e.starts_at`);
  const ends = possibleEnd(Prisma.sql`s`, Prisma.sql`e.ends_at`);
  const [fromAt, toAt] = [instant(from), instant(to)];
  const ofUser = userId === undefined ? Prisma.empty : Prisma.sql`AND s.user_id = ${userId}`;
  return Prisma.sql`
    WITH booked AS MATERIALIZED (
      SELECT s.id, s.user_id, ${begins} AS begins, ${ends} AS ends,
             num_nulls(s.starts_at, s.ends_at) = 0 AS is_known,
             date_trunc('day', greatest(${begins}, ${fromAt})) AS first_day
        FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
        JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = s.event_id AND e.status IN ('active', 'draft')
       WHERE s.status = 'active' ${ofUser}
         AND (s.starts_at < ${toAt} OR s.starts_at IS NULL) AND (s.ends_at > ${fromAt} OR s.ends_at IS NULL)
         AND ${begins} < ${toAt} AND ${ends} > ${fromAt}),
    days AS (
      SELECT booked.*, generate_series(first_day, least(ends, ${toAt}), interval '1 day') AS day FROM booked),
    pairs AS (
      SELECT a.user_id, a.id AS first_id, b.id AS second_id, a.is_known AND b.is_known AS is_known,
             b.begins, least(a.ends, b.ends) AS ends
        FROM days a
        JOIN booked b ON b.user_id = a.user_id AND b.first_day = a.day
                     AND (b.begins, b.id) > (a.begins, a.id) AND b.begins < a.ends)`;
}

const instant = (at: Date) => Prisma.sql`${at.toISOString()}::timestamptz`;

/** Reads one page of overlaps and of the given broken rules, ordered by the time at which they begin. */
export function readConflictPage(
  db: TenantDb,
  filter: ConflictFilter,
  broken: readonly ConflictRow[],
  { limit, offset = 0 }: PageWindow,
): Promise<ConflictRow[]> {
  return rawOf(db).$queryRaw<ConflictRow[]>(Prisma.sql`
    ${pairs(db, filter)}
    SELECT CASE WHEN is_known THEN 'OVERLAP' ELSE 'POSSIBLE_OVERLAP' END AS kind, user_id AS "userId",
           first_id AS "firstId", second_id AS "secondId", begins AS "startsAt", ends AS "endsAt",
           CASE WHEN is_known THEN ceil(extract(epoch FROM ends - begins) / 60)::int END AS minutes, NULL::text AS text
      FROM pairs
     UNION ALL
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(broken)}::jsonb) AS b (
           kind text, "userId" int, "firstId" int, "secondId" int, "startsAt" timestamptz, "endsAt" timestamptz,
           minutes int, text text)
     ORDER BY "startsAt", "firstId", "secondId", kind
     LIMIT ${limit} OFFSET ${offset}`);
}

export function countOverlaps(db: TenantDb, filter: ConflictFilter): Promise<number> {
  return readTotal(db, Prisma.sql`${pairs(db, filter)} SELECT count(*)::int AS total FROM pairs`);
}
