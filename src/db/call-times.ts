import type { CallTime } from '../generated/prisma/client.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { WallTime } from '../time/wall-clock.ts';
import { listsOf } from './by-parent.ts';
import { eventsInReach, guarded } from './reach.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** A call time as it is read, its position's title beside it. */
export interface CallTimeRow extends Omit<
  CallTime,
  'businessId' | 'startLocal' | 'endLocal' | 'startTbd' | 'endTbd' | 'payRate'
> {
  position: string;
  /** Of the event. */
  timezone: string;
  startTime: WallTime;
  startTimeTbd: boolean;
  endTime: WallTime;
  endTimeTbd: boolean;
  /** USD per pay unit with two decimals: the call time's own, else its position's default; null: not for the caller. */
  payRate: string | null;
}

export const selectCallTimes = (db: TenantDb) => Prisma.sql`
    SELECT c.id, c.uuid, c.event_id AS "eventId", c.position_id AS "positionId", p.title AS position,
           c.skill_level_id AS "skillLevelId", c.staff_needed AS "staffNeeded",
           c.start_local::text AS "startTime", c.starts_at AS "startsAt",
           c.start_tbd AS "startTimeTbd",
           c.end_local::text AS "endTime", c.ends_at AS "endsAt", c.end_tbd AS "endTimeTbd",
           ${guarded(db, 'notes for staff', Prisma.sql`c.notes_for_staff`)} AS "notesForStaff",
           ${guarded(db, 'rates', Prisma.sql`coalesce(c.pay_rate, p.default_pay_rate)::text`)} AS "payRate",
           c.pay_unit AS "payUnit", c.dress_code AS "dressCode",
           e.timezone, c.created_at AS "createdAt", c.modified_at AS "modifiedAt", c.version
      FROM call_times c
      JOIN events e ON e.business_id = c.business_id AND e.id = c.event_id AND ${eventsInReach(db)}
      JOIN positions p ON p.business_id = c.business_id AND p.id = c.position_id`;

export const callTimeOrder = Prisma.sql`"startsAt", id`;

/** The call times of many events in one statement, each event's in order of start. */
export const callTimesOfEvents = (
  db: TenantDb,
  eventIds: readonly number[],
  atMostEach?: number,
): Promise<CallTimeRow[]> =>
  rawOf(db).$queryRaw<CallTimeRow[]>(
    listsOf(
      {
        parent: 'eventId',
        order: callTimeOrder,
        rows: Prisma.sql`${selectCallTimes(db)}
     WHERE c.business_id = ${db.$businessId} AND c.event_id = ANY(${eventIds}::int[])`,
      },
      atMostEach,
    ),
  );

/** How many each event in the caller's reach has; one without any has no row. */
export async function callTimeCounts(db: TenantDb, eventIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await rawOf(db).$queryRaw<{ id: number; total: number }[]>(Prisma.sql`
    SELECT e.id, count(*)::int AS total
      FROM call_times c
      JOIN events e ON e.business_id = c.business_id AND e.id = c.event_id AND ${eventsInReach(db)}
     WHERE c.business_id = ${db.$businessId} AND c.event_id = ANY(${eventIds}::int[])
     GROUP BY e.id`);
  return new Map(rows.map(({ id, total }) => [id, total]));
}

export async function callTimeByUuid(db: TenantDb, uuid: string): Promise<CallTimeRow | null> {
  const [row] = await rawOf(db).$queryRaw<CallTimeRow[]>(Prisma.sql`
    ${selectCallTimes(db)}
     WHERE c.business_id = ${db.$businessId} AND c.uuid = ${uuid}::uuid`);
  return row ?? null;
}

/** Call times in the caller's reach, in any order. */
export const callTimesByIds = (db: TenantDb, ids: readonly number[]): Promise<CallTimeRow[]> =>
  rawOf(db).$queryRaw<CallTimeRow[]>(Prisma.sql`
    ${selectCallTimes(db)}
     WHERE c.business_id = ${db.$businessId} AND c.id = ANY(${ids}::int[])`);
