import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { limits } from '../../src/config/limits.ts';
import type { Event, Position } from '../../src/generated/prisma/client.ts';
import type { TestApp } from '../support/app.ts';
import { startReplica } from '../support/cluster.ts';
import { readCsv } from '../support/csv.ts';
import type { Tenant } from '../support/factories.ts';
import { catchUp, countsOf, growthOf, until } from '../support/replicas.ts';
import { isInUse, log, plain, primary, replica, service, startService, startWith } from './scene.ts';

/** Reports and exports on streaming replicas that are late, killed and in conflict with what they read. */
export function testReports(): void {
  const december = 'from=2026-12-01T00:00:00Z&to=2027-01-01T00:00:00Z';

  let tenant: Tenant;
  let event: Event;
  let position: Position;
  beforeAll(async () => {
    tenant = await service.createTenant();
    event = await service.createEvent(tenant.business);
    position = await service.createPosition(tenant.business);
    await service.createCallTime(event, { positionId: position.id, staffNeeded: 1 });
  });

  /** Attempts of one caller are limited. */
  const callsOfKey = 25;
  let calls = 0;
  let key = '';

  async function caller(): Promise<string> {
    if (calls++ % callsOfKey === 0) ({ key } = await service.createKey(tenant.business));
    return key;
  }

  async function get(app: TestApp, url: string, accept = 'application/json', as?: string) {
    const authorization = `Bearer ${as ?? (await caller())}`;
    const { statusCode, body, headers } = await app.app.http.inject({ url, headers: { accept, authorization } });
    expect({ statusCode, body: statusCode === 200 ? '' : body }).toEqual({ statusCode: 200, body: '' });
    return { body, headers };
  }

  const getJson = async (app: TestApp, url: string) => JSON.parse((await get(app, url)).body);

  /** The number of people that the business needs, as the report of coverage says. */
  const needed = async (app = service): Promise<number> =>
    (await getJson(app, `/v1/coverage?${december}&group_by=day`)).data.total.needed;

  const exportPositions = async (app = service): Promise<string[][]> =>
    readCsv((await get(app, '/v1/positions', 'text/csv')).body);

  /** Every read that a replica may answer, over both dialects. */
  const reads: readonly ((app: TestApp) => Promise<unknown>)[] = [
    (app) => getJson(app, `/v1/coverage?${december}&group_by=event`),
    (app) => getJson(app, `/v1/labour_cost?${december}&group_by=position`),
    (app) => getJson(app, `/v1/conflicts?${december}`),
    async (app) => {
      const span = 'from: "2026-12-01T00:00:00Z", to: "2027-01-01T00:00:00Z"';
      const { body } = await app.graphql(
        `{ coverage(${span}, groupBy: DAY) { groups { key coverage { needed open } } } }`,
        {
          as: await caller(),
        },
      );
      expect(body.errors).toBeUndefined();
      return body;
    },
    exportPositions,
    async (app) => (await get(app, '/v1/events', 'text/csv')).body,
    async (app) => {
      const { body, status } = await app.graphql('{ events { edges { node { title workShifts { uuid } } } } }', {
        as: await caller(),
        headers: { accept: 'text/csv' },
      });
      expect(status).toBe(200);
      return body;
    },
  ];

  test('without lag, nine of ten reports and exports are answered by the replica, as the primary answers them', async () => {
    const rounds = 10;
    const grown = await growthOf(service, async () => {
      for (let round = 0; round < rounds; round++) {
        await service.createCallTime(event, { positionId: position.id, staffNeeded: 1 });
        await catchUp(primary, replica);
        for (const read of reads) expect(await read(service)).toEqual(await read(plain));
      }
    });
    expect(grown.replica + grown.primary).toBeGreaterThanOrEqual(rounds * reads.length);
    expect(grown.replica).toBeGreaterThanOrEqual(0.9 * (grown.replica + grown.primary));
  });

  test('a replica that stays late costs a few fallbacks, is left out, and comes back once it has what it lacked', async () => {
    log.length = 0;
    await replica.pauseReplay();
    await service.createCallTime(event, { positionId: position.id, staffNeeded: 1 });
    const truth = await needed(plain);
    const grown = await growthOf(service, async () => {
      for (let round = 0; round < 12; round++) expect(await needed()).toBe(truth);
      // Longer than the pause: the check finds that it still lacks the same.
      await wait(3 * limits.retryMs);
      expect(await needed()).toBe(truth);
    });
    expect(grown).toEqual({ replica: 0, primary: 13, fallbacks: { behind: 5 } });
    expect(linesAbout('a replica is left out')).toEqual([expect.objectContaining({ reason: 'behind' })]);
    await replica.resumeReplay();
    await isInUse();
    expect(linesAbout('a replica is used again')).toHaveLength(1);
    expect((await growthOf(service, () => needed())).replica).toBe(1);
  });

  test('several reports of one request fall back together', async () => {
    const span = 'from: "2026-12-01T00:00:00Z", to: "2027-01-01T00:00:00Z", groupBy: DAY';
    const query = `{ a: coverage(${span}) { total { needed } } b: labourCost(${span}) { total { open } } c: coverage(${span}) { total { needed } } }`;
    const ask = async () => {
      const { body } = await service.graphql(query, { as: await caller() });
      expect(body.errors).toBeUndefined();
      return body.data.a.total.needed as number;
    };
    expect(await growthOf(service, ask)).toEqual({ replica: 3, primary: 0, fallbacks: {} });
    await replica.pauseReplay();
    await service.createCallTime(event, { positionId: position.id, staffNeeded: 1 });
    const truth = await needed(plain);
    const grown = await growthOf(service, async () => expect(await ask()).toBe(truth));
    expect(grown).toEqual({ replica: 0, primary: 3, fallbacks: { behind: 1 } });
  });

  test('a replica without the latest migration is not used until it has it', async () => {
    const setLatest = (finishedAt: string) =>
      primary.query(
        `UPDATE _prisma_migrations SET finished_at = ${finishedAt} WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`,
      );
    await setLatest('NULL');
    await catchUp(primary, replica);
    log.length = 0;
    const another = await startService({
      DATABASE_READ_URLS: replica.url,
      // A busy machine takes long to connect, which would be another reason.
      CALLBOARD_DB_CONNECT_TIMEOUT: '30000',
    });
    try {
      await needed(another);
      await until(() => linesAbout('a replica is left out').length > 0);
      expect(linesAbout('a replica is left out')).toEqual([expect.objectContaining({ reason: 'schema' })]);
      expect(await growthOf(another, () => needed(another))).toEqual({ replica: 0, primary: 1, fallbacks: {} });
      await setLatest('now()');
      await isInUse(another);
    } finally {
      await setLatest('now()');
      await another.close();
    }
  });

  const linesAbout = (message: string): Record<string, unknown>[] =>
    log.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === message);

  test('a replica that is killed costs each request one fallback at most, and comes back', async () => {
    log.length = 0;
    const truth = await needed(plain);
    await replica.kill();
    const grown = await growthOf(service, async () => {
      expect(await Promise.all(Array.from({ length: 6 }, () => needed()))).toEqual(
        Array.from({ length: 6 }, () => truth),
      );
      for (let round = 0; round < 10; round++) expect(await needed()).toBe(truth);
      for (const read of reads) await read(service);
    });
    expect(grown.replica).toBe(0);
    expect(grown.primary).toBeGreaterThanOrEqual(16 + reads.length);
    expect(grown.fallbacks['down']).toBeGreaterThan(0);
    // Those that were on their way when it was left out.
    expect(Object.values(grown.fallbacks).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(6);
    expect(linesAbout('a replica is left out')).toHaveLength(1);
    await replica.start();
    await isInUse();
    expect(linesAbout('a replica is used again')).toHaveLength(1);
  });

  test('a replica that is frozen delays the requests on their way, and no others', async () => {
    const impatient = await startService({
      DATABASE_READ_URLS: replica.url,
      CALLBOARD_DB_QUERY_TIMEOUT: '2000',
    });
    try {
      await isInUse(impatient);
      const truth = await needed(plain);
      replica.freeze();
      const grown = await growthOf(impatient, async () => {
        expect(await Promise.all([needed(impatient), needed(impatient), needed(impatient)])).toEqual([
          truth,
          truth,
          truth,
        ]);
        for (let round = 0; round < 10; round++) expect(await needed(impatient)).toBe(truth);
      });
      expect(grown).toMatchObject({ replica: 0, primary: 13 });
      expect(Object.values(grown.fallbacks).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(3);
      replica.thaw();
      await isInUse(impatient);
    } finally {
      replica.thaw();
      await impatient.close();
    }
  });

  test('a report that the replay stops is read from the primary', async () => {
    const truth = await needed(plain);
    await setReplayDelay('0');
    const over = new AbortController();
    const conflict = async () => {
      while (!over.signal.aborted) {
        await primary.query('BEGIN; LOCK TABLE call_times, event_staffing IN ACCESS EXCLUSIVE MODE; COMMIT');
        await wait(5);
      }
    };
    const grown = await growthOf(service, async () => {
      const locking = conflict();
      const deadline = Date.now() + 20_000;
      const read = async () => {
        while (!over.signal.aborted && Date.now() < deadline) {
          expect(await needed()).toBe(truth);
          if (((await countsOf(service)).fallbacks['conflict'] ?? 0) > 0) over.abort();
        }
      };
      await Promise.all([read(), read(), read()]).finally(() => over.abort());
      await locking;
    });
    await setReplayDelay('30s');
    expect(grown.fallbacks['conflict']).toBeGreaterThan(0);
  });

  /** How long the replay waits for reads that are in its way. */
  async function setReplayDelay(delay: string): Promise<void> {
    await replica.query(`ALTER SYSTEM SET max_standby_streaming_delay = '${delay}'`);
    await replica.query('SELECT pg_reload_conf()');
  }

  test('exports of rows that the data version does not cover come from the primary', async () => {
    await service.createKey(tenant.business, { name: 'Quite new' });
    const grown = await growthOf(service, async () => {
      const { body } = await get(service, '/v1/tokens/business', 'text/csv', tenant.as.admin);
      expect(readCsv(body).flat()).toContain('Quite new');
    });
    expect(grown).toEqual({ replica: 0, primary: 1, fallbacks: { uncovered: 1 } });
  });

  test('an answer of a later data version than that of its request has no tag', async () => {
    await catchUp(primary, replica);
    const url = `/v1/coverage?${december}&group_by=day`;
    const tagged = await get(service, url);
    expect(tagged.headers['etag']).toEqual(expect.any(String));
    const writing = new AbortController();
    const write = (async () => {
      while (!writing.signal.aborted) await service.createCallTime(event, { positionId: position.id, staffNeeded: 1 });
    })();
    const tags: unknown[] = [];
    await until(async () => {
      tags.push((await get(service, url)).headers['etag']);
      return tags.includes(undefined);
    }).finally(() => writing.abort());
    await write;
  });

  test('several replicas take turns, and one is enough', async () => {
    const second = await startReplica(primary);
    const both = await startWith(replica, second);
    try {
      await isInUse(both, 2);
      const grown = await growthOf(both, async () => {
        for (let round = 0; round < 6; round++) await needed(both);
      });
      expect(grown).toEqual({ replica: 6, primary: 0, fallbacks: {} });
      for (const server of [replica, second]) {
        const [row] = await server.query<{ count: string }>(
          `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'callboard'`,
        );
        expect(Number(row?.count)).toBeGreaterThan(0);
      }
      await second.kill();
      for (let round = 0; round < 4; round++) await needed(both);
      const left = await growthOf(both, () => needed(both));
      expect(left).toEqual({ replica: 1, primary: 0, fallbacks: {} });
    } finally {
      await both.close();
      await second.close();
    }
  });

  test('the primary itself and other databases are no replicas', async () => {
    log.length = 0;
    const wrong = await startService({ DATABASE_READ_URLS: primary.url });
    try {
      await needed(wrong);
      await until(() => linesAbout('a replica is left out').length > 0);
      expect(await growthOf(wrong, () => needed(wrong))).toEqual({ replica: 0, primary: 1, fallbacks: {} });
      expect(linesAbout('a replica is left out')).toEqual([expect.objectContaining({ reason: 'down' })]);
    } finally {
      await wrong.close();
    }
  });
}
