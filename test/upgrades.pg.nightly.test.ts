import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import pg from 'pg';
import { migrationNames } from '../src/db/migrations/migrations.ts';
import { keptAdmin, lastRelease, readKept, releases, unpackService } from './releases/kept.ts';
import { freePort } from './support/cluster.ts';
import { signingSecret } from './support/config.ts';
import { onServer } from './support/database.ts';
import { digestOf } from './support/digest.ts';
import { isNightly } from './support/share.mjs';
import { makeNextVersion } from './support/next-version.ts';
import { builtAt, refusedStart, startProcess, stopAll, type ServiceProcess } from './support/process.ts';
import { startProxy } from './support/proxies.ts';
import { databasePrefix, redisUrlOf, serverUrl, urlOf } from './support/template.ts';
import { documents, startLoad, type Load } from './support/upgrade-load.ts';

/*
 * Upgrades as the operators' guide describes them: two processes behind HAProxy, under load, one version after the other. Version
 * 0.1.0 does not tell callers when it drains, so nginx, which does not ask for readiness, would send it requests until the end.
 */

const name = `${databasePrefix}upgrades`;
const root = fileURLToPath(new URL('..', import.meta.url));
const roundsEach = isNightly ? 10 : 3;

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
const keptKey = lastRelease.database.find(({ businessId }) => businessId === 3)?.key ?? '';
const laterMigration = '29990101000000_later';

beforeAll(() => {
  next = makeNextVersion(nextFolder, { [laterMigration]: laterSql });
});

afterAll(() => {
  released.remove();
  rmSync(nextFolder, { recursive: true, force: true });
});

const laterSql = 'ALTER TABLE "events" ADD COLUMN "later" TEXT;\n';

const env = {
  NODE_ENV: 'production',
  TRUST_PROXY: '127.0.0.1',
  DATABASE_URL: urlOf(name),
  REDIS_URL: redisUrlOf(name),
  JWT_SECRETS: `test:${signingSecret}`,
  // HAProxy has to ask meanwhile, also on a busy machine.
  CALLBOARD_DRAIN_DELAY: '2000',
  CALLBOARD_ENTERPRISE_PER_MINUTE: '1000000',
  CALLBOARD_DB_POOL: '4',
  CALLBOARD_DB_CONNECT_TIMEOUT: '30000',
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
  await wait(500);
};

async function logIn({ origin }: ServiceProcess): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${origin}/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify(keptAdmin) });
  return ((await response.json()) as { data: { access_token: string } }).data.access_token;
}

interface Upgrade {
  /** All that was lost or answered wrongly. */
  readonly faults: string[];
  readonly applied: string[];
  /** What the processes of the version before say at /readyz on the new schema. */
  readonly readinessBefore: string[];
  readonly load: Load;
  /** What all processes wrote. */
  readonly output: string;
}

/**
 * Two processes of one version behind HAProxy are replaced by those of another one while requests come, and then one of these ends,
 * too.
 */
async function replaceUnderLoad(from: Version, to: Version): Promise<Upgrade> {
  const ports: [number, number] = [await freePort(), await freePort()];
  const start = (version: Version, port: number) =>
    startProcess({ ...env, PORT: String(port) }, [], builtAt(version.main));
  const processes = await Promise.all(ports.map((port) => start(from, port)));
  const all = [...processes];
  const proxy = await startProxy('haproxy', ports);
  // HAProxy has seen by then which processes are ready.
  await wait(1000);
  const load = startLoad(proxy, [keptKey, await logIn(processes[0]!)], 4);
  const completeRounds = async () => {
    const wanted = load.rounds() + roundsEach;
    while (load.rounds() < wanted) await wait(20);
  };
  let applied: string[] = [];
  let readinessBefore: string[] = [];
  let faults: string[];
  try {
    await completeRounds();
    if (to.callboard !== null) applied = await migrate(to);
    readinessBefore = await Promise.all(processes.map(readiness));
    await wait(1000);
    await completeRounds();
    for (const index of [0, 1] as const) {
      expect(await processes[index]!.stop()).toEqual({ code: 0, signal: null });
      processes[index] = await start(to, ports[index]);
      all.push(processes[index]);
      await becomeReady(processes[index]);
      await completeRounds();
    }
    expect(await processes.shift()!.stop()).toEqual({ code: 0, signal: null });
    await completeRounds();
  } finally {
    faults = await load.end();
    await proxy.close();
  }
  for (const each of processes) expect(await each.stop()).toEqual({ code: 0, signal: null });
  return { faults, applied, readinessBefore, load, output: all.map((each) => each.output()).join('') };
}

/** Lines of a log about failures. Probes of a process that is not ready are none. */
const failureLines = (output: string) =>
  output.split('\n').filter((line) => /"level":[56]0|"outcome":"failed"/.test(line) && !line.includes('/readyz'));

/** Events that a load made without a key, so that a proxy or a process which sends one again would show. */
const storedOnce = async () =>
  (await query<{ title: string }>(`SELECT title FROM events WHERE title LIKE 'Once %' ORDER BY title`)).map(
    ({ title }) => title,
  );

/** Titles of the events that a load made, as the database has them. */
const storedTitles = async () =>
  new Map(
    (await query<{ uuid: string; title: string }>(`SELECT uuid, title FROM events WHERE title LIKE 'Moved %'`)).map(
      ({ uuid, title }) => [uuid, title],
    ),
  );

const notReadyBecause = (migration = '') =>
  `503 The database schema is of a later version: it has the migration ${migration}.`;

const refusalBecause = (migration = '') =>
  `callboard: The database is of a later version: it has the migration ${migration}. Run that version, or restore the backup from before its upgrade. Nothing is changed.\n`;

/** Starts the service where it is meant to refuse. On a busy machine it may warn before that Redis does not answer. */
async function refusalOf(...start: Parameters<typeof refusedStart>) {
  const { code, output } = await refusedStart(...start);
  const lines = output.split('\n').filter((line) => !line.includes('"level":40'));
  return { code, output: lines.join('\n') };
}

test('the GraphQL documents of the load are valid in the last release and now', () => {
  const sources = [
    String(readKept(lastRelease.version, 'schema.graphql')),
    readFileSync(join(root, 'schema.graphql'), 'utf8'),
  ];
  const faults = sources.flatMap((source) =>
    Object.values(documents).flatMap((document) => validate(buildSchema(source), parse(document))),
  );
  expect(faults).toEqual([]);
});

test('processes of the last release are replaced by this version under load, and no request is lost', async () => {
  await query(String(readKept(lastRelease.version, 'database.sql.br')));
  const pending = (await migrationNames()).filter((each) => !lastRelease.migrations.includes(each));
  const there = await replaceUnderLoad(previous, present);
  expect(there.faults).toEqual([]);
  expect(there.applied).toEqual(pending);
  expect(await storedTitles()).toEqual(there.load.titles);
  expect(await storedOnce()).toEqual(there.load.once.toSorted());
  expect(failureLines(there.output)).toEqual([]);
  expect(there.output).toContain('SIGTERM: draining for 2000 ms, then closing');

  // Version 0.1.0 does not look for migrations that it does not know, and works with those of 0.2.0.
  if (lastRelease.version !== '0.1.0' && pending.length > 0) {
    expect(there.readinessBefore).toEqual([notReadyBecause(pending.at(-1)), notReadyBecause(pending.at(-1))]);
    expect(await refusalOf(env, [], builtAt(previous.main))).toEqual({
      code: 1,
      output: refusalBecause(pending.at(-1)),
    });
  } else {
    expect(there.readinessBefore).toEqual(['200', '200']);
    if (!isNightly) return;
    const back = await replaceUnderLoad(present, previous);
    expect(back.faults).toEqual([]);
    expect(await storedTitles()).toEqual(new Map([...there.load.titles, ...back.load.titles]));
    expect(failureLines(back.output)).toEqual([]);
  }
});

/** In the gate, readiness, process.pg and embedded-upgrades.long meet a later version without load. */
if (isNightly)
  test('processes of this version are not ready on the next schema, but serve until they are replaced; none starts on it', async () => {
    await query(String(readKept(lastRelease.version, 'database.sql.br')));
    await migrate(present);
    const there = await replaceUnderLoad(present, next);
    expect(there.faults).toEqual([]);
    expect(there.applied).toEqual([laterMigration]);
    expect(there.readinessBefore).toEqual([notReadyBecause(laterMigration), notReadyBecause(laterMigration)]);
    expect(await storedTitles()).toEqual(there.load.titles);
    expect(failureLines(there.output)).toEqual([]);

    const before = await digestOf(query);
    expect(await refusalOf(env)).toEqual({ code: 1, output: refusalBecause(laterMigration) });
    await expect(migrate(present)).rejects.toMatchObject({
      code: 1,
      stderr: refusalBecause(laterMigration),
    });
    expect(await digestOf(query)).toEqual(before);
  });

test.each(releases)(
  'a database of $version is migrated without losing a row',
  async ({ version, database, migrations }) => {
    await query(String(readKept(version, 'database.sql.br')));
    const columns = await query<{ list: string; name: string }>(`
    SELECT table_name AS name, string_agg(format('%I', column_name), ', ' ORDER BY ordinal_position) AS list
      FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' GROUP BY 1`);
    const contents = () =>
      Promise.all(columns.map(({ name: table, list }) => query(`SELECT ${list} FROM "${table}" ORDER BY ${list}`)));
    const before = await contents();
    expect(before.flat().length).toBeGreaterThan(1000);
    const applied = await migrate(present);
    expect(applied).toEqual((await migrationNames()).filter((each) => !migrations.includes(each)));
    expect(await contents()).toEqual(before);

    const service = await startProcess(env);
    for (const { businessId, key } of database) {
      const response = await fetch(`${service.origin}/v1/events`, { headers: { authorization: `Bearer ${key}` } });
      const { data } = (await response.json()) as { data: { total: number } };
      const [stored] = await query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM events WHERE business_id = ${businessId} AND status <> 'deleted'`,
      );
      expect({ status: response.status, total: data.total }).toEqual({ status: 200, total: stored?.count });
    }
    await service.stop();
  },
);
