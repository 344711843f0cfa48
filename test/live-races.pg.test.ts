import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { startRedis, type RedisProcess } from './support/redis.ts';
import { takeShare } from './support/share.mjs';
import { openStream, subscribe, type OpenStream, type ReadEvent } from './support/streams.ts';

/* Streams of two processes beside six writers: whoever reconnects at random misses nothing, with Redis and without. */

const events = 12;

const kinds = takeShare('streams of two processes', ['with Redis', 'without Redis'], 2);

describe.each(kinds)('%s', (kind) => {
  let redis: RedisProcess | undefined;
  let services: readonly [TestApp, TestApp];
  let origins: readonly string[];
  let tenant: Tenant;
  let isWriting = true;

  beforeAll(async () => {
    redis = kind === 'with Redis' ? await startRedis() : undefined;
    const env = { REDIS_URL: redis?.url ?? '' };
    const first = await startApp({ env });
    services = [first, await startApp({ env, beside: first })];
    origins = await Promise.all(services.map(({ app }) => app.http.listen({ port: 0, host: '127.0.0.1' })));
    tenant = await first.createTenant();
    for (let made = 0; made < events; made += 1) await first.createEvent(tenant.business);
  });

  afterAll(async () => {
    await services[1].close();
    await services[0].close();
    await redis?.close();
  });

  const anyOf = <T>(values: readonly T[]): T => values[randomInt(values.length)]!;

  /** Changes events through the service and beside it; a tenth of the transactions are rolled back. */
  async function write(): Promise<void> {
    const { prisma } = services[0];
    const businessId = tenant.business.id;
    const rows = await prisma.event.findMany({ where: { businessId }, orderBy: { id: 'asc' } });
    for (let round = 0; round < 20; round += 1) {
      const row = anyOf(rows.slice(0, events));
      const room = randomUUID();
      if (randomInt(2) === 0) {
        const body = { room };
        const { status } = await anyOf(services).call('PUT', `/v1/events/${row.uuid}`, { as: tenant.as.admin, body });
        expect(status).toBe(200);
      } else {
        const work = prisma.$transaction(async (tx) => {
          await tx.event.update({ where: { businessId_id: { businessId, id: row.id } }, data: { room } });
          await wait(randomInt(6));
          if (randomInt(10) === 0) throw new Error('rolled back');
        });
        await work.catch((error: Error) => expect(error.message).toBe('rolled back'));
      }
    }
  }

  interface Reader {
    open(after: string): Promise<OpenStream>;
    pageOf(event: ReadEvent): { cursor: string; rows: { id: number; version: number }[] };
  }
  const subscription = `subscription ($after: String) {
    changes(after: $after) { changes { databaseId node { ... on Event { version } } } nextCursor }
  }`;
  const readers: Record<string, Reader> = {
    REST: {
      open: (after) =>
        openStream(anyOf(origins), '/v1/changes/stream', {
          as: tenant.as.admin,
          headers: { 'last-event-id': after },
        }),
      pageOf: ({ id, data }) => ({
        cursor: id ?? '',
        rows: data.changes.map((each: { id: number; row: { version: number } }) => ({
          id: each.id,
          version: each.row.version,
        })),
      }),
    },
    GraphQL: {
      open: (after) => subscribe(anyOf(origins), subscription, { as: tenant.as.admin, variables: { after } }),
      pageOf: ({ data }) => ({
        cursor: data.data.changes.nextCursor,
        rows: data.data.changes.changes.map((each: { databaseId: number; node: { version: number } }) => ({
          id: each.databaseId,
          version: each.node.version,
        })),
      }),
    },
  };

  /** Follows on either process, closes the stream after a few events, and comes back to any process with its cursor. */
  async function follow({ open, pageOf }: Reader, start: string, wanted: () => ReadonlyMap<number, number> | null) {
    const versions = new Map<number, number>();
    let cursor = start;
    for (;;) {
      const stream: OpenStream = await open(cursor);
      expect(stream.status).toBe(200);
      const leaveAfter = randomInt(1, 6);
      let taken = 0;
      const isOver = () => {
        const goal = wanted();
        return goal !== null && [...goal].every(([id, version]) => versions.get(id) === version);
      };
      while (taken < leaveAfter && !isOver()) {
        // While somebody writes, there is a next event; afterwards the last state comes, if it has not come already.
        const event = await Promise.race([stream.until(() => stream.events.length > taken), wait(50, null)]);
        if (event === null) {
          if (!isWriting) break;
          continue;
        }
        const page = pageOf(stream.events[taken]!);
        taken += 1;
        cursor = page.cursor;
        for (const { id, version } of page.rows) {
          expect(version).toBeGreaterThanOrEqual(versions.get(id) ?? 0);
          versions.set(id, version);
        }
      }
      stream.close();
      if (isOver()) return versions;
    }
  }

  test('readers that reconnect at random get every change, and none out of order', async () => {
    const { prisma } = services[0];
    const before = new Map(
      (await prisma.event.findMany({ where: { businessId: tenant.business.id } })).map(({ id, version }) => [
        id,
        version,
      ]),
    );
    const { body } = await services[0].call('GET', '/v1/changes', { as: tenant.as.admin });
    let last: Map<number, number> | null = null;
    const following = Object.values(readers).flatMap((reader) =>
      [1, 2, 3].map(() => follow(reader, body.data.next_cursor, () => last)),
    );
    await Promise.all([1, 2, 3, 4, 5, 6].map(write));
    const rows = await prisma.event.findMany({ where: { businessId: tenant.business.id } });
    last = new Map(rows.filter(({ id, version }) => version > before.get(id)!).map(({ id, version }) => [id, version]));
    isWriting = false;
    expect(last.size).toBeGreaterThan(5);
    for (const versions of await Promise.all(following))
      expect(Object.fromEntries(versions)).toEqual(Object.fromEntries(last));
  });
});
