import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { PGlite } from '@electric-sql/pglite';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { packageRoot } from '../../places.ts';
import { adaptPglite } from '../../db/engine/embedded-adapter.ts';
import { inTransaction } from '../../db/migrations/migration-statements.ts';
import { migrationsDir, readMigrations } from '../../db/migrations/migrations.ts';

/** Has Prisma's schema engine write the SQL that leads from the migrations, tried on an empty database, to schema.prisma. */
export async function diffSchema(pglite: PGlite): Promise<string> {
  await (instantiated ??= instantiate());
  const schemaFile = fileURLToPath(new URL('prisma/schema.prisma', packageRoot));
  const schema = { path: 'schema.prisma', content: await readFile(schemaFile, 'utf8') };
  const { connect, ...names } = adaptPglite(pglite);
  const open = async () => ({
    ...(await connect()),
    executeScript: async (script: string) => void (await pglite.exec(inTransaction(script))),
  });
  const engine = await bindings.SchemaEngine.new(
    { datamodels: [[schema.path, schema.content]] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory({ ...names, connect: open, connectToShadowDb: open }),
  );
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'migrations', ...(await listMigrations()) },
      to: { tag: 'schemaDatamodel', files: [schema] },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return stdout ?? '';
  } finally {
    engine.free();
  }
}

/** The migrations in the shape that the engine reads. */
async function listMigrations(): Promise<bindings.MigrationList> {
  return {
    baseDir: migrationsDir,
    lockfile: { path: 'migration_lock.toml', content: await readFile(`${migrationsDir}migration_lock.toml`, 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: (await readMigrations()).map(({ name, script }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: script } },
    })),
  };
}

let instantiated: Promise<void> | undefined;

/** Instantiates the engine by hand: the package's main entry imports its .wasm file as a module, which Node 20 cannot do. */
async function instantiate(): Promise<void> {
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = await readFile(entry.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': { ...bindings } });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
}
