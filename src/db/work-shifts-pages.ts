import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { ShiftStatus } from '../generated/prisma/enums.ts';
import type { PageWindow } from '../paging/pages.ts';
import { andEqual, readSlices } from './by-parent.ts';
import { directionOf } from './direction.ts';
import { plannedForItsValues } from './engine/reads.ts';
import { joinCallTimeOfShift, shiftTimes } from './place-times.ts';
import { rowsOfBusiness, visibleShifts } from './sources.ts';
import { rawOf, readTotal, type TenantDb } from './tenant.ts';
import { parentConditions, selectShifts, shiftOrder, type ShiftParent } from './work-shifts.ts';

/** Conditions on shifts. All that are given must hold. A span includes its start but not its end. */
export interface ShiftFilter {
  readonly statuses?: readonly ShiftStatus[];
  readonly userId?: number;
  readonly positionId?: number;
  readonly confirmed?: boolean;
  readonly declined?: boolean;
  readonly eventId?: number;
  readonly callTimeId?: number;
  /** Client of the event. */
  readonly clientId?: number;
  readonly from?: Date;
  readonly to?: Date;
  /** `YYYY-MM-DD`, the day of the start in the zone of the event. Both `dateFrom` and `dateTo` are included. */
  readonly dateFrom?: string;
  readonly dateTo?: string;
  /** Canceled from so many hours before the start on, and before the end. */
  readonly canceledWithinHours?: number;
}

type Direction = 'asc' | 'desc';

/**
 * Reads the same slice of the shifts of each of many parents.
 */
export function readShiftSlices(
  db: TenantDb,
  parent: ShiftParent,
  ids: readonly number[],
  filter: ShiftFilter,
  window: PageWindow,
  order: Direction = 'asc',
) {
  return readSlices<WorkShiftRow>(
    db,
    {
      parent,
      order: order === 'asc' ? shiftOrder : Prisma.sql`"startsAt" DESC NULLS LAST, id DESC`,
      rows: Prisma.sql`${selectShifts(db)}
       WHERE ${shiftsLike(filter)} AND ${parentConditions[parent](Prisma.sql`ANY(${ids}::int[])`)}`,
    },
    window,
  );
}

const isSet = (column: Prisma.Sql, set: boolean | undefined) =>
  set === undefined ? Prisma.empty : set ? Prisma.sql`AND ${column} IS NOT NULL` : Prisma.sql`AND ${column} IS NULL`;

const [start, end] = [Prisma.raw(shiftTimes.startsAt), Prisma.raw(shiftTimes.endsAt)];

/** Without statuses in the filter, only active shifts are read; those that were declined are canceled. */
const statusesOf = ({ statuses, declined, canceledWithinHours }: ShiftFilter): readonly ShiftStatus[] =>
  statuses ?? [declined || canceledWithinHours !== undefined ? 'canceled' : 'active'];

/** Condition on shifts `s` at call times `t` of events `e`: canceled at most so many hours before the start, or later until the end. */
export const isCanceledLate = (hours: number) => Prisma.sql`
  (s.status <> 'active' AND coalesce(s.canceled_at, s.declined_at) >= ${start} - make_interval(hours => ${hours}::int)
   AND coalesce(s.canceled_at, s.declined_at) < ${end})`;

/** Conditions on shifts `s` at call times `t` of events `e`. */
const shiftsLike = (filter: ShiftFilter, span = startsWithin(filter)): Prisma.Sql => {
  const { declined, userId, positionId, confirmed, eventId, callTimeId, clientId, canceledWithinHours } = filter;
  return Prisma.sql`
  s.status = ANY(${[...statusesOf(filter)]}::"ShiftStatus"[])
  ${isSet(Prisma.sql`s.declined_at`, declined)}
  ${andEqual(Prisma.sql`s.user_id`, userId)} ${andEqual(Prisma.sql`s.position_id`, positionId)}
  ${andEqual(Prisma.sql`s.confirmed`, confirmed)} ${andEqual(Prisma.sql`s.event_id`, eventId)}
  ${andEqual(Prisma.sql`s.call_time_id`, callTimeId)} ${andEqual(Prisma.sql`e.client_id`, clientId)}
  ${canceledWithinHours === undefined ? Prisma.empty : Prisma.sql`AND ${isCanceledLate(canceledWithinHours)}`}
  ${span}`;
};

function startsWithin(span: StartSpan): Prisma.Sql {
  const [known, open] = [startConditions(columnsAt('s'), span), startConditions(shiftTimes, span)];
  if (known === Prisma.empty) return Prisma.empty;
  return Prisma.sql`AND ((s.starts_at IS NOT NULL ${known}) OR (s.starts_at IS NULL ${open}))`;
}

type StartSpan = Pick<ShiftFilter, 'from' | 'to' | 'dateFrom' | 'dateTo'>;

type Start = Pick<typeof shiftTimes, 'startsAt' | 'startLocal'>;

/** The start of the row of an alias. */
export const columnsAt = (alias: string): Start => ({
  startsAt: `${alias}.starts_at`,
  startLocal: `${alias}.start_local`,
});

/**
 * Conditions on a start, which begin with AND. No zone is a full day ahead of or behind UTC, so a range of
 * instants, which an index can read, contains the local days.
 */
export function startConditions(
  { startsAt, startLocal }: Start,
  { from, to, dateFrom, dateTo }: StartSpan,
): Prisma.Sql {
  const [at, local] = [Prisma.raw(startsAt), Prisma.raw(startLocal)];
  const given = [
    from && Prisma.sql`AND ${at} >= ${from.toISOString()}::timestamptz`,
    to && Prisma.sql`AND ${at} < ${to.toISOString()}::timestamptz`,
    dateFrom !== undefined && Prisma.sql`AND ${local} >= ${dateFrom}::date AND ${at} >= ${dateFrom}::date - 1`,
    dateTo !== undefined && Prisma.sql`AND ${local} < ${dateTo}::date + 1 AND ${at} < ${dateTo}::date + 2`,
  ].filter((condition) => typeof condition === 'object');
  return given.length === 0 ? Prisma.empty : Prisma.join(given, ' ');
}

/**
 * Builds a query for the ids of the shifts of a window, which needs `limit` rows of each of two ranges of an index: of the shifts
 * with a start, and of those without, which come last in both orders.
 */
function selectPage(db: TenantDb, filter: ShiftFilter, more: Prisma.Sql, window: PageWindow, order: Direction) {
  const { limit, offset = 0, after, isReverse = false } = window;
  const { direction, beyond } = directionOf(window, order);
  const part = (of: Start, range: Prisma.Sql) => Prisma.sql`(
    SELECT s.id, s.starts_at FROM ${visibleShifts(db)} ${joinCallTimeOfShift(db)}
     WHERE ${shiftsLike(filter, startConditions(of, filter))} AND ${more} AND ${range}
     ORDER BY s.starts_at ${direction}, s.id ${direction}
     LIMIT ${limit + offset})`;
  const known = part(
    columnsAt('s'),
    after && after.value !== ''
      ? Prisma.sql`(s.starts_at, s.id) ${beyond} (${after.value}::timestamptz, ${after.id}::int)`
      : Prisma.sql`s.starts_at IS NOT NULL`,
  );
  const open = part(
    shiftTimes,
    after?.value === ''
      ? Prisma.sql`s.starts_at IS NULL AND s.id ${beyond} ${after.id}::int`
      : Prisma.sql`s.starts_at IS NULL`,
  );
  // Behind a shift without a start, and before one with a start, there are none of the other kind.
  const isOnlyOne = after !== undefined && (after.value === '') !== isReverse;
  const parts = isOnlyOne ? [isReverse ? known : open] : [known, open];
  return Prisma.sql`
    SELECT id FROM (${Prisma.join(parts, ' UNION ALL ')}) AS found
     ORDER BY ${inOrder('', window, order)}
     LIMIT ${limit} OFFSET ${offset}`;
}

function inOrder(alias: string, window: PageWindow, order: Direction): Prisma.Sql {
  const { direction } = directionOf(window, order);
  const of = Prisma.raw(alias);
  return Prisma.sql`(${of}starts_at IS NULL) ${window.isReverse ? Prisma.sql`DESC` : Prisma.sql`ASC`},
    ${of}starts_at ${direction}, ${of}id ${direction}`;
}

/**
 * Reads at most so many shifts of each parent after a position, parent by parent. Names are joined only to the shifts
 * that are shown, and each range of the index is read no further than needed, once.
 */
export function readShiftsFrom(
  db: TenantDb,
  parent: ShiftParent,
  ids: readonly number[],
  filter: ShiftFilter,
  window: PageWindow,
  order: Direction = 'asc',
): Promise<WorkShiftRow[]> {
  return rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`
    ${selectShifts(db)}
     WHERE s.id = ANY(ARRAY(
           SELECT page.id
             FROM unnest(${ids}::int[]) AS asked (id)
            CROSS JOIN LATERAL (${selectPage(db, filter, parentConditions[parent](Prisma.sql`asked.id`), window, order)}) AS page))
     ORDER BY ${Prisma.raw(`"${parent}"`)}, ${inOrder('s.', window, order)}`);
}

/** Shifts at deleted events are shown only where the event or the call time is named. */
const isListed = ({ eventId, callTimeId }: ShiftFilter) =>
  eventId === undefined && callTimeId === undefined ? Prisma.sql`e.status <> 'deleted'` : Prisma.sql`TRUE`;

/** Reads one page of all shifts that the caller may see. */
export function readShiftPage(
  db: TenantDb,
  filter: ShiftFilter,
  window: PageWindow,
  order: Direction = 'asc',
): Promise<WorkShiftRow[]> {
  return rawOf(db).$queryRaw<WorkShiftRow[]>(
    plannedForItsValues(Prisma.sql`
    ${selectShifts(db)}
     WHERE s.id = ANY(ARRAY(${selectPage(db, filter, isListed(filter), window, order)}))
     ORDER BY ${inOrder('s.', window, order)}`),
  );
}

/** Counts all shifts that the caller may see. For a whole business, tallies have the number by status, confirmation and position. */
export async function countShiftList(db: TenantDb, filter: ShiftFilter): Promise<number> {
  const { statuses: _statuses, positionId, confirmed, ...others } = filter;
  const isTallied = db.$visibility.of === 'business' && Object.values(others).every((value) => value === undefined);
  const kinds = statusesOf(filter).flatMap((status) => [
    ...(confirmed === true ? [] : [status]),
    ...(confirmed === false ? [] : [`${status} confirmed`]),
  ]);
  return readTotal(
    db,
    isTallied
      ? Prisma.sql`
    SELECT coalesce(sum(t.delta), 0)::int AS total FROM ${rowsOfBusiness(db, 'list_tallies', 't')}
     WHERE t.kind = ANY(${kinds}::text[]) ${andEqual(Prisma.sql`t.position_id`, positionId)}`
      : plannedForItsValues(Prisma.sql`
    SELECT count(*)::int AS total FROM ${visibleShifts(db)} ${joinCallTimeOfShift(db)} WHERE ${shiftsLike(filter)} AND ${isListed(filter)}`),
  );
}

/** Counts the shifts of each parent. A parent without any has no row. */
export async function countShifts(
  db: TenantDb,
  parent: ShiftParent,
  ids: readonly number[],
  filter: ShiftFilter,
): Promise<ReadonlyMap<number, number>> {
  const rows = await rawOf(db).$queryRaw<{ id: number; total: number }[]>(Prisma.sql`
    SELECT asked.id, count(*)::int AS total
      FROM unnest(${ids}::int[]) AS asked (id)
      JOIN (${visibleShifts(db)}) ON ${parentConditions[parent](Prisma.sql`asked.id`)} ${joinCallTimeOfShift(db)}
     WHERE ${shiftsLike(filter)}
     GROUP BY asked.id`);
  return new Map(rows.map(({ id, total }) => [id, total]));
}

/** Reads one page of the shifts that the caller may see. Those with a start to be determined stand at their day. */
export function readOwnShiftPage(
  db: TenantDb,
  filter: ShiftFilter,
  { limit, offset = 0 }: PageWindow,
): Promise<WorkShiftRow[]> {
  return rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`
    ${selectShifts(db)} WHERE ${shiftsLike(filter)} ORDER BY ${start}, s.id LIMIT ${limit} OFFSET ${offset}`);
}
