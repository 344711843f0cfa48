import { Prisma } from '../generated/prisma/client.ts';
import { rowsOfBusiness } from './sources.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

/*
 * What people lack for work. A qualification is held for work if one certificate covers all of its days, by the clocks of the event,
 * and has at least the level that is required. The requirements of a call time add to those of the position.
 */

/**
 * A query of work and who is to do it, with the columns id, user_id, position_id, call_time_id (or null), first_day and last_day.
 * The id is whatever the caller knows the work by.
 */
export type Work = Prisma.Sql;

/** A requirement that a person does not meet for some work. */
export interface QualificationGap {
  /** The id of the work. */
  id: number;
  userId: number;
  qualificationId: number;
  name: string;
  minLevel: number | null;
  /** EXPIRED_QUALIFICATION: the person holds it in the level required, and not for all days of the work. */
  code: 'MISSING_QUALIFICATION' | 'EXPIRED_QUALIFICATION';
  /** The last of the ends that come too early, and the first of the begins that come too late, `YYYY-MM-DD`; null without any. */
  until: string | null;
  from: string | null;
}

/** The last day of something that ends by a clock: what ends at midnight does not need the next day. */
const lastDayOf = (end: Prisma.Sql) => Prisma.sql`(${end} - interval '1 second')::date`;

/** First and last day of a row with `start` and `end`, null where they are to be determined. Those of the event `e` stand in. */
const daysOf = (start: Prisma.Sql, end: Prisma.Sql) => Prisma.sql`
  coalesce(${start}::date, least(e.start_local::date, ${lastDayOf(end)})) AS first_day,
  coalesce(${lastDayOf(end)}, greatest(${lastDayOf(Prisma.sql`e.end_local`)}, ${start}::date)) AS last_day`;

/** The work of a call time, for all of its staff or some people, known by the id of the person. */
export function workOnCallTime(db: TenantDb, callTimeId: number, userIds: readonly number[] | 'staff'): Work {
  const start = Prisma.sql`(CASE WHEN NOT c.start_tbd THEN c.start_local END)`;
  const end = Prisma.sql`(CASE WHEN NOT c.end_tbd THEN c.end_local END)`;
  const people = userIds === 'staff' ? Prisma.sql`u.role = 'staff'` : Prisma.sql`u.id = ANY(${[...userIds]}::int[])`;
  return Prisma.sql`
    SELECT u.id, u.id AS user_id, c.position_id, c.id AS call_time_id, ${daysOf(start, end)}
      FROM ${rowsOfBusiness(db, 'call_times', 'c')}
      JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = c.event_id
     CROSS JOIN ${rowsOfBusiness(db, 'users', 'u')}
     WHERE c.id = ${callTimeId} AND u.deleted_at IS NULL AND ${people}`;
}

/** The work of active shifts `s` of events `e` that take place, for which a condition holds, known by the ids of the shifts. */
export function workOfShifts(db: TenantDb, condition: Prisma.Sql): Work {
  return Prisma.sql`
    SELECT s.id, s.user_id, s.position_id, s.call_time_id, ${daysOf(Prisma.sql`s.start_local`, Prisma.sql`s.end_local`)}
      FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
      JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = s.event_id AND e.status IN ('active', 'draft')
     WHERE s.status = 'active' AND ${condition}`;
}

/** Work that is not stored, or not stored like this. */
export interface PlannedWork {
  readonly id: number;
  readonly userId: number;
  readonly positionId: number;
  readonly callTimeId: number | null;
  /** `YYYY-MM-DD`, by the clocks of the event. */
  readonly firstDay: string;
  readonly lastDay: string;
}

export function plannedWork(planned: readonly PlannedWork[]): Work {
  return Prisma.sql`
    SELECT w.id, w."userId" AS user_id, w."positionId" AS position_id, w."callTimeId" AS call_time_id,
           w."firstDay" AS first_day, w."lastDay" AS last_day
      FROM jsonb_to_recordset(${JSON.stringify(planned)}::jsonb) AS w (
           id int, "userId" int, "positionId" int, "callTimeId" int, "firstDay" date, "lastDay" date)`;
}

/**
 * A query of the gaps of some work: a row for each requirement that is not met. It is one statement for any number of people, and can
 * stand in the statement of another report as a subquery.
 */
export function selectQualificationGaps(db: TenantDb, work: Work): Prisma.Sql {
  return Prisma.sql`
    WITH work AS MATERIALIZED (${work}),
    required AS MATERIALIZED (
      SELECT j.position_id, j.call_time_id, x.qualification_id, max(x.min_level) AS min_level
        FROM (SELECT DISTINCT position_id, call_time_id FROM work) AS j
        JOIN ${rowsOfBusiness(db, 'requirements', 'x')} ON x.position_id = j.position_id OR x.call_time_id = j.call_time_id
       GROUP BY j.position_id, j.call_time_id, x.qualification_id)
    SELECT w.id, w.user_id AS "userId", r.qualification_id AS "qualificationId", q.name, r.min_level AS "minLevel",
           CASE WHEN count(h.id) = 0 THEN 'MISSING_QUALIFICATION' ELSE 'EXPIRED_QUALIFICATION' END AS code,
           (max(h.valid_until) FILTER (WHERE h.valid_until < w.last_day))::text AS until,
           (min(h.valid_from) FILTER (WHERE h.valid_from > w.first_day))::text AS "from"
      FROM work w
      JOIN required r ON r.position_id = w.position_id AND coalesce(r.call_time_id, 0) = coalesce(w.call_time_id, 0)
      JOIN ${rowsOfBusiness(db, 'qualifications', 'q')} ON q.id = r.qualification_id
      LEFT JOIN ${rowsOfBusiness(db, 'user_qualifications', 'h')}
             ON h.user_id = w.user_id AND h.qualification_id = r.qualification_id
            AND (r.min_level IS NULL OR h.level >= r.min_level)
     GROUP BY w.id, w.user_id, w.first_day, w.last_day, r.qualification_id, q.name, r.min_level
    HAVING NOT coalesce(bool_or(coalesce(h.valid_from <= w.first_day, TRUE) AND coalesce(h.valid_until >= w.last_day, TRUE))
                        FILTER (WHERE h.id IS NOT NULL), FALSE)`;
}

/** Finds the requirements that people do not meet for some work, by the id of the work and the name of the qualification. */
export function findQualificationGaps(db: TenantDb, work: Work): Promise<QualificationGap[]> {
  return rawOf(db).$queryRaw<QualificationGap[]>(
    Prisma.sql`SELECT * FROM (${selectQualificationGaps(db, work)}) AS gaps ORDER BY id, name`,
  );
}
