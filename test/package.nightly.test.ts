import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isNightly } from './support/share.mjs';
import { startCollector } from './support/otlp.ts';
import { refusedStart, startProcess, stopAll } from './support/process.ts';

/*
 * The npm package as a stranger gets it: packed from a clean copy of the sources, installed in an empty folder by an ordinary
 * user, and served from there. And a checkout without the packages that only the build needs. The gate packs what is built already,
 * and installs nothing.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
const megabytesMax = 160;
const packagesMax = 100;

let folder: string;
let checkout: string;
let installed: string;
let packed: string[];

/** Commands of root run as the user nobody; of anybody else, as themselves. */
const isRoot = process.getuid?.() === 0;
const nobody = 65534;
const asOrdinaryUser = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : [];

const homeOf = (within: readonly string[]) => (within.length > 0 ? join(folder, 'home') : (process.env['HOME'] ?? ''));

const npmEnv = (within: readonly string[] = []) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: homeOf(within),
  npm_config_update_notifier: 'false',
  npm_config_fund: 'false',
  npm_config_audit: 'false',
});

async function npm(cwd: string, args: readonly string[], within: readonly string[] = []): Promise<string> {
  const [program = 'npm', ...rest] = [...within, 'npm', ...args];
  const { stdout, stderr } = await run(program, rest, { cwd, env: npmEnv(within), maxBuffer: 10_000_000 });
  return stdout + stderr;
}

async function makeFolder(name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { mode: 0o755 });
  if (isRoot) await chown(path, nobody, nobody);
  return path;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callboard-package-'));
  await run('chmod', ['755', folder]);
  await makeFolder('home');
  installed = await makeFolder('installed');
  checkout = join(folder, 'checkout');
  const built = isNightly ? ['dist', 'src/generated'] : [];
  const notCopied = ['.git', 'node_modules', 'test', '.callboard', ...built].map((path) => root + path);
  await cp(root, checkout, { recursive: true, filter: (path) => !notCopied.includes(path) });
  await symlink(`${root}node_modules`, join(checkout, 'node_modules'));
  // As make-secrets.sh leaves them in a checkout.
  await mkdir(join(checkout, '.deploy/secrets'));
  await writeFile(join(checkout, '.deploy/secrets/jwt_secrets'), 'secret');
  const [report] = JSON.parse(await npmPack()) as { filename: string; files: { path: string }[] }[];
  packed = report!.files.map(({ path }) => path);
  if (isNightly) await npm(installed, ['install', join(folder, report!.filename)], asOrdinaryUser);
});

afterAll(async () => {
  stopAll();
  await rm(folder, { recursive: true, force: true });
});

/** What is built is told on stderr. */
async function npmPack(): Promise<string> {
  const options = { cwd: checkout, env: npmEnv(), maxBuffer: 10_000_000 };
  const args = ['run', '--silent', 'pack', '--', '--json', '--pack-destination', folder];
  return (await run('npm', args, options)).stdout;
}

interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly peerDependencies: Record<string, string>;
}

const readManifest = async (path: string) => JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as Manifest;

/** Whether the code in dist/ loads a package by its name. */
async function isLoaded(name: string): Promise<boolean> {
  const files = await readdir(join(checkout, 'dist'), { recursive: true });
  const code = files.filter((path) => /^(?:[^/]+|bin\/.*|chunks\/.*)\.js$/.test(path));
  const texts = await Promise.all(code.map((path) => readFile(join(checkout, 'dist', path), 'utf8')));
  return texts.some((text) => new RegExp(`["'\`]${name}(?:/[^"'\`]*)?["'\`]`).test(text));
}

/** `npx callboard serve` in the folder of the installation. */
const served = () => ({ command: ['npx', 'callboard', 'serve'], cwd: installed, isGroup: true });

/** In production, there is no demo. */
async function expectPages(origin: string, hasDemo = true): Promise<void> {
  for (const [path, text] of [
    ['/', 'Callboard'],
    ['/docs', 'API reference'],
    ['/schema', 'Download schema.graphql'],
    ['/apple-touch-icon.png', 'PNG'],
    ['/playground', '<script'],
    ['/guide/operators', 'Guide for operators'],
    ['/graphql/schema.graphql', 'type Query'],
    ['/openapi.json', '"openapi"'],
    ['/demo.json', hasDemo ? 'admin@aurora.example' : '"logIns":[]'],
    ['/readyz', 'ready'],
  ] as const) {
    const answer = await fetch(origin + path);
    expect([path, answer.status]).toEqual([path, 200]);
    expect(await answer.text()).toContain(text);
  }
  const logIn = await fetch(`${origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@aurora.example', password: 'callboard-demo' }),
  });
  expect(logIn.status).toBe(hasDemo ? 200 : 401);
}

describe('the package', () => {
  test('has the service, its pages, the packed database and the licences, and neither tests nor sources', () => {
    for (const path of [
      ...['package.json', 'README.md', 'LICENSE', 'schema.graphql', 'prisma/schema.prisma'],
      ...['dist/main.js', 'dist/bin/callboard.js', 'dist/guide/guides.json', 'dist/pages/manifest.json'],
      ...['dist/pages/icons/favicon.ico', 'dist/licenses.md', 'dist/pages/licenses.md'],
      ...['prisma/migrations/20261120100000_init/migration.sql', 'src/guide/operators.md'],
      ...['.deploy/callboard.service', '.deploy/haproxy.cfg', '.deploy/observability/alerts.yaml'],
    ])
      expect(packed).toContain(path);
    expect(packed.filter((path) => path.startsWith('dist/empty-database-'))).toHaveLength(1);
    expect(
      packed.filter((path) => /^test\/|^src\/(?!guide\/[\w-]+\.md$)|\.map$|^dist\/\.|^prisma\/left-out/.test(path)),
    ).toEqual([]);
  });

  test('has each file that a guide names beside it, and no secrets', async () => {
    for (const name of ['operators', 'integrators', 'dashboards', 'analysts']) {
      const guide = await readFile(join(checkout, `src/guide/${name}.md`), 'utf8');
      const named = [...guide.matchAll(/\]\(\.\.\/\.\.\/(\.deploy\/[^)#]*[^)#/])\)/g)].map(([, path]) => path);
      expect(named.filter((path) => !packed.includes(path!))).toEqual([]);
    }
    expect(packed.filter((path) => path.startsWith('.deploy/secrets'))).toEqual([]);
  });
});

const describeNightly = isNightly ? describe : () => undefined;

describeNightly('the package, installed,', () => {
  test('has programs that can be run', async () => {
    for (const program of ['.deploy/backup.sh', '.deploy/try-recovery.sh'])
      expect((await stat(join(installed, 'node_modules/callboard', program))).mode & 0o111).not.toBe(0);
  });

  test('takes at most 160 MB and 100 packages, and nothing was compiled', async () => {
    const { stdout } = await run('du', ['-sm', 'node_modules'], { cwd: installed });
    expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(megabytesMax);
    const lock = await readFile(join(installed, 'node_modules/.package-lock.json'), 'utf8');
    const { packages } = JSON.parse(lock) as { packages: object };
    expect(Object.keys(packages).length).toBeLessThanOrEqual(packagesMax);
    const { stdout: objects } = await run('find', ['.', '-name', '*.o'], { cwd: installed });
    expect(objects).toBe('');
  });

  test('depends on what the bundle loads by name, and on nothing else', async () => {
    const manifest = await readManifest(join(installed, 'node_modules/callboard'));
    for (const name of [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)])
      expect([name, await isLoaded(name)]).toEqual([name, true]);
    expect(manifest.devDependencies).toBeUndefined();
  });

  test('serves pages and demo as an ordinary user', async () => {
    const service = await startProcess({ HOME: homeOf(asOrdinaryUser) }, asOrdinaryUser, served());
    await expectPages(service.origin);
    expect(existsSync(join(installed, '.callboard'))).toBe(true);
    await service.stop('SIGINT');
  });

  test('serves pages and demo as whoever runs the tests, such as root', async () => {
    const service = await startProcess({ DATA_DIR: join(folder, 'data') }, [], served());
    await expectPages(service.origin);
    await service.stop('SIGINT');
  });

  test('says which packages traces need, and sends traces with them', async () => {
    const collector = await startCollector();
    const env = {
      HOME: homeOf(asOrdinaryUser),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    };
    const { code, output } = await refusedStart(env, asOrdinaryUser, served());
    expect(code).toBe(2);
    const [, command = ''] =
      /^callboard: OTEL_EXPORTER_OTLP_ENDPOINT .*"npm (install --save-exact [^"]+)"/m.exec(output) ?? [];
    await npm(installed, command.split(' '), asOrdinaryUser);
    const service = await startProcess(env, asOrdinaryUser, served());
    await fetch(`${service.origin}/v1/events`);
    await service.stop('SIGINT');
    expect(collector.spans().map(({ name }) => name)).toContain('GET /v1/events');
    collector.close();
  });
});

/** Packages whose code is inside of dist/. */
async function listInside(): Promise<Set<string>> {
  const lists = ['dist/licenses.md', 'dist/pages/licenses.md'].map((path) => readFile(join(checkout, path), 'utf8'));
  return new Set((await Promise.all(lists)).flatMap((text) => text.match(/(?<=^## )\S+/gm) ?? []));
}

describe('the packages of a checkout', () => {
  test('are dependencies if the service or its pages contain or load them, and otherwise development dependencies', async () => {
    const { dependencies, devDependencies } = await readManifest(checkout);
    const inside = await listInside();
    for (const name of Object.keys(dependencies))
      expect([name, inside.has(name) || (await isLoaded(name))]).toEqual([name, true]);
    expect(Object.keys(devDependencies ?? {}).filter((name) => inside.has(name))).toEqual([]);
  });
});

describeNightly('a checkout with a built dist and only the production packages', () => {
  test('starts in production by npm start', async () => {
    await rm(join(checkout, 'node_modules'));
    await npm(checkout, ['ci', '--omit=dev']);
    expect(existsSync(join(checkout, 'node_modules/rolldown'))).toBe(false);
    const env = { NODE_ENV: 'production', DATA_DIR: join(folder, 'production') };
    const service = await startProcess(env, [], { command: ['npm', 'start'], cwd: checkout, isGroup: true });
    await expectPages(service.origin, false);
    expect(service.output()).not.toContain('Building');
    await service.stop('SIGINT');
  });

  test('is told what is missing where nothing is built', async () => {
    await rm(join(checkout, 'dist'), { recursive: true });
    const { code, output } = await refusedStart({}, [], { command: ['npm', 'start'], cwd: checkout, isGroup: true });
    expect(code).toBe(1);
    expect(output).toMatch(/^callboard: .* is not built, and .*"npm ci --include=dev" installs them\.$/m);
  });
});
