import { Prisma } from '../generated/prisma/client.ts';
import type { LoggedTable } from './change-log.ts';
import { rawOf } from './raw.ts';
import { rowsOfBusiness } from './sources.ts';
import type { TenantDb } from './tenant.ts';

/** A row that an entry of the history is about, or refers to. */
export interface NamedRow {
  readonly table: LoggedTable;
  readonly id: number;
}

/** The names that people know rows by, as they are now. A row that is gone has none. Reads all of them in one statement. */
export async function readRowNames(db: TenantDb, rows: readonly NamedRow[]): Promise<(row: NamedRow) => string | null> {
  const tables = [...new Set(rows.map(({ table }) => table))];
  if (tables.length === 0) return () => null;
  const queries = tables.map((table) => {
    const ids = [...new Set(rows.flatMap((row) => (row.table === table ? [row.id] : [])))];
    return Prisma.sql`SELECT ${table}::text AS "table", named.id, named.name
        FROM (${nameQueries[table](db)}) AS named (id, name) WHERE named.id = ANY(${ids}::int[])`;
  });
  const found = await rawOf(db).$queryRaw<(NamedRow & { readonly name: string })[]>(
    Prisma.join(queries, ' UNION ALL '),
  );
  const names = new Map(found.map(({ table, id, name }) => [`${table} ${id}`, name]));
  return ({ table, id }) => names.get(`${table} ${id}`) ?? null;
}

const users = (db: TenantDb) => rowsOfBusiness(db, 'users', 'u');
const positions = (db: TenantDb) => rowsOfBusiness(db, 'positions', 'p');
const customFields = (db: TenantDb) => Prisma.sql`SELECT f.id, f.name FROM ${rowsOfBusiness(db, 'custom_fields', 'f')}`;

type NameQuery = (db: TenantDb) => Prisma.Sql;

/** Queries of ids with names. A shift is known by its person, a call time by its position, a value by its field. */
const nameQueries: Readonly<Record<LoggedTable, NameQuery>> = {
  users: (db) => Prisma.sql`SELECT u.id, u.name FROM ${users(db)}`,
  positions: (db) => Prisma.sql`SELECT p.id, p.title FROM ${positions(db)}`,
  skill_levels: (db) => Prisma.sql`SELECT l.id, l.name FROM ${rowsOfBusiness(db, 'skill_levels', 'l')}`,
  events: (db) => Prisma.sql`SELECT e.id, e.title FROM ${rowsOfBusiness(db, 'events', 'e')}`,
  call_times: (db) =>
    Prisma.sql`SELECT c.id, p.title FROM ${rowsOfBusiness(db, 'call_times', 'c')} JOIN ${positions(db)} ON p.id = c.position_id`,
  work_shifts: (db) =>
    Prisma.sql`SELECT s.id, u.name FROM ${rowsOfBusiness(db, 'work_shifts', 's')} JOIN ${users(db)} ON u.id = s.user_id`,
  custom_fields: customFields,
  custom_field_values: customFields,
};
