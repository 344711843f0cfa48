import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { bindMigrationAwareSqlAdapterFactory, type SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { readSchema } from './migrations.ts';

export const filters: bindings.SchemaFilter = { externalTables: [], externalEnums: [] };

/**
 * Opens Prisma's schema engine on the adapter's database, which is its shadow database too. Scripts go through `run`, because
 * one adapter splits them at every semicolon, even within texts and functions, and the other neither waits for them nor
 * reports their errors. The caller frees the engine.
 */
export async function openSchemaEngine(
  adapter: SqlDriverAdapter,
  run: (script: string) => Promise<unknown>,
): Promise<bindings.SchemaEngine> {
  await (instantiated ??= instantiate());
  const schema = await readSchema();
  const shared = Object.assign(adapter, { executeScript: async (script: string) => void (await run(script)) });
  const factory = {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    connect: () => Promise.resolve(shared),
    connectToShadowDb: () => Promise.resolve(shared),
  };
  return bindings.SchemaEngine.new(
    { datamodels: [[schema.path, schema.content]] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(factory),
  );
}

let instantiated: Promise<void> | undefined;

/** Instantiates the engine by hand: the package's main entry imports its .wasm file as a module, which Node 20 cannot do. */
async function instantiate(): Promise<void> {
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = await readFile(entry.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': imports() });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
}

/** The imports of the engine. Its wait for a lock leaves a timer of 10 seconds, which must not keep the process from ending. */
const imports = () =>
  Object.fromEntries(
    Object.entries(bindings).map(([name, value]) => [name, name.startsWith('__wbg_setTimeout') ? idleTimeout : value]),
  );

const idleTimeout = (run: () => void, ms: number) => setTimeout(run, ms).unref();
