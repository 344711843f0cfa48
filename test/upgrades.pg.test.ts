import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import pg from 'pg';
import { lastRelease, readKept, releases, unpackService } from './releases/kept.ts';
import { freePort } from './support/cluster.ts';
import { signingSecret } from './support/config.ts';
import { onServer } from './support/database.ts';
import { digestOf } from './support/digest.ts';
import { refusedStart, startProcess, stopAll, type ServiceProcess } from './support/process.ts';
import { startProxy } from './support/proxies.ts';
import { databasePrefix, redisUrlOf, serverUrl, urlOf } from './support/template.ts';
import { documents, startLoad, type Load } from './support/upgrade-load.ts';

/* Upgrades as the operators' guide describes them: two processes behind HAProxy, under load, one version after the other. */

const name = `${databasePrefix}upgrades`;
const root = fileURLToPath(new URL('..', import.meta.url));
const roundsEach = 25;

/** A version of the service: the programs that serve and that migrate. */
interface Version {
  readonly main: string;
  readonly callboard: string | null;
}

const present: Version = { main: join(root, 'dist/main.js'), callboard: join(root, 'dist/bin/callboard.js') };
const released = unpackService(lastRelease.version);
const previous: Version = { main: released.main, callboard: null };
let next: Version;
const nextFolder = mkdtempSync(join(tmpdir(), 'callboard-next-'));
const laterMigration = '29990101000000_later';

beforeAll(() => {
  next = makeNextVersion();
});

afterAll(() => {
  released.remove();
  rmSync(nextFolder, { recursive: true, force: true });
});

/** The version after this one: this build with one more migration. */
function makeNextVersion(): Version {
  for (const part of ['dist', 'prisma', 'package.json'])
    cpSync(join(root, part), join(nextFolder, part), { recursive: true, filter: (path) => !path.endsWith('.map') });
  symlinkSync(join(root, 'node_modules'), join(nextFolder, 'node_modules'));
  const migration = join(nextFolder, 'prisma/migrations', laterMigration);
  mkdirSync(migration);
  writeFileSync(join(migration, 'migration.sql'), 'ALTER TABLE "events" ADD COLUMN "later" TEXT;\n');
  return { main: join(nextFolder, 'dist/main.js'), callboard: join(nextFolder, 'dist/bin/callboard.js') };
}

const env = {
  NODE_ENV: 'production',
  TRUST_PROXY: '127.0.0.1',
  DATABASE_URL: urlOf(name),
  REDIS_URL: redisUrlOf(name),
  JWT_SECRETS: `test:${signingSecret}`,
  CALLBOARD_DRAIN_DELAY: '1000',
  CALLBOARD_ENTERPRISE_PER_MINUTE: '1000000',
  CALLBOARD_DB_POOL: '4',
  CALLBOARD_BLOCKED: '600000',
};

async function query<Row extends object>(sql: string): Promise<Row[]> {
  const client = new pg.Client(urlOf(name));
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

beforeEach(() => onServer(serverUrl ?? '', `CREATE DATABASE ${name}`));
afterEach(async () => {
  stopAll();
  await onServer(serverUrl ?? '', `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
});

const run = promisify(execFile);

async function migrate({ callboard }: Version): Promise<string[]> {
  const { PATH = '', HOME = '' } = process.env;
  const options = { env: { PATH, HOME, DATABASE_URL: env.DATABASE_URL } };
  const { stdout } = await run(process.execPath, [callboard ?? '', '--json', 'migrate'], options);
  return (JSON.parse(stdout) as { applied: string[] }).applied;
}

const readiness = async ({ origin }: ServiceProcess) => {
  const response = await fetch(`${origin}/readyz`);
  return `${response.status} ${((await response.json()) as { message?: string }).message ?? ''}`.trim();
};

const becomeReady = async (service: ServiceProcess) => {
  while ((await readiness(service)) !== '200') await wait(50);
  await wait(1000);
};

/** Two processes of one version behind HAProxy, which are replaced by another one while requests come. */
async function upgradeUnderLoad(from: Version, to: Version, key: string) {
  const ports: [number, number] = [await freePort(), await freePort()];
  const start = (version: Version, port: number) => startProcess({ ...env, PORT: String(port) }, [], version.main);
  const processes = [await start(from, ports[0]), await start(from, ports[1])];
  const proxy = await startProxy('haproxy', ports);
  await wait(1000);
  const load = startLoad(proxy, key, 4);
  const rounds = async () => {
    const wanted = load.rounds() + roundsEach;
    while (load.rounds() < wanted) await wait(20);
  };
  const told: Record<string, unknown> = {};
  let faults: string[];
  try {
    await rounds();
    told['applied'] = await migrate(to);
    told['old ones'] = await Promise.all(processes.map(readiness));
    await wait(1500);
    await rounds();
    for (const index of [0, 1] as const) {
      expect(await processes[index]!.stop()).toEqual({ code: 0, signal: null });
      processes[index] = await start(to, ports[index]);
      await becomeReady(processes[index]);
      await rounds();
    }
  } finally {
    faults = await load.end();
    await proxy.close();
  }
  for (const each of processes) await each.stop();
  return { faults, told, load, output: processes.map((each) => each.output()) };
}

test('measure', async () => {
  await query(String(readKept(lastRelease.version, 'database.sql.br')));
  const key = lastRelease.database.find(({ businessId }) => businessId === 3)?.key ?? '';
  const first = await upgradeUnderLoad(previous, present, key);
  console.log(first.told, first.faults.length, first.faults.slice(0, 5), first.load.rounds(), first.load.titles.size);
  const second = await upgradeUnderLoad(present, next, key);
  console.log(second.told, second.faults.length, second.faults.slice(0, 5), second.load.rounds());
  const before = await digestOf(query);
  console.log(await refusedStart(env));
  const after = await digestOf(query);
  expect(after).toEqual(before);
  const back = await startProcess(env, [], previous.main);
  console.log('back', await readiness(back));
  await back.stop();
});
