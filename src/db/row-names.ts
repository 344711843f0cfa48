import { Prisma } from '../generated/prisma/client.ts';
import { tables, type LoggedTable, type NamelessTable } from './registry.ts';
import { rowsOfBusiness } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** A row that an entry of the history is about, or refers to. */
export interface NamedRow {
  readonly table: LoggedTable;
  readonly id: number;
}

/** The names that people know rows by, as they are now. A row that is gone has none. Reads all of them in one statement. */
export async function readRowNames(db: TenantDb, rows: readonly NamedRow[]): Promise<(row: NamedRow) => string | null> {
  const among = [...new Set(rows.map(({ table }) => table))];
  if (among.length === 0) return () => null;
  const queries = among.map((table) => {
    const ids = [...new Set(rows.flatMap((row) => (row.table === table ? [row.id] : [])))];
    return Prisma.sql`SELECT ${table}::text AS "table", named.id, named.name
        FROM (${namesIn(db, table)}) AS named (id, name) WHERE named.id = ANY(${ids}::int[])`;
  });
  const found = await rawOf(db).$queryRaw<(NamedRow & { readonly name: string })[]>(
    Prisma.join(queries, ' UNION ALL '),
  );
  const names = new Map(found.map(({ table, id, name }) => [`${table} ${id}`, name]));
  return ({ table, id }) => names.get(`${table} ${id}`) ?? null;
}

/** A query of ids with names: a row has a name or a title, or is known by another row. */
function namesIn(db: TenantDb, table: LoggedTable): Prisma.Sql {
  if (table in namesOfOthers) return namesOfOthers[table as NamelessTable](db);
  const { texts } = tables.find((entry) => entry.table === table)!;
  return Prisma.sql`SELECT r.id, r.${Prisma.raw('name' in texts ? 'name' : 'title')} FROM ${rowsOfBusiness(db, table, 'r')}`;
}

type NameQuery = (db: TenantDb) => Prisma.Sql;

const personOf = (db: TenantDb, table: 'availability_patterns' | 'availability_exceptions') => Prisma.sql`
    SELECT a.id, u.name FROM ${rowsOfBusiness(db, table, 'a')} JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = a.user_id`;

/**
 * A shift, a swap, a part in an offer, and what somebody said or holds, are known by the person, a call time by its position, a value by its
 * field, and a requirement by its qualification.
 */
const namesOfOthers: Readonly<Record<NamelessTable, NameQuery>> = {
  call_times: (db) => Prisma.sql`
    SELECT c.id, p.title FROM ${rowsOfBusiness(db, 'call_times', 'c')}
      JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = c.position_id`,
  work_shifts: (db) => Prisma.sql`
    SELECT s.id, u.name FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
      JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = s.user_id`,
  availability_patterns: (db) => personOf(db, 'availability_patterns'),
  availability_exceptions: (db) => personOf(db, 'availability_exceptions'),
  offer_recipients: (db) => Prisma.sql`
    SELECT r.id, u.name FROM ${rowsOfBusiness(db, 'offer_recipients', 'r')}
      JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = r.user_id`,
  attendance: (db) => Prisma.sql`
    SELECT s.id, u.name FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
      JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = s.user_id`,
  shift_swaps: (db) => Prisma.sql`
    SELECT w.id, u.name FROM ${rowsOfBusiness(db, 'shift_swaps', 'w')}
      JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = w.from_user_id`,
  user_qualifications: (db) => Prisma.sql`
    SELECT h.id, u.name || ': ' || q.name FROM ${rowsOfBusiness(db, 'user_qualifications', 'h')}
      JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = h.user_id
      JOIN ${rowsOfBusiness(db, 'qualifications', 'q')} ON q.id = h.qualification_id`,
  requirements: (db) => Prisma.sql`
    SELECT x.id, q.name FROM ${rowsOfBusiness(db, 'requirements', 'x')}
      JOIN ${rowsOfBusiness(db, 'qualifications', 'q')} ON q.id = x.qualification_id`,
  custom_field_values: (db) => Prisma.sql`SELECT f.id, f.name FROM ${rowsOfBusiness(db, 'custom_fields', 'f')}`,
};
