import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gunzipSync } from 'node:zlib';
import pg from 'pg';
import { rolldown } from 'rolldown';
import { keptAdmin, type KeptKey, type Release } from './kept.ts';

/*
 * `npm run release:keep -- <checkout>` keeps a released version for the tests of upgrades and for `npm run release:check`:
 * its contracts, its service with all packages in it, and a database of it on PostgreSQL and embedded. The checkout is
 * built. TEST_DATABASE_URL names a server, and `pg_dump` is on the path.
 */

const checkout = resolve(process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url)));
const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
const kept = fileURLToPath(new URL(`${version}/`, import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'callboard-keep-'));
const databaseName = `callboard_keep_${process.pid}`;
const serverUrl = process.env['TEST_DATABASE_URL'] ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const url = Object.assign(new URL(serverUrl), { pathname: databaseName }).href;

/** Packages of today that the service of the release uses: native code. */
const native = ['argon2'];
/** Packages that a process on PostgreSQL does not use unless it migrates, traces, or writes a readable log: left out. */
const unused = [
  ...['@electric-sql/pglite', 'fs-native-extensions', 'pino-pretty', 'class-validator'],
  ...['@opentelemetry', '@fastify/otel', '@prisma/instrumentation'],
];

const compress = (bytes: Buffer) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });

const write = (name: string, bytes: Buffer) => {
  writeFileSync(join(kept, name), bytes);
  process.stdout.write(`${version}/${name}: ${bytes.length} bytes\n`);
};

function callboard(args: string[], env: Record<string, string>): Record<string, unknown> {
  const program = join(checkout, 'dist/bin/callboard.js');
  const { PATH = '', HOME = '' } = process.env;
  const text = execFileSync(process.execPath, [program, '--json', ...args], { env: { PATH, HOME, ...env } });
  return JSON.parse(String(text)) as Record<string, unknown>;
}

/** The demo, a business of its own, and keys: the same on both databases. */
function fill(env: Record<string, string>): KeptKey[] {
  callboard(['seed'], env);
  const business = ['business', 'create', '--name', 'Late Shift', '--plan', 'enterprise', '--password-stdin'];
  const admin = ['--admin-email', keptAdmin.email, '--admin-name', 'Ann Lee'];
  const program = join(checkout, 'dist/bin/callboard.js');
  const { PATH = '', HOME = '' } = process.env;
  const input = keptAdmin.password;
  execFileSync(process.execPath, [program, ...business, ...admin], { env: { PATH, HOME, ...env }, input });
  return [1, 2, 3].map((id) => {
    const { key } = callboard(['key', 'create', '--business', String(id), '--name', 'Kept'], env) as { key: string };
    return { businessId: id, key };
  });
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client(serverUrl);
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function keepService(): Promise<void> {
  const isOf = (packages: string[], id: string) => packages.some((name) => id === name || id.startsWith(`${name}/`));
  const leaveOut = {
    name: 'leave-out',
    resolveId: (id: string) => (isOf(unused, id) ? `\0${id}` : null),
    load: (id: string) => (id.startsWith('\0') && isOf(unused, id.slice(1)) ? 'module.exports = {};' : null),
  };
  const bundle = await rolldown({
    cwd: checkout,
    input: { main: 'src/main.ts' },
    platform: 'node',
    external: (id) => isOf(native, id),
    plugins: [leaveOut],
    tsconfig: 'tsconfig.json',
    checks: { unresolvedImport: false },
    logLevel: 'silent',
  });
  const service = join(work, 'service');
  await bundle.write({ dir: join(service, 'dist/service'), format: 'esm', keepNames: true, minify: true });
  await bundle.close();
  cpSync(join(checkout, 'prisma/migrations'), join(service, 'prisma/migrations'), { recursive: true });
  const manifest = { name: 'callboard', version, type: 'module' };
  writeFileSync(join(service, 'package.json'), JSON.stringify(manifest));
  // Version 0.1.0 looks for its files from the places of its sources.
  if (version === '0.1.0') writeFileSync(join(service, 'dist/package.json'), JSON.stringify(manifest));
  write('service.tar.br', compress(execFileSync('tar', ['-cf', '-', '-C', service, '.'], { maxBuffer: 2 ** 28 })));
}

async function keepDatabase(): Promise<KeptKey[]> {
  await onServer(`CREATE DATABASE ${databaseName}`);
  try {
    const keys = fill({ DATABASE_URL: url });
    const options = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=500'];
    const dump = execFileSync('pg_dump', [...options, url], { maxBuffer: 2 ** 28, encoding: 'utf8' });
    // Newer versions of pg_dump write commands of psql around the SQL.
    write('database.sql.br', compress(Buffer.from(dump.replaceAll(/^\\\w*restrict .*\n/gm, ''))));
    return keys;
  } finally {
    await onServer(`DROP DATABASE ${databaseName}`);
  }
}

function keepEmbedded(): KeptKey[] {
  const env = { DATA_DIR: join(work, 'data') };
  const keys = fill(env);
  const backup = join(work, 'callboard.backup');
  callboard(['backup', backup], env);
  // Brotli finds what the three databases of a cluster have in common, which gzip does not: a third of the size.
  write('embedded.tar.br', compress(gunzipSync(readFileSync(backup))));
  return keys;
}

try {
  mkdirSync(kept, { recursive: true });
  write('schema.graphql', readFileSync(join(checkout, 'schema.graphql')));
  write('openapi.json.br', compress(readFileSync(join(checkout, 'test/openapi.snapshot.json'))));
  await keepService();
  const release: Release = {
    version,
    migrations: readdirSync(join(checkout, 'prisma/migrations'))
      .filter((name) => name !== 'migration_lock.toml')
      .sort(),
    database: await keepDatabase(),
    embedded: keepEmbedded(),
  };
  write('release.json', Buffer.from(`${JSON.stringify(release, null, 2)}\n`));
} finally {
  rmSync(work, { recursive: true, force: true });
}
