import { Prisma } from '../../generated/prisma/client.ts';
import { columnOf, tables, type Table } from '../../db/registry.ts';
import { findCheckChanges } from './checks.ts';
import { findStatisticsChanges } from './table-statistics.ts';
import { findTriggerChanges, type Query } from './triggers.ts';

export interface RegistryDiff {
  /** Contradictions between the registry and the schema. No migration can settle them. */
  readonly contradictions: string[];
  /** The SQL that a migration still has to run: triggers, length checks, and after how many rows statistics are gathered. */
  readonly statements: string[];
  /** CHECKs that only the author can write. */
  readonly advice: string[];
}

export interface StoredColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly default: string | null;
  /** Whether the column is part of a primary or foreign key. */
  readonly isKey: boolean;
}

/** Compares the registry with a database to which all migrations were applied. */
export async function diffRegistry(query: Query): Promise<RegistryDiff> {
  const columns = await readColumns(query);
  const stored = new Set(columns.map(({ table }) => table));
  const known = tables.filter(({ table }) => stored.has(table));
  const { statements, advice } = await findCheckChanges(query, known);
  const contradictions = [
    ...findMissingEntries(),
    ...tables
      .filter(({ table }) => !stored.has(table))
      .map(({ model, table }) => `${model}: the registry names the table ${table}, which schema.prisma does not have.`),
    ...known.flatMap((table) => contradictionsOf(table, columns)),
  ];
  if (contradictions.length > 0) return { contradictions, statements: [], advice: [] };
  const triggers = await findTriggerChanges(query, known);
  const statistics = await findStatisticsChanges(query, known);
  return { contradictions, statements: [...statements, ...triggers, ...statistics], advice };
}

/** Finds models without an entry. The compiler finds them as well, but the generator runs without it. */
const findMissingEntries = (): string[] =>
  Object.keys(Prisma.ModelName)
    .filter((model) => !tables.some((entry) => entry.model === model))
    .map((model) => `${model} of schema.prisma has no entry in src/db/registry.ts: add one.`);

function contradictionsOf({ model, table, versioned, texts }: Table, columns: readonly StoredColumn[]): string[] {
  const own = columns.filter((column) => column.table === table);
  const found: string[] = [];
  const version = own.find(({ column }) => column === 'version');
  const counts = version?.type === 'int4' && version.default === '1' && !version.isNullable;
  if (versioned && !counts) found.push(`${model} is versioned: give it \`version Int @default(1)\` in schema.prisma.`);
  if (!versioned && version)
    found.push(`${model} has a version: say \`versioned: true\` in its entry of the registry.`);

  const ruled = Object.keys(texts).map(columnOf);
  const stored = own.filter(({ type }) => type === 'text' || type === 'varchar').map(({ column }) => column);
  for (const column of stored.filter((each) => !ruled.includes(each)))
    found.push(`${model}: the text column ${column} has no rule in \`texts\` of its entry: say how long it may be.`);
  for (const column of ruled.filter((each) => !stored.includes(each)))
    found.push(`${model}: \`texts\` of its entry names ${column}, which is no text column of ${table}.`);
  return found;
}

export async function readColumns(query: Query): Promise<StoredColumn[]> {
  return query<StoredColumn>(`
    SELECT c.relname::text AS "table", a.attname::text AS "column", y.typname::text AS type, NOT a.attnotnull AS "isNullable",
           pg_get_expr(d.adbin, d.adrelid) AS "default",
           EXISTS (SELECT 1 FROM pg_constraint k
                    WHERE k.conrelid = c.oid AND k.contype IN ('p', 'f') AND a.attnum = ANY (k.conkey)) AS "isKey"
      FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      JOIN pg_type y ON y.oid = a.atttypid
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
     WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname <> '_prisma_migrations'
     ORDER BY c.relname, a.attnum`);
}

/**
 * Finds columns whose type admits senseless values, such as a negative rate or an end before its start, and that have
 * no CHECK.
 */
export function findUncheckedColumns(columns: readonly StoredColumn[], before: readonly StoredColumn[]): string[] {
  const isNew = ({ table, column }: StoredColumn) =>
    !before.some((each) => each.table === table && each.column === column);
  const isBoundable = ({ type, isKey, default: value }: StoredColumn) =>
    !isKey && value === null && /^(numeric|int\d|float\d|date|time|timestamp|timestamptz|bytea|jsonb?|_.*)$/.test(type);
  return columns
    .filter((column) => isNew(column) && isBoundable(column))
    .map(({ table, column, type }) => `${table}.${column} (${type.replace(/^_(.*)/, '$1[]')})`);
}
