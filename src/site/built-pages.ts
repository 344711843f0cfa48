import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../places.ts';

/** The directory that `npm run build` creates from src/pages. */
export const builtPages = fileURLToPath(new URL('dist/pages/', packageRoot));

/** An entry of the manifest that Vite writes. */
interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

/** Addresses of what a page loads. */
export interface EntryFiles {
  readonly script: string;
  /** Scripts that this one imports. */
  readonly imports: readonly string[];
  readonly styles: readonly string[];
}

const path = `${builtPages}manifest.json`;
const manifest = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, Chunk>) : null;

export const arePagesBuilt = manifest !== null;

/** The files of an entry, a path below src/pages. Null where the pages are not built: those of the service then have no styles. */
export function findEntry(entry: string): EntryFiles | null {
  if (!manifest) return null;
  const chunk = chunkOf(entry);
  const imported = new Set<string>();
  const collect = ({ imports = [] }: Chunk): void => {
    for (const name of imports) {
      if (imported.has(name)) continue;
      imported.add(name);
      collect(chunkOf(name));
    }
  };
  collect(chunk);
  const chunks = [...imported].map(chunkOf);
  return {
    script: `/${chunk.file}`,
    imports: chunks.map(({ file }) => `/${file}`),
    styles: [...new Set([...chunks, chunk].flatMap(({ css = [] }) => css))].map((file) => `/${file}`),
  };
}

function chunkOf(name: string): Chunk {
  const chunk = manifest?.[name];
  if (!chunk) throw new Error(`${name} is not in ${path}: build the pages anew.`);
  return chunk;
}
