import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';
import { createCertificate } from './support/certificate.ts';
import { answerOf, exchange, open, written } from './support/wire.ts';

/* Clients that are slow, silent or many, with the documented time-outs brought down. */

let service: TestApp;
let port: number;
/** Another one, which leaves idle connections alone. */
let patient: { app: TestApp; port: number };
const apps: TestApp[] = [];

const listening = async (env: Record<string, string>): Promise<{ app: TestApp; port: number }> => {
  const app = await startApp({ env, ...(apps[0] && { beside: apps[0] }) });
  apps.push(app);
  return { app, port: Number(new URL(await app.app.http.listen({ host: '127.0.0.1', port: 0 })).port) };
};

beforeAll(async () => {
  ({ app: service, port } = await listening({
    CALLBOARD_HEADERS_TIMEOUT: '600',
    CALLBOARD_REQUEST_TIMEOUT: '1200',
    CALLBOARD_KEEP_ALIVE_TIMEOUT: '500',
    CALLBOARD_STALL_TIMEOUT: '800',
  }));
  patient = await listening({
    CALLBOARD_STALL_TIMEOUT: '1000',
    CALLBOARD_ANSWER_TIMEOUT: '2500',
    CALLBOARD_EXPORT_TIMEOUT: '2500',
  });
});

afterAll(async () => {
  for (const app of apps.toReversed()) await app.close();
});

/** Writes the pieces one after the other for as long as the service listens. */
async function drip(socket: Socket, pieces: readonly string[], everyMs: number): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed || !socket.writable) return;
    socket.write(piece);
    await wait(everyMs);
  }
}

const connections = (app: TestApp) =>
  new Promise<number>((resolve, reject) => {
    app.app.http.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

const becomes = async (count: number, app: TestApp, withinMs: number): Promise<number> => {
  const start = performance.now();
  while ((await connections(app)) !== count) {
    if (performance.now() - start > withinMs) throw new Error(`${await connections(app)} connections are left`);
    await wait(50);
  }
  return performance.now() - start;
};

describe('a request that does not arrive', () => {
  test('headers sent slowly, line by line, are cut off with 408', async () => {
    const socket = await open(port);
    void drip(socket, ['GET /healthz HTTP/1.1\r\nHost: x\r\n', ...Array<string>(40).fill('X-More: 1\r\n')], 100);
    const { status, body, isClosed } = await answerOf(socket);
    expect({ status, isClosed, code: body.code }).toEqual({ status: 408, isClosed: true, code: 'REQUEST_TIMEOUT' });
  });

  test('a body sent slowly, letter by letter, is cut off with 408', async () => {
    const { as } = await service.createTenant();
    const [head = ''] = written('POST', '/v1/events', { as: as.admin, body: { title: 'x'.repeat(100) } }).split('{');
    const socket = await open(port);
    void drip(socket, [head, ...Array<string>(60).fill('x')], 100);
    const { status, isClosed } = await answerOf(socket);
    expect({ status, isClosed }).toEqual({ status: 408, isClosed: true });
  });

  test('a connection without a request is closed', async () => {
    const { isClosed } = await answerOf(await open(port));
    expect(isClosed).toBe(true);
  });

  test('an idle connection after an answer is kept for a while and then closed silently', async () => {
    const socket = await open(port);
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    for (let i = 0; i < 2; i++) {
      socket.write(written('GET', '/healthz', { headers: { connection: 'keep-alive' } }));
      await wait(200);
    }
    await once(socket, 'close');
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  });

  test('a TLS handshake that does not finish is aborted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'callboard-slow-'));
    const { cert, key } = createCertificate();
    writeFileSync(join(folder, 'cert.pem'), cert);
    writeFileSync(join(folder, 'key.pem'), key);
    const tls = await listening({
      CALLBOARD_HEADERS_TIMEOUT: '400',
      TLS_CERT: join(folder, 'cert.pem'),
      TLS_KEY: join(folder, 'key.pem'),
    });
    rmSync(folder, { recursive: true });
    const { text } = await answerOf(await open(tls.port));
    expect(text).not.toContain('200');
  });
});

/** Asks for far more than the buffers on the way hold. */
async function askForMuch(at: number): Promise<Socket> {
  const socket = await open(at);
  socket.pause();
  socket.write(written('GET', '/docs', { headers: { connection: 'keep-alive' } }).repeat(20));
  return socket;
}

describe('a client with a large answer', () => {
  test('that stops reading is cut off', async () => {
    const before = await connections(service);
    const socket = await askForMuch(port);
    await wait(300);
    expect(await connections(service)).toBe(before + 1);
    await becomes(before, service, 60_000);
    socket.destroy();
  });

  test('that reads very slowly is cut off later', async () => {
    const { app, port: at } = patient;
    const socket = await askForMuch(at);
    socket.on('data', () => socket.pause());
    const sips = setInterval(() => socket.resume(), 20);
    await wait(1500);
    expect(await connections(app)).toBe(1);
    await becomes(0, app, 60_000);
    clearInterval(sips);
    socket.destroy();
  });

  test('that reads everything gets everything', async () => {
    const socket = await askForMuch(port);
    const { rawPayload } = await service.app.http.inject({ url: '/docs' });
    let received = 0;
    socket.on('data', (chunk) => (received += chunk.length));
    socket.resume();
    await once(socket, 'close');
    expect(received).toBeGreaterThan(20 * rawPayload.length);
  });
});

test('thousands of pipelined requests are all answered', async () => {
  // Together, the answers are far more than the buffers on the way hold.
  const wire = written('GET', '/guide/who-can-work', { headers: { connection: 'keep-alive' } });
  const answered = async (bytes: string): Promise<number> => {
    const socket = await open(port);
    let answers = 0;
    let rest = '';
    socket.on('data', (chunk) => {
      const text = rest + String(chunk);
      answers += text.match(/HTTP\/1\.1 200/g)?.length ?? 0;
      rest = text.slice(1 - 'HTTP/1.1 200'.length);
    });
    socket.write(bytes);
    await new Promise((resolve) => socket.once('close', resolve));
    return answers;
  };
  expect(await answered(wire.repeat(1999) + written('GET', '/healthz'))).toBe(2000);
});

describe('many connections', () => {
  test('500 idle ones do not block another caller', async () => {
    const idle = await Promise.all(Array.from({ length: 500 }, () => open(patient.port)));
    const { status } = await exchange(patient.port, written('GET', '/healthz'));
    expect(status).toBe(200);
    for (const socket of idle) socket.destroy();
    await becomes(0, patient.app, 60_000);
  });

  test('are closed at once above the limit, until one of them closes', async () => {
    const small = await listening({ CALLBOARD_CONNECTIONS: '3' });
    const held = await Promise.all([open(small.port), open(small.port), open(small.port)]);
    await becomes(3, small.app, 60_000);
    expect((await exchange(small.port, written('GET', '/healthz'))).status).toBe(0);
    held[0]?.destroy();
    await becomes(2, small.app, 60_000);
    expect((await exchange(small.port, written('GET', '/healthz'))).status).toBe(200);
    for (const socket of held) socket.destroy();
  });
});

test('too many headers are refused, not dropped', async () => {
  const headers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, '1']));
  // Beside Host and Connection.
  expect((await exchange(port, written('GET', '/healthz', { headers: headers(98) }))).status).toBe(200);
  for (const count of [99, 500]) {
    const { status, body } = await exchange(port, written('GET', '/healthz', { headers: headers(count) }));
    expect([status, body.code]).toEqual([431, 'HEADERS_TOO_LARGE']);
  }
});
