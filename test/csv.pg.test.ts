import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Event } from '../src/generated/prisma/client.ts';
import { startApp, type TestApp } from './support/app.ts';
import { readCsv } from './support/csv.ts';
import type { Tenant } from './support/factories.ts';

/* Exports from a snapshot while others write, fail, stop reading or disconnect. */

const many = 20_000;
/** Four bytes a character: together more than sockets hold while nobody reads. */
const long = '🎭'.repeat(120);
const exportTimeoutMs = 2000;

let service: TestApp;
let tenant: Tenant;
let event: Event;
let origin: string;
let url: string;

beforeAll(async () => {
  service = await startApp({
    env: { CALLBOARD_EXPORTS: '2', CALLBOARD_DB_POOL: '4' },
  });
  tenant = await service.createTenant();
  event = await service.createEvent(tenant.business, { title: long });
  const { id: positionId } = await service.createPosition(tenant.business, { title: long });
  await service.prisma.$executeRaw`
    INSERT INTO work_shifts (business_id, event_id, position_id, user_id, start_local, starts_at, end_local, ends_at)
    SELECT ${tenant.business.id}, ${event.id}, ${positionId}, ${tenant.staff.id},
           t, t AT TIME ZONE 'UTC', t + interval '1 hour', (t + interval '1 hour') AT TIME ZONE 'UTC'
      FROM (SELECT CASE WHEN g % 10 > 0 THEN timestamp '2026-12-05' + g % 1000 * interval '1 minute' END AS t
              FROM generate_series(1, ${many}) AS g) AS times`;
  origin = await service.app.http.listen({ port: 0, host: '127.0.0.1' });
  url = `${origin}/v1/work_shifts/event/${event.uuid}`;
});

afterAll(() => service.close());

/** Without triggers: to log 20,000 changes takes seconds. */
const unlogged = (sql: string) =>
  service.prisma.$executeRawUnsafe(`DO $$ BEGIN SET LOCAL session_replication_role = replica; ${sql}; END $$`);

/** A caller without exports so far. */
const someone = async () => (await service.createKey(tenant.business)).key;

/** Compressed, so even a text leaves the service sooner than anybody stops reading. */
const plain = 'identity';

const askRest = async (signal?: AbortSignal, encoding = plain) =>
  fetch(url, {
    headers: { accept: 'text/csv', 'accept-encoding': encoding, authorization: `Bearer ${await someone()}` },
    ...(signal && { signal }),
  });

const askGraphql = async (_signal?: AbortSignal, encoding = plain) =>
  fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: {
      accept: 'text/csv',
      'accept-encoding': encoding,
      'content-type': 'application/json',
      authorization: `Bearer ${await someone()}`,
    },
    body: JSON.stringify({
      query: `{ event(id: "${event.uuid}") { workShiftsConnection { nodes { uuid position { title } confirmed again: position { title } } } } }`,
    }),
  });

/** Connections of this database that hold a transaction open. */
const transactions = async (): Promise<{ pid: number }[]> =>
  service.prisma.$queryRaw`
    SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`;

const becomesFree = async (withinMs = 30_000) => {
  for (const end = Date.now() + withinMs; Date.now() < end; await wait(20))
    if ((await transactions()).length === 0) return true;
  return false;
};

/** Whether its body came to an end. */
const outcomeOf = (answer: Response): Promise<'whole' | 'broken'> =>
  answer.text().then(
    () => 'whole',
    () => 'broken',
  );

/** Asks, and then reads nothing any more. */
async function askAndStopReading(at = origin): Promise<Socket> {
  const { hostname, port, pathname } = new URL(url.replace(origin, at));
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nAccept: text/csv\r\nAuthorization: Bearer ${await someone()}\r\n\r\n`,
  );
  await once(socket, 'readable');
  return socket;
}

test.each([
  ['REST', askRest],
  ['GraphQL', askGraphql],
] as const)(
  `%s gives ${many} shifts, each once, as they were when it began, whatever is written meanwhile`,
  async (_dialect, ask) => {
    const answer = await ask();
    const reader = answer.body!.getReader();
    let text = new TextDecoder().decode((await reader.read()).value);
    const before = await service.prisma.workShift.count({ where: { eventId: event.id } });
    // One that would come last, one that comes last now, and all of them changed.
    const added = await service.createShift(event, tenant.staff, { start: null, end: null });
    const last = await service.prisma.workShift.findFirstOrThrow({
      where: { eventId: event.id, startsAt: null, status: 'active', id: { lt: added.id } },
      orderBy: { id: 'desc' },
    });
    await service.prisma.workShift.update({
      where: { businessId_id: { businessId: last.businessId, id: last.id } },
      data: { status: 'canceled' },
    });
    await unlogged(`UPDATE work_shifts SET confirmed = TRUE WHERE event_id = ${event.id}`);
    for (let part = await reader.read(); !part.done; part = await reader.read())
      text += new TextDecoder().decode(part.value);
    const [header = [], ...rows] = readCsv(text);
    const uuids = new Set(rows.map(([uuid]) => uuid));
    expect([rows.length, uuids.size, before]).toEqual([many, many, many]);
    expect([uuids.has(last.uuid), uuids.has(added.uuid)]).toEqual([true, false]);
    expect(new Set(rows.map((row) => row[header.indexOf('confirmed')])).size).toBe(1);
    await service.prisma.workShift.delete({
      where: { businessId_id: { businessId: added.businessId, id: added.id } },
    });
    await unlogged(`UPDATE work_shifts SET confirmed = FALSE, status = 'active' WHERE event_id = ${event.id}`);
    expect(await becomesFree()).toBe(true);
  },
);

test.each([
  ['REST', askRest, plain],
  ['REST', askRest, 'br'],
  ['REST', askRest, 'gzip'],
  ['GraphQL', askGraphql, plain],
  ['GraphQL', askGraphql, 'br'],
  ['GraphQL', askGraphql, 'gzip'],
] as const)(
  '%s breaks the connection where the database fails midway: no file is silently short',
  async (_dialect, ask, encoding) => {
    const answer = await ask(undefined, encoding);
    expect([answer.status, answer.headers.get('content-encoding') ?? plain]).toEqual([200, encoding]);
    const [snapshot] = await transactions();
    await service.prisma.$queryRaw`SELECT pg_terminate_backend(${snapshot?.pid}::int)`;
    expect(await outcomeOf(answer)).toBe('broken');
    expect(await becomesFree()).toBe(true);
  },
);

test('a client that disconnects frees the database connection at once', async () => {
  const leaving = new AbortController();
  const answer = await askRest(leaving.signal);
  await answer.body!.getReader().read();
  expect(await transactions()).toHaveLength(1);
  leaving.abort();
  expect(await becomesFree()).toBe(true);
});

test('a client that stops reading holds a snapshot no longer than the export limit', async () => {
  const strict = await startApp({
    beside: service,
    env: { CALLBOARD_EXPORT_TIMEOUT: String(exportTimeoutMs), CALLBOARD_ANSWER_TIMEOUT: '60000' },
  });
  const startedAt = Date.now();
  const socket = await askAndStopReading(await strict.app.http.listen({ port: 0, host: '127.0.0.1' }));
  await wait(500);
  expect(await transactions()).toHaveLength(1);
  expect(await becomesFree()).toBe(true);
  expect(Date.now() - startedAt).toBeGreaterThan(exportTimeoutMs - 100);
  // The rest of the answer breaks off.
  let text = '';
  socket.on('data', (part) => (text += String(part)));
  if (!socket.closed) await once(socket, 'close');
  expect(text.endsWith('\r\n0\r\n\r\n')).toBe(false);
  await strict.close();
});

test('the number of parallel exports is limited, so that connections are left for other calls', async () => {
  const sockets = [await askAndStopReading(), await askAndStopReading()];
  const refused = await askRest();
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([503, expect.any(Number)]);
  expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE' });
  expect((await service.call('GET', '/api/v1/users', { as: tenant.as.admin })).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  expect(await becomesFree()).toBe(true);
  expect((await (await askRest()).text()).length).toBeGreaterThan(many);
});

test('with a single connection, the list is read completely before it is sent', async () => {
  const single = await startApp({ beside: service, env: { CALLBOARD_DB_POOL: '1' } });
  const at = await single.app.http.listen({ port: 0, host: '127.0.0.1' });
  const answer = await fetch(url.replace(origin, at), {
    headers: { accept: 'text/csv', 'accept-encoding': plain, authorization: `Bearer ${await someone()}` },
  });
  expect((await single.call('GET', '/api/v1/users', { as: tenant.as.admin })).status).toBe(200);
  const text = await answer.text();
  expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(text));
  expect(readCsv(text)).toHaveLength(many + 1);
  await single.close();
});

test('an export that runs at shutdown is finished', async () => {
  const closing = await startApp({ beside: service });
  const at = await closing.app.http.listen({ port: 0, host: '127.0.0.1' });
  const answer = await fetch(url.replace(origin, at), {
    headers: { accept: 'text/csv', authorization: `Bearer ${await someone()}` },
  });
  const closed = closing.close();
  expect(readCsv(await answer.text())).toHaveLength(many + 1);
  await closed;
});
