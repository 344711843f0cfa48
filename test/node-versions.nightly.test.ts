import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { onServer } from './support/database.ts';
import { readExamples, runExamples } from './support/examples.ts';
import { isNightly } from './support/share.mjs';
import { builtUnder, startProcess, stopAll } from './support/process.ts';
import { databasePrefix, serverUrl, urlOf } from './support/template.ts';

/*
 * The supported versions of Node, in short: on each database the service starts, its pages are there, and the tour of the README
 * (REST, GraphQL) prints what it must. In the short form, only the version that runs the tests is tried.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
const tour = await readExamples('README.md');
const databases = ['embedded', ...(serverUrl ? ['postgresql'] : [])];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callboard-nodes-'));
});

afterAll(async () => {
  stopAll();
  await rm(folder, { recursive: true, force: true });
});

/** Settings of an empty database of its own, and what removes it. */
async function emptyDatabase(kind: string, name: string) {
  if (kind === 'embedded')
    return { env: { DATA_DIR: join(folder, name) }, drop: () => rm(join(folder, name), { recursive: true }) };
  const database = `${databasePrefix}${name}`;
  await onServer(serverUrl!, `CREATE DATABASE ${database}`);
  return {
    env: { DATABASE_URL: urlOf(database), JWT_SECRETS: `test:${'x'.repeat(32)}` },
    drop: () => onServer(serverUrl!, `DROP DATABASE ${database} WITH (FORCE)`),
  };
}

/** Each with its program. `npm run test:nightly` installs them. */
const versions = isNightly
  ? Object.entries({ 20: 'v20.19.0', 22: 'v22.23.3', 24: 'v24.21.0' }).map(([major, version]) => ({
      version,
      node: join(root, `test/nodes/node_modules/node-${major}/bin/node`),
    }))
  : [{ version: process.version, node: process.execPath }];

describe.each(versions)('Node $version', ({ version, node }) => {
  test('is the version that is meant', async () => {
    expect((await run(node, ['--version'])).stdout.trim()).toBe(version);
  });

  test('installs without a warning', async () => {
    const { stdout: npm } = await run('which', ['npm']);
    const args = [await realpath(npm.trim()), 'ci', '--dry-run', '--userconfig=/dev/null'];
    const { PATH = '' } = process.env;
    // A newer npm, which it would tell of, is none.
    const env = { PATH, HOME: folder, npm_config_update_notifier: 'false' };
    const { stdout, stderr } = await run(node, args, { cwd: root, env, maxBuffer: 10_000_000 });
    expect(stdout).toMatch(/up to date|added|add /);
    expect(stderr).toBe('');
  });

  test.each(databases)('serves the tour of the README and the pages (%s)', async (kind) => {
    const { env, drop } = await emptyDatabase(kind, version.replaceAll('.', '_'));
    if (kind === 'postgresql') {
      const { PATH = '' } = process.env;
      await run(node, [join(root, 'dist/bin/callboard.js'), 'seed'], { env: { PATH, ...env } });
    }
    const service = await startProcess(env, [], builtUnder(node));
    for (const path of ['/', '/docs', '/playground', '/guide/operators', '/graphql/schema.graphql', '/readyz'])
      expect([path, (await fetch(service.origin + path)).status]).toEqual([path, 200]);
    const printed = (await runExamples(tour, service.origin, folder)).filter((output) => output.startsWith('{'));
    expect(printed.map((output) => JSON.parse(output) as object)).toEqual([
      expect.objectContaining({ success: true }),
      expect.objectContaining({ success: true }),
      expect.objectContaining({ success: true }),
      expect.objectContaining({ success: true }),
      expect.objectContaining({ success: false, code: 'VALIDATION_FAILED' }),
      { data: expect.objectContaining({ viewer: { business: { name: 'Aurora Events', plan: 'ENTERPRISE' } } }) },
    ]);
    expect((await service.stop()).code).toBe(0);
    await drop();
  });
});
