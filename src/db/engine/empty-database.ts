import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { parseTar } from 'nanotar';
import { packageRoot } from '../../places.ts';
import { readMigrations } from '../migrations/migrations.ts';

const packs = new URL('dist/', packageRoot);
const prefix = 'empty-database-';

/** Whether a file in `dist/` is a packed database, whichever migrations it has. */
export function isPack(name: string): boolean {
  return name.startsWith(prefix);
}

/**
 * The migrated, empty database that `npm run build` packs, as a tar archive. Null unless one is packed that has exactly these
 * migrations and was made by this PGlite.
 */
export async function packedDatabase(): Promise<Buffer | null> {
  try {
    return await promisify(gunzip)(await readFile(await packFile()));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Writes the database of an archive into a new folder. PGlite could do this too, but would have to be started once more for it:
 * src/guide/performance.md#packed-empty-database
 */
export async function unpackDatabase(archive: Buffer, folder: string): Promise<void> {
  const entries = parseTar(archive);
  await mkdir(folder, { mode: 0o700, recursive: true });
  for (const { type, name } of entries)
    if (type === 'directory') await mkdir(join(folder, name), { mode: 0o700, recursive: true });
  await Promise.all(
    entries.map(async ({ type, name, data }) => {
      if (type === 'file') await writeFile(join(folder, name), data ?? '', { mode: 0o600 });
    }),
  );
}

/** The path of the packed database. Its name depends on the migrations and the version of PGlite, so an old one is not used. */
export async function packFile(): Promise<string> {
  const manifest = await readFile(new URL('package.json', packageRoot), 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const contents = [dependencies['@electric-sql/pglite'], await readMigrations()];
  const digest = createHash('sha256').update(JSON.stringify(contents));
  return fileURLToPath(new URL(`${prefix}${digest.digest('hex').slice(0, 16)}.tar.gz`, packs));
}
