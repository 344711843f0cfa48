import { randomInt } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, rm, stat, statfs, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../src/db/engine/open-database.ts';
import { configOf } from './support/config.ts';
import { createFactories } from './support/factories.ts';
import { findingsOf } from './support/load-checks.ts';
import { callerOf, createLoadScene, startLoad, type Attempt, type LoadScene } from './support/load.ts';
import { refusedStart, startProcess, stopAll } from './support/process.ts';
import { isNightly, takeShare } from './support/share.mjs';

/* The embedded database in a folder, whose process is killed, whose disk is full, and whose files are gone. */

let folder: string;
let dataDir: string;
let scene: LoadScene;
const env = (dir = dataDir) => ({ DATA_DIR: dir, DEMO: 'false', LOG_LEVEL: 'info' });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callboard-embedded-'));
  dataDir = join(folder, 'data');
  const config = configOf({ DATA_DIR: dataDir });
  const database = await openDatabase(config.db);
  await database.migrate();
  scene = await createLoadScene(createFactories(database.prisma, config, () => new Date()));
  await database.close();
});

afterAll(async () => {
  stopAll();
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

const done = (attempts: readonly Attempt[]) => attempts.filter(({ outcome }) => outcome === 'done').length;

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(10);
}

/** Each kill costs a start of the embedded database. The gate has one in `process.test.ts`. */
const kills = 20;

if (isNightly)
  test(`after being killed ${kills} times during writes, the service has lost no acknowledged write`, async () => {
    const attempts: Attempt[] = [];
    let acknowledged = 0;
    let service = await startProcess(env());
    for (let round = 1; round <= kills; round++) {
      const load = startLoad(() => [service.origin], scene, { pauseMs: 5, from: attempts.length });
      await until(() => done(load.attempts) >= 15);
      await service.stop('SIGKILL');
      await load.stop();
      attempts.push(...load.attempts);

      service = await startProcess(env());
      const findings = await findingsOf(service.origin, scene, attempts);
      expect({ round, wrong: findings.wrong }).toEqual({ round, wrong: [] });
      ({ acknowledged } = findings);
      if (round === kills) process.stdout.write(`${kills} kills: ${JSON.stringify(findings)}\n`);
    }
    expect(acknowledged).toBeGreaterThan(5 * kills);
    await service.stop();
  }, 1_800_000);

describe('a damaged data folder', () => {
  const relations = async (dir: string) => {
    const base = join(dir, 'pgdata/base/5');
    const sized = await Promise.all(
      (await readdir(base)).map(async (name) => ({
        path: join(base, name),
        bytes: (await stat(join(base, name))).size,
      })),
    );
    // Ours: system tables have lower numbers.
    return sized.filter(({ path, bytes }) => /\/\d{5}$/.test(path) && bytes > 8192).map(({ path }) => path);
  };
  const damages: Record<string, (dir: string) => Promise<unknown>> = {
    'PG_VERSION is gone': (dir) => rm(join(dir, 'pgdata/PG_VERSION')),
    'pg_control is gone': (dir) => rm(join(dir, 'pgdata/global/pg_control')),
    'all is gone but the folder': async (dir) => {
      await rm(join(dir, 'pgdata'), { recursive: true });
      await mkdir(join(dir, 'pgdata'));
    },
    'the log is cut': async (dir) => {
      const log = join(dir, 'pgdata/pg_wal');
      for (const name of await readdir(log)) if (name.startsWith('0')) await truncate(join(log, name), 4096);
    },
    'a table is gone': async (dir) => rm((await relations(dir))[0] ?? ''),
    'a table is cut': async (dir) => truncate((await relations(dir))[0] ?? '', 5000),
    'every table is cut to nothing': async (dir) => {
      for (const path of await relations(dir)) await truncate(path, 0);
    },
  };

  test.each(takeShare('damages', Object.keys(damages), 7))(
    '%s: one line says so and what to do, and nothing new takes its place',
    async (name) => {
      const dir = join(folder, 'damaged');
      await rm(dir, { recursive: true, force: true });
      await cp(dataDir, dir, { recursive: true });
      await damages[name]!(dir);
      const { code, output } = await refusedStart(env(dir));
      expect(code).toBe(5);
      expect(output.trim().split('\n')).toHaveLength(1);
      expect(output).toContain(`The database in ${dir}/pgdata cannot be opened: `);
      expect(output).toMatch(/ Restore a backup with .+, or move the folder away to start anew\.\n$/);
      expect((await readdir(dir)).filter((entry) => entry.startsWith('pgdata'))).toEqual(['pgdata']);
    },
    60_000,
  );
});

describe('a full disk', () => {
  /** In a namespace of its own the process has a small disk, which goes with it; who is not root makes it as root of another. */
  const onSmallDisk = (dir: string, megabytes: number, prepare = `cp -R ${dataDir}/. ${dir}`) => [
    'unshare',
    ...(process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--user', '--map-root-user']),
    'sh',
    '-c',
    `mount -t tmpfs -o size=${megabytes}m tmpfs ${dir} && ${prepare} && exec "$@"`,
    'sh',
  ];
  /** Four bytes each, of a kind that no compression makes shorter. */
  const noise = () => Array.from({ length: 19_000 }, () => String.fromCodePoint(0x20000 + randomInt(0xa000))).join('');

  const fill = (dir: string, freeKilobytes: number) =>
    `{ dd if=/dev/zero of=${dir}/ballast bs=1k 2>/dev/null; truncate -s -${freeKilobytes}K ${dir}/ballast; }`;

  const starts: [string, number, (dir: string) => string][] = [
    ['a new database, without any room', 64, (dir) => fill(dir, 0)],
    ['a new database, with room for its folder', 64, (dir) => fill(dir, 40)],
    ['a new database, with room for a part of it', 64, (dir) => fill(dir, 8000)],
    ['a database that is there', 128, (dir) => `cp -R ${dataDir}/. ${dir} && ${fill(dir, 0)}`],
  ];

  test.each(takeShare('starts on a full disk', starts, 4))(
    'stops the start of %s, and one line says so and what to do',
    async (_, megabytes, prepare) => {
      const dir = await mkdtemp(join(folder, 'full-'));
      const { code, output } = await refusedStart(env(dir), onSmallDisk(dir, megabytes, prepare(dir)));
      expect(code).toBe(5);
      expect(
        output
          .trim()
          .split('\n')
          .filter((line) => !line.includes('creating the embedded database')),
      ).toHaveLength(1);
      expect(output).toContain(dir);
      expect(output).toMatch(/ its disk is full\. Free some space on it, .* what is stored is not lost\.\n$/);
      expect(output).not.toMatch(/restore|undefined|move the folder/);
    },
  );

  test('makes writes fail with 503 while reads work; with free space again, writes work and nothing is lost', async () => {
    const dir = await mkdtemp(join(folder, 'disk-'));
    const service = await startProcess(env(dir), onSmallDisk(dir, 128));
    const disk = `/proc/${service.pid}/root${dir}`;
    const { rest } = callerOf(scene.tenant.as.key);
    const titles: string[] = [];
    let count = 0;
    const create = async (more = {}) => {
      const title = `on a small disk ${++count}`;
      const times = { start_time: '2027-05-01 10:00:00', end_time: '2027-05-01 12:00:00', timezone: 'Europe/London' };
      const reply = await rest(service.origin, 'POST', '/v1/events', { title, ...times, ...more });
      if (reply.outcome === 'done') titles.push(title);
      return reply;
    };
    const fillUpTo = async (freeBytes: number) => {
      const { bavail, bsize } = await statfs(disk);
      await writeFile(join(disk, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
    };
    const untilRefused = async () => {
      for (let tries = 0; tries < 150; tries++) {
        const { outcome, detail } = await create({ description: noise(), private_notes: noise() });
        if (outcome !== 'done') return { outcome, detail };
      }
      throw new Error('the disk does not fill');
    };
    const readiness = async () => {
      const answer = await fetch(`${service.origin}/readyz`);
      const { message } = (await answer.json()) as { message?: string };
      return { status: answer.status, message };
    };
    const diskIsFull = {
      status: 503,
      message: expect.stringMatching(/disk of the database is full\. Free some space/),
    };
    const untilItWrites = async () => {
      const freeAt = performance.now();
      for (;;) {
        const { outcome, detail } = await create();
        if (outcome === 'done') return performance.now() - freeAt;
        expect({ outcome, detail }).toEqual({ outcome: 'unavailable', detail: '' });
        await wait(200);
      }
    };

    // No room for tables, and none for the next piece of the log, without which the database would stop.
    for (const freeBytes of takeShare('room on a disk', [300_000, 15_000_000], 2)) {
      await fillUpTo(freeBytes);
      expect(await untilRefused()).toEqual({ outcome: 'unavailable', detail: '' });
      const read = await rest(service.origin, 'GET', '/v1/events');
      expect(read.outcome).toBe('done');
      expect(await readiness()).toEqual(diskIsFull);
      expect(await readiness()).toEqual(diskIsFull);
      await rm(join(disk, 'ballast'));
      while ((await readiness()).status !== 200) await wait(200);
      const ms = await untilItWrites();
      process.stdout.write(
        `full at ${freeBytes}: acknowledged ${titles.length}, writes again after ${Math.round(ms)} ms\n`,
      );
    }

    const stored: string[] = [];
    for (let page = 1, last = 1; page <= last; page++) {
      const { body } = await rest(service.origin, 'GET', `/v1/events?per_page=100&page=${page}`);
      const { data } = body as { data: { data: { title: string }[]; last_page: number } };
      stored.push(...data.data.map(({ title }) => title));
      last = data.last_page;
    }
    expect(titles.filter((title) => !stored.includes(title))).toEqual([]);
    expect((await fetch(`${service.origin}/readyz`)).status).toBe(200);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });
});
