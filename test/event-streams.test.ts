import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { createEventStreams, type EventSource, type EventStreams } from '../src/http/event-streams.ts';
import { createServer } from '../src/http/server.ts';
import { createLog } from '../src/log.ts';
import { configOf } from './support/config.ts';
import { open, written } from './support/wire.ts';

/* The transport of streams by itself: clients that do not read, and sources whose client is gone. */

let http: FastifyInstance | undefined;
afterEach(() => http?.close());

interface Served {
  readonly port: number;
  readonly streams: EventStreams;
  readonly sourceReturned: Promise<void>;
  readonly sent: () => number;
}

const event = `data: ${'x'.repeat(100_000)}\n\n`;

/** Serves one stream of events without an end. */
async function serveEndless(env: Record<string, string>, isPaced: boolean): Promise<Served> {
  const config = configOf(env);
  http = await createServer(config, createLog(config));
  const streams = createEventStreams(http, { config });
  let sent = 0;
  let returned = () => undefined as void;
  const sourceReturned = new Promise<void>((resolve) => (returned = resolve));
  http.get('/', (_request, reply) =>
    streams.serve(reply, async (ready) => {
      const source: EventSource = {
        next: async () => {
          if (isPaced) await ready({ isOver: false });
          else await new Promise((resolve) => setImmediate(resolve));
          sent++;
          return { done: false, value: event };
        },
        return: async () => {
          returned();
          return { done: true, value: undefined };
        },
      };
      return source;
    }),
  );
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as AddressInfo;
  return { port, streams, sourceReturned, sent: () => sent };
}

const connect = async (port: number) => {
  const socket = await open(port);
  socket.write(written('GET', '/', { headers: { accept: 'text/event-stream' } }));
  await once(socket, 'data');
  return socket;
};

describe('a client that does not read', () => {
  test('is cut off once too much waits for it, and its source ends', async () => {
    const { port, streams, sourceReturned } = await serveEndless({}, false);
    const socket = await connect(port);
    socket.pause();
    await sourceReturned;
    expect(streams.countOpen()).toBe(0);
    socket.destroy();
  });

  test('is cut off after the stall time-out, and little was read for it', async () => {
    const { port, streams, sourceReturned, sent } = await serveEndless({ CALLBOARD_STALL_TIMEOUT: '300' }, true);
    const socket = await connect(port);
    socket.pause();
    await sourceReturned;
    expect(streams.countOpen()).toBe(0);
    // The kernel takes some megabytes; the process keeps no more than one event.
    expect(sent()).toBeLessThan(200);
    socket.destroy();
  });
});

test('a source that waits ends when its client goes', async () => {
  const { port, streams, sourceReturned } = await serveEndless({}, true);
  const socket = await connect(port);
  expect(streams.countOpen()).toBe(1);
  socket.destroy();
  await sourceReturned;
  expect(streams.countOpen()).toBe(0);
});

test('a shutdown does not wait for a client that does not read', async () => {
  const { port, sourceReturned } = await serveEndless({}, true);
  const socket = await connect(port);
  socket.pause();
  await http!.close();
  await sourceReturned;
  socket.destroy();
});
