import { limits } from '../config/limits.ts';
import type { Reliability } from '../fields/candidates.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { hasFolded } from './searched-text.ts';
import { rowsOfBusiness } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** A member of the staff, and what they have worked before. */
export interface StaffMember {
  readonly id: number;
  /** Whether the search finds them. */
  readonly isFound: boolean;
  readonly knowsClient: boolean;
  readonly knowsVenue: boolean;
  readonly knowsPosition: boolean;
}

export interface Before {
  readonly clientId: number | null;
  readonly venueName: string | null;
  readonly positionId: number;
  /** Only shifts at events that start within this time count. */
  readonly from: Date;
  readonly to: Date;
}

/** Reads the whole staff with what they have worked before: for a client, at a venue and in a position. */
export function readStaff(
  db: TenantDb,
  { clientId, venueName, positionId, from, to }: Before,
  search: string | undefined,
): Promise<StaffMember[]> {
  const isFound =
    search === undefined
      ? Prisma.sql`TRUE`
      : Prisma.sql`(${hasFolded('u.name', search)} OR strpos(lower(u.email), lower(${search.trim()}::text)) > 0)`;
  const worked = Prisma.sql`
    ${rowsOfBusiness(db, 'work_shifts', 's')}
      JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = s.event_id AND e.status = 'active'
       AND e.starts_at >= ${from.toISOString()}::timestamptz AND e.starts_at < ${to.toISOString()}::timestamptz
     WHERE s.status = 'active'`;
  return rawOf(db).$queryRaw<StaffMember[]>(Prisma.sql`
    WITH known AS MATERIALIZED (
      SELECT s.user_id, bool_or(e.client_id = ${clientId}) AS client, bool_or(e.venue_name = ${venueName}) AS venue
        FROM ${worked} AND (e.client_id = ${clientId} OR e.venue_name = ${venueName})
       GROUP BY s.user_id),
    placed AS MATERIALIZED (
      SELECT DISTINCT s.user_id FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
       WHERE s.position_id = ${positionId} AND s.status = 'active' AND s.starts_at < ${to.toISOString()}::timestamptz)
    SELECT u.id, ${isFound} AS "isFound",
           coalesce(known.client, FALSE) AS "knowsClient", coalesce(known.venue, FALSE) AS "knowsVenue",
           placed.user_id IS NOT NULL AS "knowsPosition"
      FROM ${rowsOfBusiness(db, 'users', 'u')}
      LEFT JOIN known ON known.user_id = u.id
      LEFT JOIN placed ON placed.user_id = u.id
     WHERE u.role = 'staff' AND u.deleted_at IS NULL`);
}

/** Reads the no-shows, late check-ins and late declines that were noted since a time. People without any have no row. */
export function readReliability(db: TenantDb, since: Date): Promise<(Reliability & { readonly userId: number })[]> {
  const after = Prisma.sql`> ${since.toISOString()}::timestamptz`;
  return rawOf(db).$queryRaw(Prisma.sql`
    SELECT user_id AS "userId", count(*) FILTER (WHERE no_show)::int AS "noShows", count(*) FILTER (WHERE late)::int AS late,
           count(*) FILTER (WHERE declined)::int AS "declinedLate"
      FROM (SELECT s.user_id, a.no_show, a.late, FALSE AS declined
              FROM ${rowsOfBusiness(db, 'attendance', 'a')} JOIN ${rowsOfBusiness(db, 'work_shifts', 's')} ON s.id = a.id
             WHERE (a.no_show OR a.late) AND a.created_at ${after}
             UNION ALL
            SELECT s.user_id, FALSE, FALSE, TRUE FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
             WHERE s.declined_at ${after} AND s.declined_at > s.starts_at - make_interval(hours => ${limits.declineLateH}::int)) AS noted
     GROUP BY user_id`);
}
