import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Database } from '../src/db/engine/database.ts';
import { commitSurely, readStatus, readWritten, type AskStatus, type Status } from '../src/db/engine/outcomes.ts';
import { openDatabase } from '../src/db/engine/open-database.ts';
import { startCluster, type Cluster } from './support/cluster.ts';
import { configOf, signingSecret } from './support/config.ts';
import { createFactories, type Factories } from './support/factories.ts';
import { findingsOf, type Findings } from './support/load-checks.ts';
import { createLoadScene, startLoad, type Attempt } from './support/load.ts';
import { startProcess, stopAll, type ServiceProcess } from './support/process.ts';

/*
 * Two processes of the service on a PostgreSQL of their own, which is broken under reads and writes: what was acknowledged is
 * stored, nothing is half there, every refusal is an orderly one, and all is well again soon after.
 */

let cluster: Cluster;
let database: Database;
let factories: Factories;
let services: ServiceProcess[];

const env = (more: Record<string, string> = {}) => ({
  DATABASE_URL: cluster.url,
  JWT_SECRETS: `test:${signingSecret}`,
  LOG_LEVEL: 'info',
  // Time for each caller to be told that its connection is not kept.
  CALLBOARD_DRAIN_DELAY: '500',
  ...more,
});

beforeAll(async () => {
  cluster = await startCluster({ max_connections: '40', deadlock_timeout: '100ms' });
  const config = configOf({ DATABASE_URL: cluster.url });
  database = await openDatabase(config.db);
  await database.migrate();
  factories = createFactories(database.prisma, config, () => new Date());
  services = await Promise.all([startProcess(env()), startProcess(env())]);
});

afterAll(async () => {
  stopAll();
  await database?.close();
  await cluster?.close();
});

interface Report extends Findings {
  readonly slowestRefusalMs: number;
  /** From when the database was back until the last call began that was refused. */
  readonly recoveredAfterMs: number;
  readonly cut: readonly Attempt[];
  readonly unhealthy: number;
}

/** Runs a load during a fault and checks answers and stored rows. `breakAndMend` returns the time of recovery, by `performance`. */
async function underLoad(
  name: string,
  breakAndMend: () => Promise<number>,
  origins = originsOf(),
  taking: () => readonly string[] = () => origins,
): Promise<Report> {
  const scene = await createLoadScene(factories);
  const load = startLoad(taking, scene);
  const health = watchHealth(origins);
  await until(() => load.attempts.filter(({ outcome }) => outcome === 'done').length >= 25);
  const backAt = await breakAndMend();
  await until(
    () => load.attempts.filter(({ startedAt, outcome }) => startedAt > backAt && outcome === 'done').length >= 25,
  );
  await load.stop();
  const { attempts } = load;
  const failures = attempts.filter(({ outcome }) => outcome !== 'done');
  const findings = await findingsOf(services[0]!.origin, scene, attempts);
  // Unexpected errors in the log of the service count as failures of the test.
  if (findings.wrong.length > 0) findings.wrong.push(...services.flatMap(unexplained));
  const report = {
    ...findings,
    slowestRefusalMs: Math.round(Math.max(0, ...failures.map(({ ms }) => ms))),
    recoveredAfterMs: Math.round(Math.max(0, ...failures.map(({ startedAt }) => startedAt - backAt))),
    cut: failures.filter(({ outcome }) => outcome === 'cut'),
    unhealthy: await health(),
  };
  const { wrong, cut, ...figures } = report;
  process.stdout.write(`${name}: ${JSON.stringify({ ...figures, cut: cut.length, wrong: wrong.length })}\n`);
  return report;
}

const unexplained = ({ output }: ServiceProcess): string[] =>
  output()
    .split('\n')
    .filter((line) => line.includes('"request failed"'));

const originsOf = () => services.map(({ origin }) => origin);

/** Acts as a load balancer: calls go to the processes that /readyz reports as ready. */
function balance(origins: readonly string[]) {
  const stopping = new AbortController();
  let taking = origins;
  const polling = (async () => {
    while (!stopping.signal.aborted) {
      const statuses = await Promise.all(origins.map((origin) => statusOf(origin, '/readyz').catch(() => 0)));
      taking = origins.filter((_origin, index) => statuses[index] === 200);
      await wait(50);
    }
  })();
  return {
    taking: () => taking,
    stop: () => {
      stopping.abort();
      return polling;
    },
  };
}

/** Polls /healthz until called; gives how many answers were not 200. */
function watchHealth(origins: readonly string[]): () => Promise<number> {
  const stopping = new AbortController();
  let bad = 0;
  const polling = origins.map(async (origin) => {
    while (!stopping.signal.aborted) {
      const status = await statusOf(origin, '/healthz').catch(() => 0);
      if (status !== 200) bad++;
      await wait(100);
    }
  });
  return async () => {
    stopping.abort();
    await Promise.all(polling);
    return bad;
  };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(20);
}

async function statusOf(origin: string, path: string): Promise<number> {
  const answer = await fetch(origin + path);
  await answer.arrayBuffer();
  return answer.status;
}

const expectSurvived = ({ wrong, slowestRefusalMs, recoveredAfterMs, acknowledged }: Report) => {
  expect(wrong).toEqual([]);
  expect(acknowledged).toBeGreaterThan(10);
  expect(slowestRefusalMs).toBeLessThan(60_000);
  expect(recoveredAfterMs).toBeLessThan(60_000);
};

describe('under load', () => {
  test('PostgreSQL is restarted', async () => {
    const report = await underLoad('restart', async () => {
      await cluster.stopFast();
      for (const { origin } of services) expect(await statusOf(origin, '/readyz')).toBe(503);
      await wait(500);
      await cluster.start();
      return performance.now();
    });
    expectSurvived(report);
    expect(report.unavailable).toBeGreaterThan(0);
    expect([report.cut, report.unhealthy]).toEqual([[], 0]);
  });

  test('PostgreSQL is killed', async () => {
    const report = await underLoad('kill', async () => {
      await cluster.kill();
      await cluster.start();
      return performance.now();
    });
    expectSurvived(report);
    expect([report.cut, report.unhealthy]).toEqual([[], 0]);
  });

  test('PostgreSQL freezes for a while', async () => {
    const report = await underLoad('freeze', async () => {
      cluster.freeze();
      await wait(9000);
      cluster.thaw();
      return performance.now();
    });
    expectSurvived(report);
    expect(report.unavailable).toBeGreaterThan(0);
    expect([report.cut, report.unhealthy]).toEqual([[], 0]);
  });

  test('other programs take every connection of PostgreSQL', async () => {
    const report = await underLoad('connections', async () => {
      const others = await takeConnections();
      await cluster.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'callboard'`,
      );
      await others.takeMore();
      await wait(1000);
      await others.giveBack();
      return performance.now();
    });
    expectSurvived(report);
    expect(report.unavailable).toBeGreaterThan(0);
    expect([report.cut, report.unhealthy]).toEqual([[], 0]);
  });

  test('one of the two processes is killed: the other continues', async () => {
    const report = await underLoad('kill -9 of the service', async () => {
      await services[1]!.stop('SIGKILL');
      services[1] = await startProcess(env());
      return performance.now();
    });
    expect(report.wrong).toEqual([]);
    expect(report.cut.length).toBeGreaterThan(0);
  });

  test('one of the two processes is stopped: it drains first and cuts no request off', async () => {
    const balancer = balance(originsOf());
    const toldToEnd = async () => {
      expect(await services[1]!.stop('SIGTERM')).toEqual({ code: 0, signal: null });
      expect(balancer.taking()).toEqual([services[0]!.origin]);
      return performance.now();
    };
    const report = await underLoad('SIGTERM of the service', toldToEnd, originsOf(), balancer.taking);
    await balancer.stop();
    expect(report.wrong).toEqual([]);
    expect(report.cut).toEqual([]);
  });
});

test('after a crash, nobody takes another transaction of the same id for the one that was lost', async () => {
  const own = await startCluster();
  const lost = new pg.Client({ connectionString: own.url });
  lost.on('error', () => undefined);
  try {
    await lost.connect();
    await lost.query('BEGIN; SELECT pg_current_xact_id()');
    const [written] = (await lost.query(readWritten)).rows;
    await own.kill();
    await own.start();
    const giveId = async () => Number((await own.query<{ id: string }>('SELECT pg_current_xact_id() AS id'))[0]!.id);
    let id = await giveId();
    expect(id).toBeLessThanOrEqual(Number(written.xid));
    while (id < Number(written.xid)) id = await giveId();
    const ask: AskStatus = async (xid) => (await own.query<Status>(readStatus, [xid]))[0]!;
    const unanswered = () => Promise.reject(new Error('Connection terminated unexpectedly'));
    await expect(commitSurely(written, unanswered, ask)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  } finally {
    await lost.end().catch(() => undefined);
    await own.close();
  }
});

/** As the service's own role, all that is left of them. */
async function takeConnections() {
  const held: pg.Client[] = [];
  const takeMore = async () => {
    for (;;) {
      const client = new pg.Client({ connectionString: cluster.url, application_name: 'another' });
      client.on('error', () => undefined);
      try {
        await client.connect();
        held.push(client);
      } catch {
        return;
      }
    }
  };
  await takeMore();
  return { takeMore, giveBack: () => Promise.all(held.map((client) => client.end())) };
}
