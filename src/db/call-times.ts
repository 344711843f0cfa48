import { callTimeFields, type CallTimeRow } from '../fields/call-times.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { CursorOrder } from '../paging/cursors.ts';
import type { PageWindow } from '../paging/pages.ts';
import { isInstant } from '../time/instants.ts';
import { andEqual, readSlices } from './by-parent.ts';
import { directionOf } from './direction.ts';
import { plannedForItsValues } from './engine/reads.ts';
import { columnsOf, joinFor, type ListOptions } from './fields.ts';
import { callTimePay, joinCallTimePay } from './pay.ts';
import { rowsOfBusiness, rowsOfVisibleEvents, visibleCallTimes, visibleEvents, type AskedEvents } from './sources.ts';
import { rawOf, readTotal, type TenantDb } from './tenant.ts';
import { columnsAt, startConditions, type ShiftFilter } from './work-shifts-pages.ts';

const columns = columnsOf(callTimeFields, 'c', {
  position: 'p.title',
  timezone: 'e.timezone',
  ...callTimePay,
});

const positions = (db: TenantDb) => Prisma.sql`JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = c.position_id`;

const payFields = Object.keys(callTimePay);

const selectCallTimes = (db: TenantDb) => Prisma.sql`
  SELECT ${columns(db)} FROM ${visibleCallTimes(db)} ${positions(db)} ${joinCallTimePay(db)}`;

const callTimeOrder = Prisma.sql`"startsAt", id`;

/**
 * Builds a statement that reads the call times of events; those of each event are ordered by start. The call times are read
 * before they are joined to anything: PostgreSQL does not know that an id belongs to one business only, expects one row of
 * each event, and would go through the joined table once for each. Performance notes: src/guide/performance.md#rows-first
 */
export function selectCallTimesOfEvents(
  db: TenantDb,
  events: AskedEvents,
  { atMostEach, shown }: ListOptions = {},
): Prisma.Sql {
  return Prisma.sql`
    WITH c AS MATERIALIZED (
         SELECT c.* FROM ${rowsOfVisibleEvents(db, 'call_times', 'c', events, { order: Prisma.sql`c.starts_at, c.id`, atMostEach })})
    SELECT ${columns(db, shown)}
      FROM c
      ${joinFor(shown, ['timezone'], Prisma.sql`JOIN ${visibleEvents(db)} ON e.id = c.event_id`)}
      ${joinFor(shown, ['position', ...payFields], positions(db))}
      ${joinFor(shown, payFields, joinCallTimePay(db))}
     ORDER BY c.event_id, c.starts_at, c.id`;
}

/** Reads the call times of many events in one statement. Fields that are not shown are missing. */
export function readCallTimesOfEvents(
  db: TenantDb,
  eventIds: readonly number[],
  options: ListOptions,
): Promise<CallTimeRow[]> {
  return rawOf(db).$queryRaw<CallTimeRow[]>(selectCallTimesOfEvents(db, eventIds, options));
}

/** Counts the call times of each visible event. An event without any has no row. */
export async function countCallTimes(db: TenantDb, eventIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await rawOf(db).$queryRaw<{ id: number; total: number }[]>(Prisma.sql`
    SELECT e.id, count(*)::int AS total
      FROM ${visibleCallTimes(db)}
     WHERE c.event_id = ANY(${eventIds}::int[])
     GROUP BY e.id`);
  return new Map(rows.map(({ id, total }) => [id, total]));
}

export async function callTimeByUuid(db: TenantDb, uuid: string): Promise<CallTimeRow | null> {
  const [row] = await rawOf(db).$queryRaw<CallTimeRow[]>(
    Prisma.sql`${selectCallTimes(db)} WHERE c.uuid = ${uuid}::uuid`,
  );
  return row ?? null;
}

export function readCallTimesByUuids(db: TenantDb, uuids: readonly string[]): Promise<CallTimeRow[]> {
  return rawOf(db).$queryRaw<CallTimeRow[]>(Prisma.sql`${selectCallTimes(db)} WHERE c.uuid = ANY(${uuids}::uuid[])`);
}

/** Reads call times that the caller may see, in any order. */
export function readCallTimesByIds(db: TenantDb, ids: readonly number[]): Promise<CallTimeRow[]> {
  return rawOf(db).$queryRaw<CallTimeRow[]>(Prisma.sql`${selectCallTimes(db)} WHERE c.id = ANY(${ids}::int[])`);
}

export interface CallTimeFilter extends Pick<
  ShiftFilter,
  'eventId' | 'clientId' | 'from' | 'to' | 'dateFrom' | 'dateTo'
> {
  readonly positionId?: number;
  readonly skillLevelId?: number;
  /** Whether people are missing, at an event that takes place. */
  readonly unfilled?: boolean;
}

/** Conditions on call times `c` of events `e`, each of which begins with AND. */
function callTimesLike(db: TenantDb, filter: CallTimeFilter): Prisma.Sql {
  const { positionId, skillLevelId, eventId, clientId, unfilled } = filter;
  const lacks = Prisma.sql`(e.status IN ('active', 'draft') AND c.staff_needed > (
    SELECT count(*) FROM ${rowsOfBusiness(db, 'work_shifts', 'f')} WHERE f.call_time_id = c.id AND f.status = 'active'))`;
  return Prisma.sql`
    ${andEqual(Prisma.sql`c.position_id`, positionId)} ${andEqual(Prisma.sql`c.skill_level_id`, skillLevelId)}
    ${andEqual(Prisma.sql`c.event_id`, eventId)} ${andEqual(Prisma.sql`e.client_id`, clientId)}
    ${unfilled === undefined ? Prisma.empty : Prisma.sql`AND ${lacks} = ${unfilled}`} ${startConditions(columnsAt('c'), filter)}`;
}

export function readCallTimeSlices(
  db: TenantDb,
  eventIds: readonly number[],
  filter: CallTimeFilter,
  window: PageWindow,
) {
  return readSlices<CallTimeRow>(
    db,
    {
      parent: 'eventId',
      order: callTimeOrder,
      rows: Prisma.sql`${selectCallTimes(db)}
       WHERE c.event_id = ANY(${eventIds}::int[]) ${callTimesLike(db, filter)}`,
    },
    window,
  );
}

export const callTimeCursorOrder = (direction: 'asc' | 'desc'): CursorOrder<CallTimeRow> => ({
  by: 'start',
  direction,
  positionOf: ({ startsAt, id }) => ({ value: startsAt.toISOString(), id }),
  isValue: isInstant,
});

/** Call times of deleted events are shown only where the event is named. */
const isListed = ({ eventId }: CallTimeFilter) =>
  eventId === undefined ? Prisma.sql`e.status <> 'deleted'` : Prisma.sql`TRUE`;

/** Reads one page of all call times that the caller may see. */
export function readCallTimePage(
  db: TenantDb,
  filter: CallTimeFilter,
  window: PageWindow,
  order: 'asc' | 'desc',
): Promise<CallTimeRow[]> {
  const { limit, offset = 0, after } = window;
  const { direction, beyond } = directionOf(window, order);
  const inOrder = Prisma.sql`ORDER BY c.starts_at ${direction}, c.id ${direction}`;
  const behind = after
    ? Prisma.sql`AND (c.starts_at, c.id) ${beyond} (${after.value}::timestamptz, ${after.id}::int)`
    : Prisma.empty;
  return rawOf(db).$queryRaw<CallTimeRow[]>(
    plannedForItsValues(Prisma.sql`
    ${selectCallTimes(db)}
     WHERE c.id = ANY(ARRAY(
           SELECT c.id FROM ${visibleCallTimes(db)}
            WHERE ${isListed(filter)} ${callTimesLike(db, filter)} ${behind}
            ${inOrder} LIMIT ${limit} OFFSET ${offset}))
     ${inOrder}`),
  );
}

/** Counts all call times that the caller may see. For a whole business, tallies have the number by position. */
export async function countCallTimeList(db: TenantDb, filter: CallTimeFilter): Promise<number> {
  const { positionId, ...others } = filter;
  const isTallied = db.$visibility.of === 'business' && Object.values(others).every((value) => value === undefined);
  return readTotal(
    db,
    isTallied
      ? Prisma.sql`
    SELECT coalesce(sum(t.delta), 0)::int AS total FROM ${rowsOfBusiness(db, 'list_tallies', 't')}
     WHERE t.kind = 'call_time' ${andEqual(Prisma.sql`t.position_id`, positionId)}`
      : plannedForItsValues(Prisma.sql`
    SELECT count(*)::int AS total FROM ${visibleCallTimes(db)} WHERE ${isListed(filter)} ${callTimesLike(db, filter)}`),
  );
}
