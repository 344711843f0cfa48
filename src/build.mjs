// Builds what is stale: `node src/build.mjs [part …]`. A part is stale if its output is missing, or was built from other files.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const installCommand = '"npm ci --include=dev"';

/**
 * In the order in which they are built; the pages are built beside the others. `output` is a path or its beginning. Each part
 * depends on package-lock.json as well.
 */
const parts = {
  client: {
    title: 'the Prisma client',
    sources: ['prisma/schema.prisma', 'prisma/config.ts', 'prisma/generate.mjs'],
    output: 'src/generated/prisma/client.ts',
    build: () => run('prisma/generate.mjs'),
  },
  documents: {
    title: 'the documents of the pages',
    isPage: true,
    sources: [
      'schema.graphql',
      'src/pages/generate.mjs',
      ...filesIn('src/pages').filter((path) => path.endsWith('.graphql')),
    ],
    output: 'src/generated/pages/types.ts',
    build: () => run('src/pages/generate.mjs'),
  },
  pages: {
    title: 'the pages',
    isPage: true,
    // The rules by which the console judges files are those of the service.
    sources: [
      'schema.graphql',
      'src/pages',
      'src/validation/person-texts.ts',
      'src/validation/text-forms.ts',
      'src/config/limits.ts',
    ],
    output: 'dist/pages/manifest.json',
    build: () => run('src/pages/build.mjs'),
  },
  guides: {
    title: 'the guides',
    isPage: true,
    sources: ['src/guide', '.github/GLOSSARY.md', '.github/CHANGELOG.md', '.github/SECURITY.md'],
    output: 'dist/guide/guides.json',
    build: () => run('src/guide/build.mjs'),
  },
  service: {
    title: 'the service',
    sources: ['src', 'prisma/schema.prisma', 'tsconfig.json', 'package.json'],
    without: ['src/pages', 'src/guide', 'src/generated'],
    output: 'dist/main.js',
    build: () => run('src/bundle.mjs'),
  },
  database: {
    title: 'the empty database',
    sources: ['prisma/migrations', 'src/db/engine', 'src/bin/packed-database.ts', 'package.json'],
    output: 'dist/empty-database-',
    build: () => run('dist/bin/pack-database.js'),
  },
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts);
const wanted = names.map((name) => ({ name, digest: digestSources(parts[name]), ...parts[name] }));
const stale = wanted.filter((part) => !isFresh(part));
if (stale.length > 0) await buildAll();

async function buildAll() {
  const missing = stale.filter((part) => !hasOutput(part));
  if (!existsSync(`${root}node_modules/rolldown`)) {
    const advice = `the packages that build it are not installed. ${installCommand} installs them.`;
    const needed = missing.find(({ output }) => output.startsWith('dist/'));
    if (needed) return fail(`${needed.title} is not built, and ${advice}`);
    return say(`dist/ was built from other sources than these, and ${advice} It is served as it is.`);
  }
  const begun = performance.now();
  if (missing.length > 2)
    say('Building Callboard. The first time takes half a minute; later only what has changed is built.');
  await Promise.all([
    buildInTurn(stale.filter(({ isPage }) => isPage)),
    buildInTurn(stale.filter(({ isPage }) => !isPage)),
  ]);
  say(`Built in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
}

async function buildInTurn(some) {
  for (const { name, title, build, digest } of some) {
    say(`Building ${title} …`);
    await build();
    mkdirSync(`${root}dist/.built`, { recursive: true });
    writeFileSync(`${root}dist/.built/${name}`, digest);
  }
}

function isFresh(part) {
  const stamp = `${root}dist/.built/${part.name}`;
  return hasOutput(part) && existsSync(stamp) && readFileSync(stamp, 'utf8') === part.digest;
}

function hasOutput({ output }) {
  const folder = root + dirname(output);
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(basename(output)));
}

/** Digest of the paths and contents of a part's sources. Dates would not do: git and npm set them anew. */
function digestSources({ sources, without = [] }) {
  const paths = [...sources, 'package-lock.json'].flatMap(filesIn);
  const hash = createHash('sha256');
  for (const path of paths.sort())
    if (!without.some((folder) => path.startsWith(`${folder}/`))) hash.update(path).update(readFileSync(root + path));
  return hash.digest('hex');
}

function filesIn(path) {
  if (!existsSync(root + path)) return [];
  if (!statSync(root + path).isDirectory()) return [path];
  return readdirSync(root + path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length));
}

async function run(script) {
  const [status] = await once(spawn(process.execPath, [root + script], { cwd: root, stdio: ['ignore', 2, 2] }), 'exit');
  if (status !== 0) process.exit(status ?? 1);
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

function fail(line) {
  say(`callboard: ${line}`);
  process.exit(1);
}
