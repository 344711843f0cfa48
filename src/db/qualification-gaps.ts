import { Prisma } from '../generated/prisma/client.ts';
import { possibleEnd } from './clashes.ts';
import { joinCallTimeOfShift, shiftTimes } from './place-times.ts';
import { rowsOfBusiness } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** What somebody holds of a qualification: the person, the level, and the first and the last day, `YYYY-MM-DD`. */
export type Certificate = readonly [
  userId: number,
  level: number | null,
  validFrom: string | null,
  validUntil: string | null,
];

/** A requirement of a position, or of a call time, and who holds the qualification. */
export interface HeldRequirement {
  readonly positionId: number | null;
  readonly callTimeId: number | null;
  readonly qualificationId: number;
  readonly name: string;
  readonly minLevel: number | null;
  readonly held: readonly Certificate[];
}

/** What is to be done: in a position, and perhaps on a call time. */
export interface Job {
  readonly positionId: number;
  readonly callTimeId: number | null;
}

/** Reads what jobs require and what people, or all of them, hold of it: one statement, in the order of the names. */
export function readHeldRequirements(
  db: TenantDb,
  jobs: readonly Job[],
  userIds: readonly number[] | 'all',
): Promise<HeldRequirement[]> {
  const positionIds = [...new Set(jobs.map(({ positionId }) => positionId))];
  const callTimeIds = [...new Set(jobs.flatMap(({ callTimeId }) => callTimeId ?? []))];
  const people = userIds === 'all' ? Prisma.empty : Prisma.sql`AND h.user_id = ANY(${[...userIds]}::int[])`;
  return rawOf(db).$queryRaw<HeldRequirement[]>(Prisma.sql`
    SELECT x.position_id AS "positionId", x.call_time_id AS "callTimeId", q.id AS "qualificationId", q.name,
           x.min_level AS "minLevel", coalesce(h.held, '[]') AS held
      FROM ${rowsOfBusiness(db, 'requirements', 'x')}
      JOIN ${rowsOfBusiness(db, 'qualifications', 'q')} ON q.id = x.qualification_id
     CROSS JOIN LATERAL (
           SELECT jsonb_agg(jsonb_build_array(h.user_id, h.level, h.valid_from, h.valid_until)) AS held
             FROM ${rowsOfBusiness(db, 'user_qualifications', 'h')}
            WHERE h.qualification_id = x.qualification_id ${people}) AS h
     WHERE x.position_id = ANY(${positionIds}::int[]) OR x.call_time_id = ANY(${callTimeIds}::int[])
     ORDER BY q.name, q.id`);
}

/** An active shift at an event that takes place. Null means to be determined. */
export interface BookedWork extends Job {
  readonly id: number;
  readonly userId: number;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly event: { readonly startsAt: Date; readonly endsAt: Date; readonly timezone: string };
}

/** Reads the shifts of people that are not over at a time, or perhaps not, by their start. */
export async function readWorkToCome(db: TenantDb, userIds: readonly number[], at: Date): Promise<BookedWork[]> {
  type Row = Omit<BookedWork, 'event'> & { eventStartsAt: Date; eventEndsAt: Date; timezone: string };
  const rows = await rawOf(db).$queryRaw<Row[]>(Prisma.sql`
    SELECT s.id, s.user_id AS "userId", s.position_id AS "positionId", s.call_time_id AS "callTimeId",
           s.starts_at AS "startsAt", s.ends_at AS "endsAt",
           e.starts_at AS "eventStartsAt", e.ends_at AS "eventEndsAt", e.timezone
      FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
      JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = s.event_id AND e.status IN ('active', 'draft') ${joinCallTimeOfShift(db)}
     WHERE s.user_id = ANY(${[...userIds]}::int[]) AND s.status = 'active'
       AND ${possibleEnd(Prisma.sql`s`, Prisma.sql`e.ends_at`)} > ${at.toISOString()}::timestamptz
     ORDER BY ${Prisma.raw(shiftTimes.startsAt)}, s.id`);
  return rows.map(({ eventStartsAt, eventEndsAt, timezone, ...row }) => ({
    ...row,
    event: { startsAt: eventStartsAt, endsAt: eventEndsAt, timezone },
  }));
}
