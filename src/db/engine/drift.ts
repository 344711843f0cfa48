import { PGlite } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { migrationNames, readMigrations, readSchema } from './migrations.ts';
import { filters, openSchemaEngine } from './schema-engine.ts';

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

/** An empty difference is written as a comment. */
const withoutComments = (sql: string) => (/^(?!--)\S/m.test(sql) ? sql : '');
