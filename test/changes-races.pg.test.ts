import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildApp, type App } from '../src/app.ts';
import { readLogAfter, readLogEnd, type LogPosition } from '../src/db/change-log.ts';
import { bindToBusiness } from '../src/db/tenant.ts';
import { startApp, type TestApp } from './support/app.ts';
import { configOf } from './support/config.ts';
import { onServer } from './support/database.ts';
import { createFactories, type Tenant } from './support/factories.ts';
import { databasePrefix, serverTemplate, serverUrl, urlOf } from './support/template.ts';

/* Readers of the change log miss nothing, whoever commits when, and learn of commits that a restore has lost. */

interface Page {
  readonly changes: readonly { kind: string; op: string; id: number; row: { version: number } | null }[];
  readonly next_cursor: string;
  readonly has_more: boolean;
}

const busyEvents = 12;

describe('beside six writers in two processes, of whose transactions a tenth are rolled back,', () => {
  let services: readonly [TestApp, TestApp];
  let tenant: Tenant;
  let isWriting = true;

  beforeAll(async () => {
    const first = await startApp();
    services = [first, await startApp({ beside: first })];
    tenant = await first.createTenant();
    for (let made = 0; made < busyEvents; made += 1) await first.createEvent(tenant.business);
  });

  afterAll(async () => {
    await services[1].close();
    await services[0].close();
  });

  const anyService = () => services[randomInt(2)]!;

  /** Changes several events and adds call times, with pauses, so that transactions end in another order than they began. */
  async function write(): Promise<void> {
    const { prisma } = anyService();
    const businessId = tenant.business.id;
    const events = await prisma.event.findMany({ where: { businessId }, orderBy: { id: 'asc' } });
    const position = await anyService().createPosition(tenant.business);
    for (let round = 0; round < 25; round += 1) {
      const first = randomInt(busyEvents - 2);
      const work = prisma.$transaction(async (tx) => {
        for (const { id } of events.slice(first, first + 2)) {
          await tx.event.update({ where: { businessId_id: { businessId, id } }, data: { room: randomUUID() } });
          await wait(randomInt(4));
        }
        const { startLocal, startsAt, endLocal, endsAt, id } = events[first]!;
        await tx.callTime.create({
          data: {
            businessId,
            eventId: id,
            positionId: position.id,
            staffNeeded: 1,
            ...{ startLocal, startsAt, endLocal, endsAt },
          },
        });
        if (randomInt(10) === 0) throw new Error('rolled back');
      });
      await work.catch((error: Error) => expect(error.message).toBe('rolled back'));
    }
  }

  /** Reads on until nobody writes and nothing is left. Now and then goes back to an earlier cursor, as after a lost answer. */
  async function follow(start: string): Promise<Map<string, number>> {
    const versions = new Map<string, number>();
    const cursors = [start];
    for (;;) {
      const wasWriting = isWriting;
      const after = randomInt(10) === 0 ? cursors[randomInt(cursors.length)]! : cursors.at(-1)!;
      const url = `/v1/changes?after=${after}&limit=${randomInt(1, 30)}`;
      const { status, body } = await anyService().call('GET', url, { as: tenant.as.admin });
      expect(status).toBe(200);
      const page = body.data as Page;
      for (const { kind, id, row } of page.changes) {
        const key = `${kind} ${id}`;
        expect(row!.version).toBeGreaterThanOrEqual(versions.get(key) ?? 0);
        versions.set(key, row!.version);
      }
      if (!page.has_more && !wasWriting && after === cursors.at(-1)) return versions;
      if (after === cursors.at(-1)) cursors.push(page.next_cursor);
    }
  }

  /** Reads the log itself, as streams and webhooks do. */
  async function readLog(from: LogPosition): Promise<bigint[]> {
    const { db } = bindToBusiness(services[1].prisma, tenant.business.id);
    const ids: bigint[] = [];
    for (let position = from; ;) {
      const wasWriting = isWriting;
      const page = await readLogAfter(db, position, { limit: randomInt(1, 40) });
      ids.push(...page!.changes.map(({ changeId }) => changeId));
      position = page!.end;
      if (!page!.hasMore && !wasWriting) return ids;
    }
  }

  test('readers that reconnect at random miss nothing, and get nothing out of order', async () => {
    const { prisma } = services[0];
    const businessId = tenant.business.id;
    const position = await readLogEnd(bindToBusiness(prisma, businessId).db);
    const { body } = await services[0].call('GET', '/v1/changes', { as: tenant.as.admin });
    const readers = [1, 2, 3, 4].map(() => follow(body.data.next_cursor as string));
    const logReader = readLog(position);
    await Promise.all([1, 2, 3, 4, 5, 6].map(write)).finally(() => (isWriting = false));
    const logged = await prisma.$queryRaw<{ id: bigint }[]>`
      SELECT h.id FROM commits c JOIN row_changes h USING (business_id, batch)
       WHERE business_id = ${businessId} AND revision > ${position.revision} ORDER BY revision, h.id`;
    expect(logged.length).toBeGreaterThan(300);
    expect(await logReader).toEqual(logged.map(({ id }) => id));
    const rows = await prisma.$queryRaw<{ key: string; version: number }[]>`
      SELECT 'event ' || id AS key, version FROM events WHERE business_id = ${businessId} AND version > 1
       UNION ALL SELECT 'callTime ' || id, version FROM call_times WHERE business_id = ${businessId}
       UNION ALL SELECT 'position ' || id, version FROM positions WHERE business_id = ${businessId}`;
    for (const versions of await Promise.all(readers))
      expect(Object.fromEntries(versions)).toEqual(Object.fromEntries(rows.map(({ key, version }) => [key, version])));
  });
});

describe('after a restore from a backup', () => {
  const names = [1, 2].map(() => `${databasePrefix}${randomUUID().slice(0, 8)}`) as [string, string];
  const open: App[] = [];

  afterAll(async () => {
    for (const app of open) await app.close();
    for (const name of names) await onServer(serverUrl!, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });

  async function openOn(name: string): Promise<App> {
    const app = await buildApp(configOf({ DATABASE_URL: urlOf(name) }));
    open.push(app);
    return app;
  }

  const close = async (app: App) => open.splice(open.indexOf(app), 1)[0]!.close();

  test('a cursor of a commit that was lost has expired, and an earlier one leads on', async () => {
    await onServer(serverUrl!, `CREATE DATABASE ${names[0]} TEMPLATE ${serverTemplate}`);
    let app = await openOn(names[0]);
    const config = configOf({ DATABASE_URL: urlOf(names[0]) });
    const { createTenant } = createFactories(app.database.prisma, config, () => new Date());
    const { as } = await createTenant();
    const send = async (method: 'GET' | 'POST', url: string, payload?: object) => {
      const headers = { authorization: `Bearer ${as.admin}` };
      const answer = await app.http.inject({ method, url, headers, ...(payload && { payload }) });
      return { status: answer.statusCode, data: answer.json<{ data: Page }>().data };
    };
    const early = (await send('GET', '/v1/changes')).data.next_cursor;
    await send('POST', '/v1/positions', { title: 'Before', default_pay_rate: '20' });
    await close(app);
    await onServer(serverUrl!, `CREATE DATABASE ${names[1]} TEMPLATE ${names[0]}`);

    app = await openOn(names[0]);
    await send('POST', '/v1/positions', { title: 'Lost', default_pay_rate: '20' });
    const late = (await send('GET', `/v1/changes?after=${early}`)).data;
    expect(late.changes).toHaveLength(2);
    await close(app);

    app = await openOn(names[1]);
    await send('POST', '/v1/positions', { title: 'After', default_pay_rate: '20' });
    expect((await send('GET', `/v1/changes?after=${late.next_cursor}`)).status).toBe(410);
    const { data } = await send('GET', `/v1/changes?after=${early}`);
    expect(data.changes.map(({ row }) => (row as unknown as { title: string }).title)).toEqual(['Before', 'After']);
  });
});
