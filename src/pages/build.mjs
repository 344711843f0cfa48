// Builds the pages into dist/pages: hashed files in assets/, manifest.json, which names those of each entry, and icons/.
import { cpSync, createReadStream, createWriteStream, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { build } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = `${root}src/pages`;
const built = `${root}dist/pages`;
const next = `${root}dist/.pages-next`;

await build({
  configFile: `${here}/vite.config.ts`,
  logLevel: 'warn',
  build: { outDir: next, emptyOutDir: true, license: { fileName: 'licenses.md' } },
});
cpSync(`${here}/site/icons`, `${next}/icons`, { recursive: true });
const files = readdirSync(next, { recursive: true, encoding: 'utf8' });
await Promise.all(
  files.filter((path) => /\.(html|js|css|svg|ttf)$/.test(path)).map((path) => compress(`${next}/${path}`)),
);
// The directory is replaced at once, so that a running service serves either the old files or the new ones.
rmSync(built, { recursive: true, force: true });
renameSync(next, built);

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
