import { historyActorNames, type HistoryActor } from '../fields/history.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { CursorOrder } from '../paging/cursors.ts';
import type { PageWindow } from '../paging/pages.ts';
import { loggedChangeColumns, type LoggedChange } from './change-log.ts';
import { directionOf } from './direction.ts';
import { kindsByTable, type LoggedKind } from './registry.ts';
import { rowsOfBusiness } from './sources.ts';
import { rawOf, readTotal, type TenantDb } from './tenant.ts';

/* The change log as a history: newest first, whether or not the changed rows still exist. */

/** A change with the event that its row is, or belongs to. A deleted event is known by its last values in the log. */
export interface HistoryRow extends Omit<LoggedChange, 'table'> {
  /** It may be unknown to this version. */
  readonly table: string;
  readonly eventUuid: string | null;
  readonly eventTitle: string | null;
  readonly timezone: string | null;
}

export interface HistoryFilter {
  readonly eventId?: number | undefined;
  /** `other` stands for the tables that this version does not know. */
  readonly kind?: LoggedKind | 'other' | undefined;
  readonly rowUuid?: string | undefined;
  readonly rowId?: number | undefined;
  readonly actorKind?: HistoryActor | undefined;
  readonly actorId?: number | undefined;
  readonly operation?: string | undefined;
  /** Earliest time of a commit, included. */
  readonly from?: Date | undefined;
  /** Latest time of a commit, excluded. */
  readonly to?: Date | undefined;
}

/** Newest commit first; within a commit, the last change first. */
export const historyCursorOrder: CursorOrder<HistoryRow> = {
  by: 'revision',
  direction: 'desc',
  positionOf: ({ revision, changeId }) => ({ value: String(revision), id: Number(changeId) }),
  isValue: (value) => /^\d{1,18}$/.test(value),
  idMax: Number.MAX_SAFE_INTEGER,
};

const all = (conditions: readonly (Prisma.Sql | false | undefined)[]): Prisma.Sql =>
  Prisma.join([Prisma.sql`TRUE`, ...conditions.filter((condition) => typeof condition === 'object')], ' AND ');

/** Conditions on changes `h`. */
const changesLike = ({ eventId, kind, rowUuid, rowId }: HistoryFilter): Prisma.Sql =>
  all([
    eventId !== undefined && Prisma.sql`h.event_id = ${eventId}`,
    kind !== undefined && ofKind(kind),
    rowUuid !== undefined && Prisma.sql`h.uuid = ${rowUuid}::uuid`,
    rowId !== undefined && Prisma.sql`h.row_id = ${rowId}`,
  ]);

function ofKind(kind: LoggedKind | 'other'): Prisma.Sql {
  const known = [...kindsByTable.keys()];
  return kind === 'other'
    ? Prisma.sql`h.kind <> ALL(${known}::text[])`
    : Prisma.sql`h.kind = ${known.find((table) => kindsByTable.get(table) === kind)}`;
}

/**
 * A revision is at least the clock in microseconds before its transaction waited for the other writers of the business. They are
 * done long within this time, so commits from a time on are a range of the index.
 */
const lockWaitMs = 3_600_000;

/** Conditions on commits `c`. */
const commitsLike = ({ actorKind, actorId, operation, from, to }: HistoryFilter): Prisma.Sql =>
  all([
    actorKind === 'other'
      ? Prisma.sql`c.actor_kind <> ALL(${historyActorNames}::text[])`
      : actorKind !== undefined && Prisma.sql`c.actor_kind = ${actorKind}`,
    actorId !== undefined && Prisma.sql`c.actor_id = ${actorId}`,
    operation !== undefined && Prisma.sql`c.operation = ${operation}`,
    from &&
      Prisma.sql`c.revision >= ${BigInt(from.getTime() - lockWaitMs) * 1000n} AND c.at >= ${from.toISOString()}::timestamptz`,
    to && Prisma.sql`c.at < ${to.toISOString()}::timestamptz`,
  ]);

/** The end of a query for the changes of a window, newest first. The first comparison alone is a range of the index of commits. */
function within(window: PageWindow): Prisma.Sql {
  const { limit, offset = 0, after } = window;
  const { direction, beyond } = directionOf(window, 'desc');
  const behind = after
    ? Prisma.sql`AND c.revision ${beyond}= ${BigInt(after.value)}
        AND (c.revision, h.id) ${beyond} (${BigInt(after.value)}::bigint, ${BigInt(after.id)}::bigint)`
    : Prisma.empty;
  return Prisma.sql`${behind}
     ORDER BY c.revision ${direction}, h.id ${direction}
     LIMIT ${limit} OFFSET ${offset}`;
}

const commits = (db: TenantDb) => Prisma.sql`JOIN commits c ON c.business_id = ${db.$businessId} AND c.batch = h.batch`;

/**
 * Changes `h` of some rows, which PostgreSQL reads before it looks up their commits: reading the commits from the newest on
 * until a page is full would go through the whole log where a row has few changes.
 */
const changesOfRows = (db: TenantDb, condition: Prisma.Sql) =>
  Prisma.sql`(SELECT * FROM row_changes h WHERE h.business_id = ${db.$businessId} AND ${condition} OFFSET 0) AS h`;

/** Changes `h` with their commits `c`. Those that no row or event narrows are read in the order of the commits. */
function changesWithCommits(db: TenantDb, filter: HistoryFilter): Prisma.Sql {
  const { eventId, rowUuid, rowId } = filter;
  const areFew = eventId !== undefined || rowUuid !== undefined || rowId !== undefined;
  const changes = areFew ? changesOfRows(db, changesLike(filter)) : Prisma.sql`row_changes h`;
  return Prisma.sql`${changes} ${commits(db)}
     WHERE h.business_id = ${db.$businessId} AND ${changesLike(filter)} AND ${commitsLike(filter)}`;
}

/** Reads one page of changes, newest first. */
export function readHistoryPage(db: TenantDb, filter: HistoryFilter, window: PageWindow): Promise<HistoryRow[]> {
  return rawOf(db).$queryRaw<HistoryRow[]>(
    withEvents(
      db,
      Prisma.sql`
    SELECT ${loggedChangeColumns} FROM ${changesWithCommits(db, filter)} ${within(window)}`,
      window,
    ),
  );
}

/** Adds their events to the changes of a page. An event that is gone has its last values in the log. */
function withEvents(db: TenantDb, page: Prisma.Sql, window: PageWindow): Prisma.Sql {
  const { direction } = directionOf(window, 'desc');
  return Prisma.sql`
    SELECT page.*, coalesce(e.uuid, gone.uuid) AS "eventUuid", coalesce(e.title, gone.before->>'title') AS "eventTitle",
           coalesce(e.timezone, gone.before->>'timezone') AS timezone
      FROM (${page}) AS page
      LEFT JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = page."eventId"
      LEFT JOIN LATERAL (
        SELECT g.uuid, g.before FROM row_changes g
         WHERE g.business_id = ${db.$businessId} AND g.kind = 'events' AND g.row_id = page."eventId" AND g.change = 'delete'
           AND e.id IS NULL
         LIMIT 1) AS gone ON TRUE
     ORDER BY "revision" ${direction}, "changeId" ${direction}`;
}

export async function countHistory(db: TenantDb, filter: HistoryFilter): Promise<number> {
  const { actorKind, actorId, operation, from, to } = filter;
  const needsCommits = [actorKind, actorId, operation, from, to].some((condition) => condition !== undefined);
  // Each change has a commit, so without conditions on commits the changes alone are counted.
  const source = needsCommits
    ? changesWithCommits(db, filter)
    : Prisma.sql`row_changes h WHERE h.business_id = ${db.$businessId} AND ${changesLike(filter)}`;
  return readTotal(db, Prisma.sql`SELECT count(*)::int AS total FROM ${source}`);
}

/** Rows whose history can be a part of them: an event with all that belongs to it, or a shift alone. */
export type HistoryParent = 'eventId' | 'workShiftId';

const parentConditions: Record<HistoryParent, (id: Prisma.Sql) => Prisma.Sql> = {
  eventId: (id) => Prisma.sql`h.event_id = ${id}`,
  workShiftId: (id) => Prisma.sql`h.kind = 'work_shifts' AND h.row_id = ${id}`,
};

/** Reads the same window of the changes of each of many parents, in one statement. */
export function readHistoryOfParents(
  db: TenantDb,
  parent: HistoryParent,
  ids: readonly number[],
  window: PageWindow,
): Promise<(HistoryRow & { readonly parentId: number })[]> {
  const ofParent = changesOfRows(db, parentConditions[parent](Prisma.sql`asked.id`));
  return rawOf(db).$queryRaw<(HistoryRow & { readonly parentId: number })[]>(
    withEvents(
      db,
      Prisma.sql`
    SELECT asked.id AS "parentId", found.* FROM unnest(${ids}::int[]) AS asked (id)
     CROSS JOIN LATERAL (
       SELECT ${loggedChangeColumns} FROM ${ofParent} ${commits(db)} ${within(window)}) AS found`,
      window,
    ),
  );
}

/** Counts the changes of each parent. A parent without any has no row. */
export async function countHistoryOfParents(
  db: TenantDb,
  parent: HistoryParent,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await rawOf(db).$queryRaw<{ id: number; total: number }[]>(Prisma.sql`
    SELECT asked.id, count(*)::int AS total FROM unnest(${ids}::int[]) AS asked (id)
      JOIN row_changes h ON h.business_id = ${db.$businessId} AND ${parentConditions[parent](Prisma.sql`asked.id`)}
     GROUP BY asked.id`);
  return new Map(rows.map(({ id, total }) => [id, total]));
}

/** The id of an event or a shift that exists, or that the log remembers. */
export async function findRowWithHistory(
  db: TenantDb,
  table: 'events' | 'work_shifts',
  uuid: string,
): Promise<number | null> {
  const rows = table === 'events' ? rowsOfBusiness(db, 'events', 'r') : rowsOfBusiness(db, 'work_shifts', 'r');
  const [row] = await rawOf(db).$queryRaw<{ id: number }[]>(Prisma.sql`
    SELECT r.id FROM ${rows} WHERE r.uuid = ${uuid}::uuid
     UNION ALL
    SELECT h.row_id FROM row_changes h
     WHERE h.business_id = ${db.$businessId} AND h.uuid = ${uuid}::uuid AND h.kind = ${table}
     LIMIT 1`);
  return row?.id ?? null;
}
