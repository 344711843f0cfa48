import { PGlite } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { migrationNames, readMigrations, readSchema } from './migrations.ts';
import { diffRegistry, findUncheckedColumns, readColumns, type RegistryDiff } from './registry-diff.ts';
import { filters, openSchemaEngine } from './schema-engine.ts';
import type { Query } from './triggers.ts';

/** The SQL that leads from the migrations, applied to a throw-away database, to schema.prisma; '' when they agree. */
export async function schemaDrift(): Promise<string> {
  const pglite = new PGlite();
  const engine = await openSchemaEngine(await new PrismaPGlite(pglite).connect(), (script) => pglite.exec(script));
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'migrations', ...(await readMigrations(await migrationNames())) },
      to: { tag: 'schemaDatamodel', files: [await readSchema()] },
      script: true,
      exitCode: true,
      filters,
    });
    return withoutComments(stdout ?? '');
  } finally {
    engine.free();
    await pglite.close();
  }
}

/** Prisma writes an empty difference as a comment. */
const withoutComments = (sql: string) => (/^(?!--)\S/m.test(sql) ? sql : '');

export interface NextMigration extends Pick<RegistryDiff, 'contradictions' | 'advice'> {
  /** '' where the migrations lead to schema.prisma and to what the registry asks for. */
  readonly sql: string;
}

/** The migration that leads from those there are to schema.prisma and the registry, tried on a throw-away database. */
export async function nextMigration(): Promise<NextMigration> {
  const drift = await schemaDrift();
  const pglite = new PGlite();
  try {
    const { migrationDirectories } = await readMigrations(await migrationNames());
    for (const { migrationFile } of migrationDirectories)
      if (migrationFile.content.tag === 'ok') await pglite.exec(migrationFile.content.value);
    const query: Query = async <Row>(sql: string) => (await pglite.query<Row>(sql)).rows;
    const before = await readColumns(query);
    if (drift !== '') await pglite.exec(drift);
    const { contradictions, statements, advice } = await diffRegistry(query);
    if (contradictions.length > 0) return { sql: '', contradictions, advice: [] };

    await pglite.exec(statements.join('\n'));
    const unchecked = findUncheckedColumns(await readColumns(query), before);
    const checks = unchecked.map((column) => `${column} has no CHECK: write one if not every value makes sense.`);
    return { sql: joined(drift, statements), contradictions, advice: [...advice, ...checks] };
  } finally {
    await pglite.close();
  }
}

function joined(drift: string, statements: readonly string[]): string {
  if (statements.length === 0) return drift;
  const written = `-- As src/db/registry.ts asks for it.\n${statements.join('\n')}\n`;
  return drift === '' ? written : `${drift.trimEnd()}\n\n${written}`;
}
