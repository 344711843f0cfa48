import { beforeAll, beforeEach } from '@jest/globals';
import { columnOf, tables } from '../../src/db/registry.ts';
import type { PrismaClient } from '../../src/generated/prisma/client.ts';
import type { TestApp } from './app.ts';

/** All but the revision, which must not come twice. */
const kept = tables.flatMap(({ table, businessField }) =>
  businessField === null || table === 'business_revisions' ? [] : [{ table, column: columnOf(businessField) }],
);

/**
 * Keeps the rows of businesses as they are now, and returns what puts them back: that takes a twentieth of the work of making them
 * anew. A database keeps the rows of one call at a time.
 */
export async function keepRows(prisma: PrismaClient, businessIds: readonly number[]): Promise<() => Promise<void>> {
  const ids = businessIds.join(', ');
  const run = async (statements: readonly string[]) =>
    void (await prisma.$executeRawUnsafe(`DO $do$ BEGIN ${statements.join(';\n')}; END $do$`));
  await run([
    'DROP SCHEMA IF EXISTS kept CASCADE',
    'CREATE SCHEMA kept',
    ...kept.map(
      ({ table, column }) => `CREATE TABLE kept.${table} AS SELECT * FROM public.${table} WHERE ${column} IN (${ids})`,
    ),
    // A function, because PostgreSQL keeps the plans of its statements.
    `CREATE FUNCTION kept.put_back() RETURNS void LANGUAGE plpgsql SET session_replication_role = replica AS $put$ BEGIN
       ${kept.map(({ table, column }) => `DELETE FROM public.${table} WHERE ${column} IN (${ids}); INSERT INTO public.${table} SELECT * FROM kept.${table};`).join('\n')}
     END $put$`,
  ]);
  return () => run(['PERFORM kept.put_back()', ...businessIds.map((id) => `PERFORM public.revise(${id})`)]);
}

/**
 * Declares rows of businesses that are made once and put back before each test. `makeRows` returns the ids of the businesses. Returns
 * what puts the rows back within a test.
 */
export function useKeptRows(service: TestApp, makeRows: () => Promise<readonly number[]>): () => Promise<void> {
  let putBack: () => Promise<void>;
  beforeAll(async () => {
    putBack = await keepRows(service.prisma, await makeRows());
  });
  beforeEach(() => putBack());
  return () => putBack();
}
