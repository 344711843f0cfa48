import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { atEnd } from './jest/at-end.mjs';
import { embeddedTemplate } from './template.ts';

/*
 * Opening an embedded database takes about a second of processor time, emptying it a twentieth of that. So each worker
 * keeps the databases that its test files have released, and lends them to the next ones.
 */

interface PooledDatabase {
  readonly pglite: PGlite;
  /** Digest of the schema when the database was opened. */
  readonly schema: string;
}

const idle: PooledDatabase[] = [];

// An open database keeps its process alive.
atEnd(() => Promise.all(idle.map(({ pglite }) => pglite.close())));

/** Lends a migrated, empty database. Nobody else uses it until it is released. */
export async function lendPglite(): Promise<{ pglite: PGlite; release: () => Promise<void> }> {
  const database = idle.pop() ?? (await open());
  return { pglite: withoutClose(database.pglite), release: () => takeBack(database) };
}

async function open(): Promise<PooledDatabase> {
  const pglite = await PGlite.create({ loadDataDir: new Blob([await readFile(embeddedTemplate)]) });
  return { pglite, schema: await readSchema(pglite) };
}

/** A database whose schema a test has changed is closed for good. */
async function takeBack({ pglite, schema }: PooledDatabase): Promise<void> {
  await pglite.exec('DROP SCHEMA IF EXISTS kept CASCADE');
  await pglite.exec('DISCARD ALL');
  if ((await readSchema(pglite)) !== schema) return pglite.close();
  await pglite.exec(`
    DO $$ BEGIN
      EXECUTE (SELECT format('TRUNCATE %s RESTART IDENTITY', string_agg(format('%I', tablename), ', '))
        FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations');
    END $$`);
  idle.push({ pglite, schema });
}

/** Digest of all tables, columns, constraints, triggers and functions. */
async function readSchema(pglite: PGlite): Promise<string> {
  const { rows } = await pglite.query<{ schema: string }>(`
    SELECT md5(string_agg(part, ',' ORDER BY part)) AS schema FROM (
      SELECT concat_ws(' ', c.oid, relname, attname, atttypid, attnotnull) AS part
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE relnamespace = 'public'::regnamespace
      UNION ALL SELECT concat_ws(' ', oid, conname) FROM pg_constraint
      UNION ALL SELECT concat_ws(' ', oid, tgname, tgenabled) FROM pg_trigger
      UNION ALL SELECT concat_ws(' ', oid, proname, md5(prosrc)) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    ) parts`);
  return rows[0]?.schema ?? '';
}

/** The database as its borrower sees it. Closing it, even twice, leaves the real one open. */
function withoutClose(pglite: PGlite): PGlite {
  let isClosed = false;
  return new Proxy(pglite, {
    get: (target, name) => {
      if (name === 'closed') return isClosed;
      if (name === 'close') return async () => void (isClosed = true);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
