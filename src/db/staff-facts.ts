import { Prisma } from '../generated/prisma/client.ts';
import { possibleEnd, possibleStart } from './clashes.ts';
import { rowsOfBusiness } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/* What the rules of who can work need to know of people, beside what db/availability.ts and db/qualification-gaps.ts read. */

/** An active shift of an event that takes place. Times are milliseconds since 1970; null means to be determined. */
export interface BookedShift {
  /** Null for a shift that is not stored. */
  readonly id: number | null;
  readonly uuid: string | null;
  readonly userId: number;
  readonly positionId: number;
  readonly callTimeId: number | null;
  readonly start: number | null;
  readonly end: number | null;
  /** The earliest start and the latest end that it can have. */
  readonly begins: number;
  readonly ends: number;
  readonly eventUuid: string | null;
  readonly eventTitle: string;
  readonly timezone: string;
}

export interface Span {
  readonly from: Date;
  readonly to: Date;
}

const ms = (at: Prisma.Sql) => Prisma.sql`(extract(epoch FROM ${at}) * 1000)::float8`;

const instant = (at: Date) => Prisma.sql`${at.toISOString()}::timestamptz`;

/** A shift that lasts longer, or has no end yet, is found by an index of its own: few are. */
const usualLength = Prisma.sql`interval '2 days'`;

/** Reads the shifts of people, null for everybody, that have or may have some time in a span. */
export function readBooked(
  db: TenantDb,
  userIds: readonly number[] | null,
  { from, to }: Span,
): Promise<BookedShift[]> {
  const ofUsers = userIds === null ? Prisma.empty : Prisma.sql`AND s.user_id = ANY(${userIds}::int[])`;
  const s = Prisma.sql`s`;
  // The events are named one by one: their number is not known to the planner, which would read all of the business.
  return rawOf(db).$queryRaw<BookedShift[]>(Prisma.sql`
    WITH s AS MATERIALIZED (
      SELECT s.id, s.uuid, s.user_id, s.position_id, s.call_time_id, s.event_id, s.starts_at, s.ends_at
        FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
       WHERE s.status = 'active' ${ofUsers}
         AND ((s.starts_at >= ${instant(from)} - ${usualLength} AND s.starts_at < ${instant(to)})
              OR (s.ends_at IS NULL OR s.ends_at - s.starts_at > ${usualLength}) OR s.starts_at IS NULL)),
    b AS (
      SELECT s.*, e.uuid AS event_uuid, e.title AS event_title, e.timezone,
             ${possibleStart(s, Prisma.sql`e.starts_at`)} AS begins, ${possibleEnd(s, Prisma.sql`e.ends_at`)} AS ends
        FROM s JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = s.event_id AND e.status IN ('active', 'draft')
         AND e.id = ANY(ARRAY(SELECT DISTINCT event_id FROM s)))
    SELECT b.id, b.uuid, b.user_id AS "userId", b.position_id AS "positionId", b.call_time_id AS "callTimeId", b.timezone,
           ${ms(Prisma.sql`b.starts_at`)} AS start, ${ms(Prisma.sql`b.ends_at`)} AS end,
           ${ms(Prisma.sql`b.begins`)} AS begins, ${ms(Prisma.sql`b.ends`)} AS ends,
           b.event_uuid AS "eventUuid", b.event_title AS "eventTitle"
      FROM b WHERE b.begins < ${instant(to)} AND b.ends > ${instant(from)}`);
}

/** Whether anybody has said anything of their availability, or anything is required of anybody. */
export async function hasPersonalRules(db: TenantDb): Promise<boolean> {
  const any = (table: 'availability_patterns' | 'availability_exceptions' | 'requirements') =>
    Prisma.sql`EXISTS (SELECT 1 FROM ${rowsOfBusiness(db, table, 'x')})`;
  const [row] = await rawOf(db).$queryRaw<{ has: boolean }[]>(
    Prisma.sql`SELECT ${any('availability_patterns')} OR ${any('availability_exceptions')} OR ${any('requirements')} AS has`,
  );
  return row?.has === true;
}
