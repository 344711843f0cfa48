import { Prisma } from '../generated/prisma/client.ts';
import { columnOf, tables, type SecretKind, type Table } from './registry.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/*
 * All rows of one business, table by table, as they move to another database. The rows carry no number of a business: a read is
 * bound to one, and a write stamps one, so that no row can come from another business or get into one.
 */

export interface MovedTable {
  readonly name: string;
  /** The column of the business. It is not part of a row. */
  readonly business: string;
  readonly columns: readonly string[];
  /** Columns that order the rows of a business; none if it has one row. All are numbers. */
  readonly key: readonly string[];
  readonly secrets: Readonly<Record<string, SecretKind>>;
  readonly globallyUnique: readonly string[];
  /** Sequences, by the column that they number. Null: the one that belongs to the column. */
  readonly sequences: Readonly<Record<string, string | null>>;
}

/** Rows of a table before those that refer to them: the registry has this order. */
export const movedTables: readonly MovedTable[] = tables.flatMap((table) =>
  table.businessField === null || table.staysBehind !== null ? [] : [movedTable(table, table.businessField)],
);

function movedTable(entry: Table, businessField: string): MovedTable {
  const fields = Object.keys(Prisma[`${entry.model}ScalarFieldEnum`]);
  const byColumn = <T>(facts: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(facts).map(([field, fact]) => [columnOf(field), fact]));
  return {
    name: entry.table,
    business: columnOf(businessField),
    columns: fields.filter((field) => field !== businessField).map(columnOf),
    key: entry.key.filter((field) => field !== businessField).map(columnOf),
    secrets: byColumn(entry.secrets),
    globallyUnique: entry.globallyUnique.map(columnOf),
    sequences: { ...(fields.includes('id') && { id: null }), ...byColumn(entry.sequences) },
  };
}

/**
 * Gathers anew the statistics that PostgreSQL plans statements with. Of a business that they do not know, it expects one row, and
 * may read all of them where it needs a few.
 */
export async function analyzeTables(db: TenantDb): Promise<void> {
  for (const { table } of tables.filter(({ businessField }) => businessField !== null))
    await rawOf(db).$executeRaw(Prisma.sql`ANALYZE ${name(table)}`);
}

const name = (identifier: string) => Prisma.raw(`"${identifier}"`);
const list = (alias: string, columns: readonly string[]) =>
  Prisma.raw(columns.map((column) => `${alias}."${column}"`).join(', '));
const source = ({ name: table }: MovedTable) => Prisma.raw(`"${table}" AS t`);

/** A row as JSON, and its place in the order of the key. */
export interface MovedRow {
  readonly row: string;
  readonly place: string;
}

/** Reads the next rows of the business behind a place, or its first ones. */
export function readRowsAfter(
  db: TenantDb,
  table: MovedTable,
  place: string | null,
  atMost: number,
): Promise<MovedRow[]> {
  const key = list('t', table.key);
  const behind =
    place === null
      ? Prisma.empty
      : Prisma.sql`AND (${key}) > (${Prisma.join(place.split(' ').map((part) => Prisma.sql`${part}::bigint`))})`;
  return rawOf(db).$queryRaw<MovedRow[]>(Prisma.sql`
    SELECT row_to_json(r)::text AS row, ${table.key.length > 0 ? Prisma.sql`concat_ws(' ', ${key})` : Prisma.sql`''`} AS place
      FROM ${source(table)} CROSS JOIN LATERAL (SELECT ${list('t', table.columns)}) AS r
     WHERE t.${name(table.business)} = ${db.$businessId} ${behind}
     ${table.key.length > 0 ? Prisma.sql`ORDER BY ${key}` : Prisma.empty} LIMIT ${atMost}`);
}

/** Adds rows to the business. They must have all columns of the table. */
export async function insertMovedRows(db: TenantDb, table: MovedTable, rows: readonly string[]): Promise<void> {
  await rawOf(db).$executeRaw(Prisma.sql`
    INSERT INTO ${name(table.name)} (${name(table.business)}, ${Prisma.raw(table.columns.map((column) => `"${column}"`).join(', '))})
    SELECT ${db.$businessId}::int, ${list('r', table.columns)} FROM ${sent(table, rows)}`);
}

const sent = ({ name: table }: MovedTable, rows: readonly string[]) =>
  Prisma.sql`json_populate_recordset(NULL::${name(table)}, ${`[${rows.join(',')}]`}::json) AS r`;

/** Finds values of the rows that may be there once only, and that another business has. */
export async function findTakenValues(db: TenantDb, table: MovedTable, rows: readonly string[]): Promise<string[]> {
  const taken: string[] = [];
  for (const column of table.globallyUnique) {
    const found = await rawOf(db).$queryRaw<{ value: string }[]>(Prisma.sql`
      SELECT r.${name(column)}::text AS value FROM ${sent(table, rows)} JOIN ${source(table)} USING (${name(column)})
       WHERE t.${name(table.business)} <> ${db.$businessId} ORDER BY 1 LIMIT 5`);
    taken.push(...found.map(({ value }) => value));
  }
  return taken;
}

/**
 * Makes the sequences of a table go on behind the numbers of the business. They number the rows of all businesses, so a file moves
 * one at most to the middle of its bounds, and not beyond what JSON can carry: whatever numbers a file has, as many are left for
 * everybody. A sequence reaches higher numbers only after it has given out all below them. A sequence with bounds that exclude the
 * numbers stays: that of a cell numbers its own businesses only.
 */
export async function advanceSequences(db: TenantDb, table: MovedTable): Promise<void> {
  for (const [column, sequence] of Object.entries(table.sequences)) {
    const found = sequence ?? Prisma.sql`pg_get_serial_sequence(${`"${table.name}"`}, ${column})`;
    await rawOf(db).$queryRaw(Prisma.sql`
      SELECT setval(s.id, m.newest)::text
        FROM (SELECT ${found}::regclass AS id) AS s JOIN pg_sequence q ON q.seqrelid = s.id
       CROSS JOIN LATERAL (SELECT max(t.${name(column)})::bigint AS newest FROM ${source(table)}
                            WHERE t.${name(table.business)} = ${db.$businessId}
                              AND t.${name(column)} BETWEEN q.seqmin
                                  AND least(q.seqmin / 2 + q.seqmax / 2, ${Number.MAX_SAFE_INTEGER}::bigint / 2)) AS m
       WHERE m.newest > coalesce(pg_sequence_last_value(s.id), 0)`);
  }
}

/** Counts what a business has, and what of it is still to come. */
export async function countWhatIsLeft(db: TenantDb, now: Date) {
  const toCome = { endsAt: { gt: now } };
  const [users, events, eventsToCome, workShifts] = await Promise.all([
    db.user.count({ where: { deletedAt: null } }),
    db.event.count({ where: { status: { not: 'deleted' } } }),
    db.event.count({ where: { status: { in: ['active', 'draft'] }, ...toCome } }),
    db.workShift.count({ where: { status: 'active', OR: [toCome, { endsAt: null }] } }),
  ]);
  return { users, events, eventsToCome, workShifts };
}

/**
 * Deletes the business with all of its rows, those that refer to others first, and returns their numbers by table. Triggers
 * write neither a log nor a revision of it, because these go as well.
 */
export async function deleteBusinessRows(db: TenantDb): Promise<Record<string, number>> {
  await rawOf(db).$queryRaw(Prisma.sql`
    SELECT set_config('callboard.log', 'off', TRUE),
           set_config('callboard.changed', pg_current_xact_id() || ':' || ${db.$businessId}::int, TRUE)`);
  const own = tables.filter(({ businessField }) => businessField === 'businessId').toReversed();
  const ordered = [
    ...own.filter(({ followsFrom }) => followsFrom === null),
    ...own.filter(({ followsFrom }) => followsFrom !== null),
    ...tables.filter(({ businessField }) => businessField === 'id'),
  ];
  const counts: Record<string, number> = {};
  for (const { table, businessField } of ordered)
    counts[table] = await rawOf(db).$executeRaw(Prisma.sql`
      DELETE FROM ${name(table)} AS t WHERE t.${name(columnOf(businessField ?? ''))} = ${db.$businessId}`);
  return counts;
}
