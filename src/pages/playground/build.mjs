// Builds the playground into dist/playground if a source file or a package is newer than the last build.
import { createWriteStream, createReadStream } from 'node:fs';
import { existsSync, readdirSync, rmSync, renameSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const here = `${root}src/pages/playground`;
const built = `${root}dist/playground`;
const next = `${root}dist/.playground-next`;

/** Lists files and folders, so that a deleted file changes the date of its folder and counts as well. */
const below = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => `${entry.parentPath}/${entry.name}`);

const sources = [here, ...below(here), `${root}package-lock.json`];
const isFresh =
  existsSync(`${built}/index.html`) &&
  sources.every((path) => statSync(path).mtimeMs < statSync(`${built}/index.html`).mtimeMs);

if (!isFresh) {
  const { build } = await import('vite');
  await build({
    configFile: `${here}/vite.config.ts`,
    logLevel: 'warn',
    build: { outDir: next, emptyOutDir: true },
  });
  const texts = below(next).filter((path) => /\.(html|js|css|svg|ttf)$/.test(path));
  await Promise.all(texts.map(compress));
  // The directory is replaced at once, so that a running service serves either the old files or the new ones.
  rmSync(built, { recursive: true, force: true });
  renameSync(next, built);
}

async function compress(path) {
  const { size } = statSync(path);
  const brotli = createBrotliCompress({
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: size },
  });
  await Promise.all([
    pipeline(createReadStream(path), brotli, createWriteStream(`${path}.br`)),
    pipeline(createReadStream(path), createGzip({ level: 9 }), createWriteStream(`${path}.gz`)),
  ]);
}
