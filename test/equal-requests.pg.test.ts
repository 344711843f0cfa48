import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Event } from '../src/generated/prisma/client.ts';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { counted, shown, waysToRead } from './support/reads.ts';
import { sqlCount } from './support/sql-watch.ts';

/* Equal requests at the same moment: a bystander locks the events until all of them have arrived. */
let service: TestApp;
let bystander: pg.Client;
let tenant: Tenant;
let event: Event;

beforeAll(async () => {
  service = await startApp();
  bystander = new pg.Client(service.database.config().db.url!);
  await bystander.connect();
  tenant = await service.createTenant();
  event = await service.createEvent(tenant.business, { clientId: tenant.client.id });
});

afterAll(async () => {
  await bystander.end();
  await service.close();
});

const changeSomething = () =>
  service.prisma.event.updateMany({ where: { id: event.id }, data: { room: `Room ${Math.random()}` } });

async function whileLocked<T>(run: () => Promise<T>): Promise<T> {
  await bystander.query('BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
  try {
    return await run();
  } finally {
    await bystander.query('COMMIT');
  }
}

/** Waits until the service has sent so many statements, and a moment more. */
async function sent(count: number): Promise<void> {
  while (sqlCount() < count) await wait(10);
  await wait(100);
}

describe.each(Object.keys(waysToRead))('Requests in %s', (way) => {
  const ask = (as: string) => waysToRead[way]!(service, as, {});

  test('that are equal and miss the response cache at the same moment are computed once', async () => {
    await changeSomething();
    const { statements: alone } = await counted(ask(tenant.as.admin));
    await changeSomething();
    const before = sqlCount();
    // Arrays of promises are not awaited until the lock is gone.
    const { answers } = await whileLocked(async () => {
      const those = Array.from({ length: 50 }, () => ask(tenant.as.admin));
      await sent(before + 51);
      return { answers: those };
    });
    const [first, ...others] = await Promise.all(answers);
    expect(first!.status).toBe(200);
    for (const other of others) expect(shown(other)).toEqual(shown(first!));
    // Each looks up its credential.
    expect(sqlCount() - before).toBe(49 + alone);
  });

  test('of callers with other rights do not share an answer', async () => {
    await changeSomething();
    const answers = await Promise.all([tenant.as.admin, tenant.as.client, tenant.as.staff].map(ask));
    const bodies = answers.map(({ body }) => JSON.stringify(body));
    expect(bodies[2]).not.toBe(bodies[0]);
  });
});

test('a request whose equal is aborted is answered all the same', async () => {
  const origin = await service.app.http.listen({ host: '127.0.0.1', port: 0 });
  const get = (signal?: AbortSignal) =>
    fetch(`${origin}/v1/events?per_page=7`, {
      headers: { authorization: `Bearer ${tenant.as.admin}`, connection: 'close' },
      ...(signal && { signal }),
    });
  const gone = new AbortController();
  const { first, other } = await whileLocked(async () => {
    const before = sqlCount();
    const one = get(gone.signal).catch(() => 'aborted' as const);
    await sent(before + 2);
    const two = get();
    await sent(before + 3);
    gone.abort();
    await wait(100);
    return { first: one, other: two };
  });
  expect(await first).toBe('aborted');
  expect((await other).status).toBe(200);
});

test('equal requests that fail fail each by themselves, and equal mutations are made each by themselves', async () => {
  const missing = () => service.call('GET', `/v1/events/${tenant.business.id}`, { as: tenant.as.admin });
  const failed = await Promise.all(Array.from({ length: 5 }, missing));
  expect(failed.map(({ status }) => status)).toEqual(Array(5).fill(404));
  const mutation = `mutation { createPosition(input: { title: "Same", defaultPayRate: "1" }) { uuid: title } }`;
  const made = await Promise.all(Array.from({ length: 3 }, () => service.graphql(mutation, { as: tenant.as.admin })));
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200]);
});
