import { existsSync } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import type { Config } from '../config/config.ts';
import { openEmbedded } from '../db/engine/embedded.ts';
import { isPack, packFile } from '../db/engine/empty-database.ts';

/** Makes a migrated, empty database in memory, as a tar archive: src/guide/performance.md#packed-empty-database */
export async function makeEmptyDatabase(config: Config['db']): Promise<Buffer> {
  const pglite = await PGlite.create();
  const database = await openEmbedded(config, { openPglite: async () => pglite });
  try {
    await database.migrate();
    await pglite.exec('CHECKPOINT');
    const archive = await pglite.dumpDataDir('none');
    return Buffer.from(await archive.arrayBuffer());
  } finally {
    await database.close();
  }
}

/** Packs an empty database into `dist/`, unless the one for these migrations and this PGlite is there, and removes the others. */
export async function packEmptyDatabase(config: Config['db']): Promise<void> {
  const file = await packFile();
  if (existsSync(file)) return;
  const folder = dirname(file);
  const unfinished = join(folder, `.empty-database-${process.pid}`);
  await writeFile(unfinished, await promisify(gzip)(await makeEmptyDatabase(config)));
  for (const name of await readdir(folder)) if (isPack(name)) await rm(join(folder, name), { force: true });
  await rename(unfinished, file);
}
