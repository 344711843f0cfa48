import { PGlite } from '@electric-sql/pglite';
import { inTransaction } from '../../db/migrations/migration-statements.ts';
import { readMigrations } from '../../db/migrations/migrations.ts';
import { diffRegistry, findUncheckedColumns, readColumns, type RegistryDiff } from './registry-diff.ts';
import { diffSchema } from './schema-engine.ts';
import type { Query } from './triggers.ts';

/** The SQL that leads from the migrations, applied to a throw-away database, to schema.prisma; '' when they agree. */
export async function schemaDrift(): Promise<string> {
  const pglite = new PGlite();
  try {
    return withoutComments(await diffSchema(pglite));
  } finally {
    await pglite.close();
  }
}

/** Prisma writes an empty difference as a comment. */
const withoutComments = (sql: string) => (/^(?!--)\S/m.test(sql) ? sql : '');

export interface NextMigration extends Pick<RegistryDiff, 'contradictions' | 'advice'> {
  /** Scripts, each for a migration of its own. None where the migrations lead to schema.prisma and to what the registry asks for. */
  readonly scripts: readonly string[];
}

/** The migration that leads from those there are to schema.prisma and the registry, tried on a throw-away database. */
export async function nextMigration(): Promise<NextMigration> {
  const drift = await schemaDrift();
  const pglite = new PGlite();
  try {
    for (const { script } of await readMigrations()) await pglite.exec(inTransaction(script));
    const query: Query = async <Row>(sql: string) => (await pglite.query<Row>(sql)).rows;
    const before = await readColumns(query);
    if (drift !== '') await pglite.exec(drift);
    const { contradictions, statements, advice } = await diffRegistry(query);
    if (contradictions.length > 0) return { scripts: [], contradictions, advice: [] };

    await pglite.exec(statements.join('\n'));
    const unchecked = findUncheckedColumns(await readColumns(query), before);
    const checks = unchecked.map((column) => `${column} has no CHECK: write one if not every value makes sense.`);
    const { rest, alone } = takeIndexes(drift, [...new Set(before.map(({ table }) => table))]);
    const scripts = [joined(rest, statements), ...alone].filter(Boolean);
    return { scripts, contradictions, advice: [...advice, ...checks] };
  } finally {
    await pglite.close();
  }
}

/**
 * Takes the indexes of tables that are there already out of a script: they are made and dropped while writes go on, each by a
 * migration of its own. One that a foreign key may need stays, as does one that takes the place of another of its name.
 */
export function takeIndexes(sql: string, existing: readonly string[]): { rest: string; alone: string[] } {
  const parts = sql.split(/\n\n(?=-- )/);
  const isNeeded = parts.some((part) => part.includes('FOREIGN KEY'));
  const created: string[] = [];
  const dropped: string[] = [];
  const rest = parts.filter((part) => {
    const [, unique, index = '', table = ''] =
      /^-- CreateIndex\nCREATE (UNIQUE )?INDEX ("\w+") ON "(\w+)"/.exec(part) ?? [];
    const [, gone = ''] = /^-- DropIndex\nDROP INDEX ("\w+");/.exec(part) ?? [];
    const name = index || gone;
    const isSimple = name !== '' && parts.filter((each) => each.includes(`INDEX ${name}`)).length === 1;
    if (!isSimple || (index && (!existing.includes(table) || (unique && isNeeded)))) return true;
    const [, statement = ''] = /\n([^]*)/.exec(part) ?? [];
    if (index) created.push(`${statement.replace('INDEX', 'INDEX CONCURRENTLY IF NOT EXISTS').trimEnd()}\n`);
    else dropped.push(`${statement.replace('INDEX', 'INDEX CONCURRENTLY IF EXISTS').trimEnd()}\n`);
    return false;
  });
  // An old index is dropped once the new one that replaces it is there.
  return { rest: rest.map((part) => `${part.trimEnd()}\n`).join('\n'), alone: [...created, ...dropped] };
}

function joined(drift: string, statements: readonly string[]): string {
  if (statements.length === 0) return drift;
  const written = `-- As src/db/registry.ts asks for it.\n${statements.join('\n')}\n`;
  return drift === '' ? written : `${drift.trimEnd()}\n\n${written}`;
}
