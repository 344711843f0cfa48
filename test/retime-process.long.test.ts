import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { exits } from '../src/bin/exits.ts';
import { startProcess, stopAll, type ServiceProcess } from './support/process.ts';
import { databasePrefix, serverUrl, urlOf } from './support/template.ts';
import { tzDataOf } from './support/tz-data.ts';

/* The service and the command line as an operator runs them, before and after the package of time zone data is updated. */

const program = fileURLToPath(new URL('../dist/bin/callboard.js', import.meta.url));
const databaseName = `${databasePrefix}retime`;
const zone = 'America/Vancouver';
/** Has a process find other data in the package. */
const withData = (version: string, like: string) => {
  const load = `import moment from '${import.meta.resolve('moment-timezone')}';
    moment.tz.load(${JSON.stringify(tzDataOf(version, { [zone]: like }))});`;
  return `--import data:text/javascript,${encodeURIComponent(load)}`;
};
const older = withData('2098a', 'America/Los_Angeles');
const newer = withData('2099b', 'America/Phoenix');
let dataDir: string;

const onServer = async (statement: string) => {
  const client = new pg.Client(serverUrl);
  await client.connect();
  await client.query(statement);
  await client.end();
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callboard-retime-'));
  if (serverUrl) await onServer(`CREATE DATABASE ${databaseName}`);
});

afterAll(async () => {
  stopAll();
  await rm(dataDir, { recursive: true, force: true });
  if (serverUrl) await onServer(`DROP DATABASE ${databaseName} WITH (FORCE)`);
});

const env = (data: string): Record<string, string> => ({
  DATA_DIR: dataDir,
  NODE_OPTIONS: data,
  METRICS_TOKEN: 'a-token-of-the-metrics',
  ...(serverUrl && { DATABASE_URL: urlOf(databaseName), JWT_SECRETS: `test:${'x'.repeat(32)}` }),
});

function callboard(args: string[], data: string) {
  const { PATH = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--json', ...args], {
    env: { PATH, ...env(data), LOG_LEVEL: 'error' },
    encoding: 'utf8',
  });
  return { status, json: stdout ? (JSON.parse(stdout) as Record<string, unknown>) : null, stderr };
}

async function logLine(service: ServiceProcess, pattern: RegExp): Promise<string> {
  for (;;) {
    const line = service
      .output()
      .split('\n')
      .find((each) => pattern.test(each));
    if (line !== undefined) return line;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const logIn = async (origin: string): Promise<string> => {
  const answer = await fetch(`${origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@aurora.example', password: 'callboard-demo' }),
  });
  return ((await answer.json()) as { data: { access_token: string } }).data.access_token;
};

const ask = async (origin: string, token: string, query: string) => {
  const answer = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  return ((await answer.json()) as { data: Record<string, { uuid: string; start: { utc: string } }> }).data;
};

test('instants that were stored under older data are right after a start with newer ones', async () => {
  expect(callboard(['seed'], older).status).toBe(exits.done.status);
  const first = await startProcess(env(older));
  await logLine(first, /the instants to come agree/);
  const wall = `${new Date().getUTCFullYear() + 1}-12-05`;
  const times = `startTime: "${wall} 18:00:00", endTime: "${wall} 23:00:00", timezone: "${zone}"`;
  const create = `mutation { createEvent(input: { title: "Gala", ${times} }) { uuid start { utc } } }`;
  const { createEvent } = await ask(first.origin, await logIn(first.origin), create);
  const dayAfter = `${wall.slice(0, 8)}06`;
  expect(createEvent?.start.utc).toBe(`${dayAfter}T02:00:00.000Z`);
  expect(await (await fetch(`${first.origin}/readyz`)).json()).toEqual({
    status: 'ready',
    tzData: { version: '2098a', source: 'package' },
  });
  await first.stop();

  expect(callboard(['retime', '--dry-run'], newer)).toMatchObject({
    status: exits.done.status,
    json: {
      tz_version: '2099b',
      tz_source: 'package',
      dry_run: true,
      changed: 1,
      problems: 0,
      businesses: [{ zones: [{ zone }] }],
    },
  });

  const second = await startProcess(env(newer));
  const line = JSON.parse(await logLine(second, /the instants to come agree/)) as object;
  expect(line).toMatchObject({ from: '2098a', to: '2099b', changed: 1, problems: 0 });
  const query = `{ event(id: "${createEvent?.uuid}") { start { utc } } }`;
  const { event } = await ask(second.origin, await logIn(second.origin), query);
  expect(event?.start.utc).toBe(`${dayAfter}T01:00:00.000Z`);
  const metrics = await fetch(`${second.origin}/metrics`, {
    headers: { authorization: 'Bearer a-token-of-the-metrics' },
  });
  expect(await metrics.text()).toContain('callboard_tz_data_info{version="2099b",source="package"} 1');
  await second.stop();

  expect(callboard(['retime'], newer)).toMatchObject({
    status: exits.done.status,
    json: { dry_run: false, changed: 0 },
  });
  for (const args of [['retime'], ['retime', '--dry-run']]) {
    const refused = callboard(args, older);
    expect(refused.status).toBe(exits.failed.status);
    expect(refused.stderr).toContain('The instants of the database have time zone data 2099b');
  }
  const third = await startProcess(env(older));
  await logLine(third, /older time zone data than the database/);
  const { event: again } = await ask(third.origin, await logIn(third.origin), query);
  expect(again?.start.utc).toBe(event?.start.utc);
  await third.stop();
});

test('Node.js with newer data is warned of, with the zones that it has other rules for', async () => {
  const service = await startProcess(env(withData('2001a', 'Asia/Tokyo')));
  const line = JSON.parse(await logLine(service, /Node.js has newer time zone data/)) as { zones: string[] };
  expect(line).toMatchObject({ version: '2001a', runtime: process.versions.tz });
  expect(line.zones).toContain(zone);
  await service.stop();
});
