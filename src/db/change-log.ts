import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import { kindsByTable, type LoggedTable } from './registry.ts';
import { rawOf, type RawSql, type TenantDb } from './tenant.ts';

/** The caller, the operation and the request that make the changes of a transaction. The change log stores them with the commit. */
export interface ChangeOrigin {
  /** Kind, id and name of the caller. The operator has only a kind, and the service itself has none. */
  readonly kind?: 'user' | 'apiKey' | 'screen' | 'operator';
  readonly id?: number;
  readonly name?: string;
  /** Name of the operation, or `cli.<command>`. */
  readonly operation: string;
  readonly requestId?: string;
}

/** An expression that notes the origin of the transaction's changes. */
const noted = (origin: ChangeOrigin): Prisma.Sql =>
  Prisma.sql`set_config('callboard.origin', ${JSON.stringify(origin)}::text, TRUE)`;

export async function noteOrigin(tx: RawSql, origin: ChangeOrigin): Promise<void> {
  await tx.$queryRaw(Prisma.sql`SELECT ${noted(origin)}`);
}

/** A query of one row that notes the origin of the statement it is part of; none where the query `held` has none. */
export function noteOriginWith(origin: ChangeOrigin, held?: Prisma.Sql): Prisma.Sql {
  return held ? Prisma.sql`SELECT ${noted(origin)} FROM (${held}) AS held` : Prisma.sql`SELECT ${noted(origin)}`;
}

/** Makes a transaction's changes stay out of the change log, for bulk loads. */
export async function stopLogging(tx: RawSql): Promise<void> {
  await tx.$queryRaw`SELECT set_config('callboard.log', 'off', TRUE)`;
}

/**
 * Prepares the import of a business, whose row the transaction has just added: nothing is logged any more, because the log itself
 * is imported. The revision and the commit that the row asks for are made now, so that the end of the transaction makes no others.
 */
export async function beginMovedLog(tx: TenantDb): Promise<void> {
  const raw = rawOf(tx);
  await stopLogging(raw);
  await raw.$executeRaw`SET CONSTRAINTS ALL IMMEDIATE`;
  await raw.$executeRaw(Prisma.sql`DELETE FROM commits WHERE business_id = ${tx.$businessId}`);
}

/**
 * Adds the commit of the import itself. Its revision is higher than all that the business had before it moved, in commits that did not
 * move as well, because none of these is above the clock, if the clocks of both sides agree.
 */
export async function endMovedLog(tx: TenantDb, operation: string): Promise<void> {
  const { $businessId } = tx;
  await rawOf(tx).$executeRaw(Prisma.sql`
    WITH made AS (
      UPDATE business_revisions SET revision = greatest(extract(epoch FROM clock_timestamp()) * 1000000, ${newestRevision(tx)} + 1)
       WHERE business_id = ${$businessId} RETURNING revision)
    INSERT INTO commits (business_id, revision, actor_kind, operation)
    SELECT ${$businessId}::int, made.revision, 'operator', ${operation} FROM made`);
}

/**
 * Deletes commits of all businesses that are older than a time, at most `atMost` of them, with their changes. The newest commit
 * of a business stays, because a reader that has seen everything holds its cursor. Returns how many.
 */
export function deleteCommitsBefore(prisma: PrismaClient, before: Date, atMost: number): Promise<number> {
  // A revision is never below the clock in microseconds at its commit, so older commits have lower ones.
  return prisma.$executeRaw(Prisma.sql`
    WITH expired AS MATERIALIZED (
      SELECT old.* FROM business_revisions r
       CROSS JOIN LATERAL (
         SELECT c.business_id, c.revision, c.batch FROM commits c
          WHERE c.business_id = r.business_id AND c.revision < least(r.revision, ${before.getTime() * 1000}::bigint)
            AND c.at < ${before.toISOString()}::timestamptz
          ORDER BY c.revision LIMIT ${atMost} FOR UPDATE SKIP LOCKED) AS old
       LIMIT ${atMost}),
    emptied AS (
      DELETE FROM row_changes h USING expired e WHERE h.business_id = e.business_id AND h.batch = e.batch)
    DELETE FROM commits c USING expired e WHERE c.business_id = e.business_id AND c.revision = e.revision`);
}

/** A position in the change log of a business: behind one change of a commit, or behind all of them where `changeId` is null. */
export interface LogPosition {
  readonly revision: bigint;
  readonly changeId: bigint | null;
}

/** One changed row, with the commit that it is part of. */
export interface LoggedChange {
  readonly revision: bigint;
  readonly changeId: bigint;
  readonly at: Date;
  /** Another version may have written a kind that this one does not know. */
  readonly actorKind: string | null;
  readonly actorId: number | null;
  readonly actorName: string | null;
  readonly operation: string | null;
  readonly requestId: string | null;
  readonly table: LoggedTable;
  /** Id of the row; of a custom field value, that of its custom field. */
  readonly rowId: number;
  readonly uuid: string | null;
  /** Id of the event that the row is, or belongs to. */
  readonly eventId: number | null;
  readonly change: 'insert' | 'update' | 'delete';
  /** Values by column: those that changed, or all of a deleted row. Null for a new row. */
  readonly before: Readonly<Record<string, unknown>> | null;
  /** Values by column: those that changed, or all of a new row. Null for a deleted row. */
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** Columns of `LoggedChange`, of a commit `c` and its change `h`. */
export const loggedChangeColumns = Prisma.sql`
  c.revision, h.id AS "changeId", c.at, c.actor_kind AS "actorKind", c.actor_id AS "actorId", c.actor_name AS "actorName",
  c.operation, c.request_id AS "requestId", h.kind AS "table", h.row_id AS "rowId", h.uuid, h.event_id AS "eventId",
  h.change, h.before, h.after`;

/** Changes in the order of their commits, without those of unknown tables, and the position behind them. */
export interface LogPage {
  readonly changes: readonly LoggedChange[];
  readonly end: LogPosition;
  readonly hasMore: boolean;
}

/** A query of the ids of rows of which this transaction has changed one of these columns. */
export function changedHere(db: TenantDb, kind: LoggedTable, columns: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    SELECT h.row_id FROM row_changes h
     WHERE h.business_id = ${db.$businessId} AND h.batch = nullif(current_setting('callboard.batch', TRUE), '')::bigint
       AND h.kind = ${kind} AND h.before - ${[...columns]}::text[] <> h.before AND h.change = 'update'`;
}

/**
 * A query of the ids of the events with changes since a time, also of rows that are deleted. A revision is never below the clock
 * in microseconds at its commit, so the key of commits is read from there on.
 */
export function eventsChangedSince(db: TenantDb, since: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT h.event_id FROM commits c JOIN row_changes h ON h.business_id = c.business_id AND h.batch = c.batch
     WHERE c.business_id = ${db.$businessId} AND c.revision >= ${since.getTime() * 1000}::bigint
       AND c.at >= ${since.toISOString()}::timestamptz AND h.event_id IS NOT NULL`;
}

/**
 * A query of the changes that decide who sees an event, its call times and its shifts, from a commit on: `revision`, `id`, `table`,
 * `rowId`, `change` and `before`.
 */
export function changesOfSightSince(db: TenantDb, eventId: Prisma.Sql, revision: bigint): Prisma.Sql {
  return Prisma.sql`
    SELECT c.revision, h.id, h.kind AS "table", h.row_id AS "rowId", h.change, h.before
      FROM row_changes h JOIN commits c ON c.business_id = h.business_id AND c.batch = h.batch
     WHERE h.business_id = ${db.$businessId} AND h.event_id = ${eventId} AND c.revision >= ${revision}
       AND h.kind IN ('events', 'call_times', 'work_shifts')
       AND (h.change <> 'update' OR jsonb_exists_any(h.before, ARRAY['status', 'user_id', 'client_id']))`;
}

/** The position behind everything that is committed. */
export async function readLogEnd(db: TenantDb): Promise<LogPosition> {
  const [row] = await rawOf(db).$queryRaw<{ revision: bigint }[]>(Prisma.sql`SELECT ${newestRevision(db)} AS revision`);
  return { revision: row!.revision, changeId: null };
}

const newestRevision = (db: TenantDb) =>
  Prisma.sql`(SELECT max(n.revision) FROM commits n WHERE n.business_id = ${db.$businessId})`;

/**
 * Reads the changes behind a position, at most `limit` of them. Null if the commit of the position is not in the log: it is too
 * old, or the database was restored from a backup without it, so that changes behind it may be missing. One statement, because
 * a commit could be deleted between two.
 */
export async function readLogAfter(
  db: TenantDb,
  { revision, changeId }: LogPosition,
  {
    limit,
    tables,
    eventId,
  }: { readonly limit: number; readonly tables?: readonly LoggedTable[]; readonly eventId?: number },
): Promise<LogPage | null> {
  const { $businessId } = db;
  const behind =
    changeId === null
      ? Prisma.sql`c.revision > ${revision}`
      : Prisma.sql`(c.revision > ${revision} OR (c.revision = ${revision} AND h.id > ${changeId}))`;
  const rows = await rawOf(db).$queryRaw<(LoggedChange & { readonly newest: bigint })[]>(Prisma.sql`
    SELECT known.newest, page.*
      FROM (SELECT ${newestRevision(db)} AS newest
             WHERE EXISTS (SELECT 1 FROM commits k WHERE k.business_id = ${$businessId} AND k.revision = ${revision})) AS known
      LEFT JOIN LATERAL (
        SELECT ${loggedChangeColumns}
          FROM commits c JOIN row_changes h ON h.business_id = c.business_id AND h.batch = c.batch
         WHERE c.business_id = ${$businessId} AND c.revision >= ${revision} AND ${behind}
           ${tables ? Prisma.sql`AND h.kind = ANY(${tables}::text[])` : Prisma.empty}
           ${eventId === undefined ? Prisma.empty : Prisma.sql`AND h.event_id = ${eventId}`}
         ORDER BY c.revision, h.id LIMIT ${limit + 1}) AS page ON TRUE`);
  const [first] = rows;
  if (!first) return null;
  const read = rows.filter((row) => row.changeId !== null).slice(0, limit);
  const last = read.at(-1);
  const changes = read.filter(({ table }) => kindsByTable.has(table));
  return rows.length > limit && last
    ? { changes, end: { revision: last.revision, changeId: last.changeId }, hasMore: true }
    : { changes, end: { revision: first.newest, changeId: null }, hasMore: false };
}

/** Whether the business has no commit behind a time. */
export async function isUnchangedSince(db: TenantDb, at: Date): Promise<boolean> {
  const rows = await rawOf(db).$queryRaw<unknown[]>(Prisma.sql`
    SELECT 1 FROM commits c WHERE c.business_id = ${db.$businessId} AND c.at > ${at.toISOString()}::timestamptz LIMIT 1`);
  return rows.length === 0;
}
