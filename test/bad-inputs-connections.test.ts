import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import { startApp, useService, type TestApp } from './support/app.ts';
import { newEvent } from './support/bad-input.ts';
import { configOf } from './support/config.ts';
import type { Tenant } from './support/factories.ts';
import { answerOf, exchange, open, written } from './support/wire.ts';

let tenant: Tenant;
let port: number;
const log: string[] = [];

const portOf = ({ app }: TestApp) => (app.http.server.address() as AddressInfo).port;

const service = useService({ env: { LOG_LEVEL: 'info' }, logTo: { write: (line) => void log.push(line) } });

beforeAll(async () => {
  await service.app.http.listen({ host: '127.0.0.1', port: 0 });
  port = portOf(service);
  tenant = await service.createTenant();
});

const titles = async () =>
  (await service.prisma.event.findMany({ where: { businessId: tenant.business.id } })).map(({ title }) => title).sort();

describe('a client that hangs up', () => {
  const post = (title: string) => written('POST', '/v1/events', { as: tenant.as.admin, body: { ...newEvent, title } });

  test('in the middle of a POST leaves either the whole change or nothing, and the log shows no failure', async () => {
    const wire = post('Half');
    for (const share of [0.2, 0.6, 0.9, 0.999]) {
      const socket = await open(port);
      socket.write(wire.slice(0, Math.floor(wire.length * share)));
      await wait(20);
      socket.destroy();
    }
    // A request that arrived completely may be carried out, although nobody reads the answer.
    for (let index = 0; index < 10; index++) {
      const socket = await open(port);
      await new Promise((sent) => socket.write(post(`Whole ${index}`), sent));
      if (index % 2) await wait(index);
      socket.resetAndDestroy();
    }
    expect((await exchange(port, post('Heard of'))).status).toBe(201);
    const stored = await titles();
    expect(stored).toContain('Heard of');
    expect(stored.filter((title) => !/^(Whole \d|Heard of)$/.test(title))).toEqual([]);
    expect(new Set(stored).size).toBe(stored.length);
    expect(log.filter((line) => (JSON.parse(line) as { level: number }).level >= 40)).toEqual([]);
    expect(log.join('')).not.toMatch(/"statusCode":5|\n\s+at /);
  });

  test('after any part of the headers leaves nothing behind', async () => {
    for (const part of ['', 'G', 'GET /v1', 'GET /v1/events HTTP/1.1\r\n', 'GET /v1/events HTTP/1.1\r\nHost: x\r\n']) {
      const socket = await open(port);
      socket.end(part);
      const { status } = await answerOf(socket);
      expect([0, 400]).toContain(status);
    }
    expect((await exchange(port, written('GET', '/healthz'))).status).toBe(200);
  });
});

test('pipelined requests are answered in order, and garbage after them is refused', async () => {
  const keep = { headers: { connection: '' } };
  const wire = written('GET', '/healthz', keep) + written('GET', '/nothing', keep) + 'NONSENSE\r\n\r\n';
  const { text, isClosed } = await exchange(port, wire);
  expect(isClosed).toBe(true);
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses.at(-1)).toBe('400');
  expect(['200,404,400', '200,400', '400']).toContain(statuses.join());
});

test('a closing service carries out what comes on open connections, and closes them', async () => {
  const closing = await startApp({ beside: service });
  await closing.app.http.listen({ host: '127.0.0.1', port: 0 });
  const sockets = await Promise.all(
    ['/v1/events', '/graphql', '/api/v1/users'].map(async (path) => {
      const socket = await open(portOf(closing));
      const [head = '', rest = ''] = written('POST', path, { as: tenant.as.admin, body: newEvent }).split(
        /(?<=\r\n)(?=host)/,
      );
      socket.write(head);
      return { socket, rest };
    }),
  );
  await wait(50);
  const closed = closing.close();
  await wait(50);
  for (const [index, { socket, rest }] of sockets.entries()) {
    socket.write(rest);
    const { status, headers } = await answerOf(socket);
    // The event is created; it is neither a query nor a user.
    expect({ status, headers }).toMatchObject({ status: [201, 400, 422][index], headers: { connection: 'close' } });
  }
  await closed;
});

test('by default a request has at most 10 seconds for its headers and 15 in total', () => {
  const { http } = configOf();
  expect(http.headersTimeoutMs + limits.checkMs).toBeLessThanOrEqual(10_000);
  expect(http.requestTimeoutMs + limits.checkMs).toBeLessThanOrEqual(15_000);
  const { headersTimeout, requestTimeout } = service.app.http.server;
  expect({ headersTimeout, requestTimeout }).toEqual({
    headersTimeout: http.headersTimeoutMs,
    requestTimeout: http.requestTimeoutMs,
  });
});
