import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { beforeAll, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { limits } from '../src/config/limits.ts';
import { boundConnections } from '../src/http/connections.ts';
import { newEvent } from './support/bad-input.ts';
import { configOf } from './support/config.ts';
import { password, type Tenant } from './support/factories.ts';
import { usePackage } from './support/package.ts';
import { answerOf, open, written } from './support/wire.ts';

/* Many requests on one connection, which are sent before the first answer has come. */

const count = 200;
let tenant: Tenant;
let port: number;

const service = usePackage({ CALLBOARD_ENTERPRISE_PER_MINUTE: '100000', CALLBOARD_ANONYMOUS_PER_MINUTE: '1000' });

beforeAll(async () => {
  port = Number(new URL(await service.listen()).port);
  tenant = await service.createTenant();
});
/** The last request of a pipeline ends the connection. */
const keep = (at: number): Record<string, string> => (at === count - 1 ? {} : { connection: '' });
const all = (request: (at: number) => string) => Array.from({ length: count }, (_, at) => request(at));

async function send(requests: readonly string[], port_ = port): Promise<string> {
  const socket = await open(port_);
  socket.write(requests.join(''));
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  await once(socket, 'close');
  return text;
}

const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
const valuesIn = (text: string, header: string) =>
  [...text.matchAll(new RegExp(`^${header}: (.*)\\r$`, 'gim'))].map(([, value]) => value);

test('200 reads are all answered, in their order, and each is counted', async () => {
  const text = await send(
    all((at) =>
      written('GET', `/v1/events?per_page=1&page=${at + 1}`, {
        as: tenant.as.admin,
        headers: { ...keep(at), 'x-request-id': `read-${at}` },
      }),
    ),
  );
  expect(statusesIn(text)).toEqual(Array(count).fill('200'));
  expect(valuesIn(text, 'x-request-id')).toEqual(all((at) => `read-${at}`));
  expect(new Set(valuesIn(text, 'x-ratelimit-remaining')).size).toBe(count);
});

test('200 writes are all done and answered, in their order', async () => {
  const text = await send(
    all((at) =>
      written('POST', '/v1/events', {
        as: tenant.as.admin,
        body: { ...newEvent, title: `Pipelined ${at}`, description: 'x'.repeat(2000) },
        headers: keep(at),
      }),
    ),
  );
  expect(statusesIn(text)).toEqual(Array(count).fill('201'));
  expect([...text.matchAll(/"title":"(Pipelined \d+)"/g)].map(([, title]) => title)).toEqual(
    all((at) => `Pipelined ${at}`),
  );
  expect(await service.prisma.event.count({ where: { businessId: tenant.business.id } })).toBe(count);
});

test('a slow request at the front holds the others up, and none is lost', async () => {
  const logIn = written('POST', '/v1/auth/login', {
    body: { email: tenant.admin.email, password },
    headers: { connection: '' },
  });
  const text = await send(all((at) => (at === 0 ? logIn : written('GET', '/healthz', { headers: keep(at) }))));
  expect(statusesIn(text)).toEqual(Array(count).fill('200'));
  expect(text.indexOf('"token"')).toBeLessThan(text.indexOf('{"status":"ok"'));
});

/** A server in which every request waits until it is let go. */
async function startWaiting() {
  const app = Fastify();
  boundConnections(app, configOf().http);
  const going: (() => void)[] = [];
  const started: string[] = [];
  app.route({
    method: ['GET', 'POST'],
    url: '/:at',
    handler: async ({ params, body }) => {
      const { at } = params as { at: string };
      started.push(at);
      await new Promise<void>((go) => going.push(go));
      return { at, length: JSON.stringify(body ?? null).length };
    },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, going, started, port: (app.server.address() as AddressInfo).port };
}

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
};

test('a connection has at most 32 requests in hand, and nothing more is read from it meanwhile', async () => {
  const { app, going, started, port: own } = await startWaiting();
  const sockets: Socket[] = [];
  app.server.on('connection', (socket) => void sockets.push(socket));
  const body = { text: 'x'.repeat(10_000) };
  const answers = send(
    all((at) => written('POST', `/${at}`, { body, headers: keep(at) })),
    own,
  );
  await until(() => going.length === limits.pipelinedMax);
  await until(() => sockets[0]?.isPaused() === true);
  const readWhilePaused = sockets[0]?.bytesRead;
  expect(readWhilePaused).toBeLessThan(1_000_000);
  for (let at = 0; at < count; at++) {
    await until(() => going.length > at);
    expect(started.length - at).toBeLessThanOrEqual(limits.pipelinedMax);
    going[at]?.();
  }
  const text = await answers;
  expect(started).toEqual(all(String));
  expect([...text.matchAll(/"at":"(\d+)"/g)].map(([, at]) => at)).toEqual(all(String));
  await app.close();
});

test('a client that goes away takes its waiting requests along', async () => {
  const { app, going, started, port: own } = await startWaiting();
  const socket = await open(own);
  socket.write(all((at) => written('GET', `/${at}`, { headers: keep(at) })).join(''));
  await until(() => going.length === limits.pipelinedMax);
  socket.destroy();
  await once(socket, 'close');
  const other = await open(own);
  other.write(written('GET', '/other'));
  await until(() => started.includes('other'));
  // The end of a connection that is not read shows when an answer is written to it.
  for (const go of going) go();
  expect((await answerOf(other)).status).toBe(200);
  expect(started.length).toBeLessThanOrEqual(2 * limits.pipelinedMax + 1);
  await app.close();
});
