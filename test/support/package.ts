import { once } from 'node:events';
import { request as sendRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll } from '@jest/globals';
import {
  createCallers,
  startApp,
  toAnswer,
  type Injected,
  type InjectedReply,
  type Service,
  type TestApp,
} from './app.ts';
import { openTestDatabase, type FreshDatabase } from './database.ts';
import { createFactories } from './factories.ts';
import { atEnd } from './jest/at-end.mjs';
import { built, builtAt, startProcess } from './process.ts';
import { serverUrl } from './template.ts';

/*
 * The service as it is shipped: a process of the npm package, which the gate unpacks at TEST_PACKAGE, or else of what is built in
 * `dist/`. The bundle is other code than its sources, so HTTP, the contract, bad input and the pages are tested on it.
 */

export interface PackagedService extends Service {
  /** What the process has logged so far, a line each. */
  readLog(): Promise<string[]>;
  /** Another process on the same database, for one test file, which closes it. */
  startBeside(env: Record<string, string>): Promise<PackagedService>;
}

const { TEST_PACKAGE: unpacked } = process.env;
const start = { ...(unpacked ? builtAt(join(unpacked, 'dist/main.js')) : built), isKept: true };

const running = new Map<string, Promise<PackagedService>>();

/**
 * Declares the process of a test file. Files whose settings are equal share one in each worker. Two processes cannot open one
 * embedded database, so without a server the tests run on the sources.
 */
export function usePackage(env: Record<string, string> = {}): PackagedService {
  const service = {} as PackagedService;
  beforeAll(async () => void Object.assign(service, await borrowPackage(env)));
  return service;
}

/** With the demo on its database, if so wished, which the files that share it leave as it is. */
export function borrowPackage(env: Record<string, string> = {}, isDemo = false): Promise<PackagedService> {
  const key = JSON.stringify([env, isDemo]);
  let lent = running.get(key);
  if (!lent) {
    lent = (serverUrl ? startPackage(env, isDemo) : startSources(env, isDemo)).then(keep);
    running.set(key, lent);
  }
  return lent;
}

function keep(service: PackagedService): PackagedService {
  atEnd(service.close);
  return service;
}

async function startSources(env: Record<string, string>, isDemo: boolean, beside?: TestApp): Promise<PackagedService> {
  const log: string[] = [];
  const logTo = { write: (line: string) => void log.push(line) };
  const app = await startApp({ env: { LOG_LEVEL: 'info', ...env }, logTo, isDemo, ...(beside && { beside }) });
  return { ...app, readLog: async () => log, startBeside: (more) => startSources(more, isDemo, app) };
}

async function startPackage(
  env: Record<string, string>,
  isDemo: boolean,
  beside?: FreshDatabase,
): Promise<PackagedService> {
  const database = beside ?? (await openTestDatabase(isDemo));
  const { origin, output, stop } = await startProcess(database.env({ LOG_LEVEL: 'info', ...env }), [], start);
  const close = async () => {
    await stop();
    if (!beside) await database.close();
  };
  const inject = (request: Injected) => injectAt(origin, request);
  const lines: string[] = [];
  let read = 0;
  const document = (await inject({ url: '/openapi.json' })).json() as never;
  return {
    database,
    prisma: database.prisma,
    ...createFactories(database.prisma, database.config(env), () => new Date()),
    inject,
    listen: async () => origin,
    ...createCallers(
      async (request) => toAnswer(await inject(request)),
      () => document,
    ),
    readLog: async () => {
      // Lines come in their order: what was logged before this request is there once its own line is.
      const id = `log-${Math.random()}`;
      await inject({ url: '/healthz/none', headers: { 'x-request-id': id } });
      for (let isThere = false; !isThere;) {
        const end = output().lastIndexOf('\n') + 1;
        const fresh = end > read ? output().slice(read, end).trimEnd().split('\n') : [];
        read = Math.max(read, end);
        isThere = fresh.some((line) => line.includes(id));
        lines.push(...fresh.filter((line) => !line.includes(id)));
        if (!isThere) await wait(2);
      }
      return lines;
    },
    startBeside: (more) => startPackage(more, isDemo, database),
    close,
  };
}

async function injectAt(origin: string, { method = 'GET', url, headers = {}, payload }: Injected) {
  const isText = typeof payload === 'string';
  const body = payload === undefined || isText ? payload : JSON.stringify(payload);
  const sent = sendRequest({
    ...{ host: '127.0.0.1', port: new URL(origin).port, method, path: url, agent: false },
    headers: {
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      ...(body !== undefined && !isText && { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  sent.end(body);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  if (url.startsWith('/v1/changes/stream') && reply.statusCode === 200) reply.destroy();
  const rawPayload = reply.destroyed ? Buffer.alloc(0) : await buffer(reply);
  const text = rawPayload.toString();
  return {
    statusCode: reply.statusCode ?? 0,
    headers: reply.headers,
    body: text,
    rawPayload,
    json: () => JSON.parse(text) as unknown,
  } satisfies InjectedReply;
}
