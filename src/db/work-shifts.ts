import type { WorkShift } from '../generated/prisma/client.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { WallTime } from '../time/wall-clock.ts';
import { eventsInReach, guarded, shiftsInReach } from './reach.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** A work shift as it is read, with the names that the contract prints. */
export interface WorkShiftRow extends Omit<WorkShift, 'businessId' | 'startLocal' | 'endLocal' | 'payRate'> {
  position: string;
  firstName: string;
  lastName: string;
  /** Of the event. */
  timezone: string;
  /** Null: to be determined. */
  startTime: WallTime | null;
  endTime: WallTime | null;
  /** USD with two decimals; null: the position's default rate applies, or it is not for the caller. */
  payRate: string | null;
}

const select = (db: TenantDb) => Prisma.sql`
  SELECT s.id, s.uuid, s.event_id AS "eventId", s.call_time_id AS "callTimeId", s.position_id AS "positionId",
         p.title AS position, s.user_id AS "userId", u.first_name AS "firstName", u.last_name AS "lastName",
         s.status, s.confirmed,
         to_char(s.start_local, 'YYYY-MM-DD HH24:MI:SS') AS "startTime", s.starts_at AS "startsAt",
         to_char(s.end_local, 'YYYY-MM-DD HH24:MI:SS') AS "endTime", s.ends_at AS "endsAt",
         ${guarded(db, "a shift's pay", Prisma.sql`s.pay_rate::text`)} AS "payRate", e.timezone, s.override_reason AS "overrideReason",
         s.created_at AS "createdAt", s.modified_at AS "modifiedAt"
    FROM work_shifts s
    JOIN events e ON e.business_id = s.business_id AND e.id = s.event_id AND ${eventsInReach(db)}
    JOIN positions p ON p.business_id = s.business_id AND p.id = s.position_id
    JOIN users u ON u.business_id = s.business_id AND u.id = s.user_id`;

/** The active shifts of many events in one statement, each event's in order of start, those to be determined last. */
export const activeShiftsOfEvents = (db: TenantDb, eventIds: readonly number[]): Promise<WorkShiftRow[]> =>
  rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`
    ${select(db)}
     WHERE s.business_id = ${db.$businessId} AND ${shiftsInReach(db)} AND s.event_id = ANY(${eventIds}::int[]) AND s.status = 'active'
     ORDER BY s.event_id, s.starts_at NULLS LAST, s.id`);

/** A page of one event's active shifts, in the same order. */
export const activeShiftPage = (
  db: TenantDb,
  eventId: number,
  window: { limit: number; offset: number },
): Promise<WorkShiftRow[]> =>
  rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`
    ${select(db)}
     WHERE s.business_id = ${db.$businessId} AND ${shiftsInReach(db)} AND s.event_id = ${eventId} AND s.status = 'active'
     ORDER BY s.starts_at NULLS LAST, s.id
     LIMIT ${window.limit} OFFSET ${window.offset}`);
