import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mustReadAgain, placesOf } from './clients/dashboard/lists.ts';
import { createSubscribe } from './clients/dashboard/live.ts';

/* The client of the dashboards' guide, against a server that fails in ways that the service or the network can. */

type Answer = (response: ServerResponse) => void;

let server: Server;
/** How the server answers the requests, one after the other. The last one answers all that follow. */
let answers: Answer[];
/** The variable `after` of each request. */
let cursors: unknown[];
let end = () => {};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { variables } = (await json(request)) as { variables: { after?: unknown } };
  cursors.push(variables.after);
  (answers.length > 1 ? answers.shift()! : answers[0]!)(response);
}

beforeEach(async () => {
  cursors = [];
  server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  end();
  server.closeAllConnections();
  server.close();
});

const open: Answer = (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' });
const send = (response: ServerResponse, data: object) =>
  void response.write(`event: next\ndata: ${JSON.stringify(data)}\n\n`);
const page = (changes: object[], nextCursor: string): Answer => {
  return (response) => {
    open(response);
    send(response, { data: { changes: { changes, nextCursor } } });
  };
};
const refuse = (code: string): Answer => {
  return (response) => {
    open(response);
    send(response, { errors: [{ message: code, extensions: { code } }] });
    response.end('event: complete\ndata:\n\n');
  };
};
const drop: Answer = (response) => void response.destroy();
const event = (id: string) => ({ op: 'CHANGED', nodeId: id });

/** What the client hands on, until the pages are as many or it ends. */
async function follow(count: number, times = { silenceMs: 60_000, retryMs: 1 }): Promise<unknown[]> {
  const { port } = server.address() as AddressInfo;
  const heard: unknown[] = [];
  await new Promise<void>((resolve) => {
    end = createSubscribe(
      `http://127.0.0.1:${port}/`,
      fetch,
      times,
    )(
      { query: 'subscription { changes { nextCursor } }' },
      {
        next: (result) => {
          heard.push(result.errors ?? result.data?.['changes']);
          if (heard.length === count) resolve();
        },
        error: (error) => {
          heard.push(String(error));
          resolve();
        },
        complete: () => {
          heard.push('complete');
          resolve();
        },
      },
    );
  });
  return heard;
}

const first = { changes: [], nextCursor: 'one' };
const second = { changes: [event('a')], nextCursor: 'two' };

test('a connection on which nothing comes is broken off, and the next one goes on behind the last page', async () => {
  answers = [page([], 'one'), page([event('a')], 'two')];
  expect(await follow(2, { silenceMs: 300, retryMs: 1 })).toEqual([first, second]);
  expect(cursors).toEqual([undefined, 'one']);
});

test('a server that takes the request and never answers is silent too', async () => {
  answers = [() => {}, page([], 'one')];
  expect(await follow(1, { silenceMs: 300, retryMs: 1 })).toEqual([first]);
  expect(cursors).toHaveLength(2);
});

test('comments keep a connection', async () => {
  answers = [
    (response) => {
      page([], 'one')(response);
      let comments = 0;
      const timer = setInterval(() => {
        response.write(':\n\n');
        if (++comments < 40) return;
        clearInterval(timer);
        send(response, { data: { changes: second } });
      }, 100);
      response.once('close', () => clearInterval(timer));
    },
  ];
  expect(await follow(2, { silenceMs: 3_000, retryMs: 1 })).toEqual([first, second]);
  expect(cursors).toEqual([undefined]);
});

test('an outage may last, and an empty page after it is kept back', async () => {
  const outage = Array.from({ length: 30 }, () => drop);
  const back: Answer = (response) => {
    page([], 'one')(response);
    send(response, { data: { changes: second } });
  };
  answers = [(response) => (page([], 'one')(response), void setImmediate(() => response.destroy())), ...outage, back];
  expect((await follow(2)).at(-1)).toEqual(second);
  expect(cursors.length).toBeGreaterThanOrEqual(32);
});

test('after a cursor has expired, the subscription begins anew without one', async () => {
  const interrupted: Answer = (response) => {
    page([], 'one')(response);
    send(response, { data: { changes: second } });
    response.end();
  };
  answers = [interrupted, refuse('CURSOR_EXPIRED'), page([], 'nine')];
  expect(await follow(3)).toEqual([first, second, { changes: [], nextCursor: 'nine' }]);
  expect(cursors).toEqual([undefined, 'two', null]);
});

test('other errors are handed on, and a refusal is not asked for again', async () => {
  answers = [refuse('FORBIDDEN')];
  expect(await follow(1)).toEqual([[expect.objectContaining({ extensions: { code: 'FORBIDDEN' } })]]);
  answers = [(response) => void response.writeHead(401).end()];
  cursors = [];
  expect(await follow(1)).toEqual(['Error: The service refuses the subscription with status 401.']);
  expect(cursors).toHaveLength(1);
});

test('a list is read again at the start, and for what is new, gone or elsewhere in it', () => {
  const row = { id: 'a', status: 'ACTIVE', start: { utc: '2027-10-02T23:00:00.000Z' } };
  const places = placesOf([row]);
  const after = (change: object) => mustReadAgain({ changes: [{ ...event('a'), node: row, ...change }] }, places);
  expect(mustReadAgain({ changes: [] }, places)).toBe(true);
  expect(after({})).toBe(false);
  expect(after({ nodeId: 'b', node: { ...row, id: 'b' } })).toBe(true);
  expect(after({ op: 'DELETED', node: null })).toBe(true);
  expect(after({ op: 'LEFT', node: null })).toBe(true);
  expect(after({ node: { ...row, status: 'DRAFT' } })).toBe(true);
  expect(after({ node: { ...row, start: { utc: null } } })).toBe(true);
});
