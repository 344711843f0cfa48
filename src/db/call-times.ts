import type { CallTime } from '../generated/prisma/client.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { PageWindow } from '../paging/pages.ts';
import type { WallTime } from '../time/wall-clock.ts';
import { andEqual, firstOf, rowsFirst, slicesOf } from './by-parent.ts';
import { joinFor, selected, type Columns, type ListsOf } from './fields.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';
import { eventsInReach, guarded } from './visibility.ts';

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

const columns = (db: TenantDb): Columns<CallTimeRow> => ({
  id: Prisma.sql`c.id`,
  uuid: Prisma.sql`c.uuid`,
  eventId: Prisma.sql`c.event_id`,
  positionId: Prisma.sql`c.position_id`,
  position: Prisma.sql`p.title`,
  skillLevelId: Prisma.sql`c.skill_level_id`,
  staffNeeded: Prisma.sql`c.staff_needed`,
  startTime: Prisma.sql`c.start_local::text`,
  startsAt: Prisma.sql`c.starts_at`,
  startTimeTbd: Prisma.sql`c.start_tbd`,
  endTime: Prisma.sql`c.end_local::text`,
  endsAt: Prisma.sql`c.ends_at`,
  endTimeTbd: Prisma.sql`c.end_tbd`,
  notesForStaff: guarded(db, 'notes for staff', Prisma.sql`c.notes_for_staff`),
  payRate: guarded(db, 'rates', Prisma.sql`coalesce(c.pay_rate, p.default_pay_rate)::text`),
  payUnit: Prisma.sql`c.pay_unit`,
  dressCode: Prisma.sql`c.dress_code`,
  timezone: Prisma.sql`e.timezone`,
  createdAt: Prisma.sql`c.created_at`,
  modifiedAt: Prisma.sql`c.modified_at`,
  version: Prisma.sql`c.version`,
});

const events = (db: TenantDb) =>
  Prisma.sql`JOIN events e ON e.business_id = ${db.$businessId} AND e.id = c.event_id AND ${eventsInReach(db)}`;
const positions = (db: TenantDb) =>
  Prisma.sql`JOIN positions p ON p.business_id = ${db.$businessId} AND p.id = c.position_id`;

const all = (db: TenantDb) => Object.keys(columns(db)) as (keyof CallTimeRow)[];

export const selectCallTimes = (db: TenantDb) => Prisma.sql`
  SELECT ${selected(columns(db), all(db))} FROM call_times c ${events(db)} ${positions(db)}`;

export const callTimeOrder = Prisma.sql`"startsAt", id`;

/** The call times of many events in one statement, each event's in order of start, with what is asked for of each. */
export const callTimesOfEvents = (
  db: TenantDb,
  eventIds: readonly number[],
  { fields = all(db), atMostEach }: ListsOf<CallTimeRow>,
): Promise<CallTimeRow[]> => {
  const isLimited = db.$reach.of !== 'business';
  return rawOf(db).$queryRaw<CallTimeRow[]>(Prisma.sql`
    ${rowsFirst(
      Prisma.sql`c`,
      eventIds,
      (eventId) => Prisma.sql`
           SELECT * FROM call_times c
            WHERE c.business_id = ${db.$businessId} AND c.event_id = ${eventId}
            ${firstOf(Prisma.sql`c.starts_at, c.id`, atMostEach)}`,
    )}
    SELECT ${selected(columns(db), fields)}
      FROM c
      ${isLimited ? events(db) : joinFor<CallTimeRow>(fields, ['timezone'], events(db))}
      ${joinFor<CallTimeRow>(fields, ['position', 'payRate'], positions(db))}
     ORDER BY c.event_id, c.starts_at, c.id`);
};

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

export interface CallTimeFilter {
  readonly positionId?: number;
  readonly skillLevelId?: number;
}

export const callTimeSlices = (
  db: TenantDb,
  eventIds: readonly number[],
  { positionId, skillLevelId }: CallTimeFilter,
  window: PageWindow,
) =>
  slicesOf<CallTimeRow>(
    db,
    {
      parent: 'eventId',
      order: callTimeOrder,
      rows: Prisma.sql`${selectCallTimes(db)}
       WHERE c.business_id = ${db.$businessId} AND c.event_id = ANY(${eventIds}::int[])
         ${andEqual(Prisma.sql`c.position_id`, positionId)} ${andEqual(Prisma.sql`c.skill_level_id`, skillLevelId)}`,
    },
    window,
  );
