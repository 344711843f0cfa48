import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { DestinationStream } from 'pino';
import { buildApp, type App, type Overrides } from '../../src/app.ts';
import type { PrismaClient } from '../../src/generated/prisma/client.ts';
import { createLog } from '../../src/log.ts';
import { atEnd } from './jest/at-end.mjs';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { createFactories, type Factories, type Tenant } from './factories.ts';
import { expectDocumented } from './openapi.ts';
import { watchSql } from './sql-watch.ts';
import { serverUrl } from './template.ts';

export interface TestAnswer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | number | undefined>;
  /** Parsed JSON, or text. */
  // oxlint-disable-next-line no-explicit-any -- tests look into answers freely
  readonly body: any;
}

export interface Request {
  /** A bearer credential. */
  readonly as?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A request and its answer as Fastify's `inject` has them, which a service in another process gets over HTTP. */
export interface Injected {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS';
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly payload?: object | string;
}

export interface InjectedReply {
  readonly statusCode: number;
  readonly headers: Record<string, string | string[] | number | undefined>;
  readonly body: string;
  readonly rawPayload: Buffer;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers freely
  json(): any;
}

/** A service and its database, seen from outside. */
export interface Service extends Factories {
  readonly database: TestDatabase;
  /** Unwatched, and bound to no business. */
  readonly prisma: PrismaClient;
  inject(request: Injected): Promise<InjectedReply>;
  /** The address at which the service listens from now on. */
  listen(): Promise<string>;
  /** Calls REST; the answer is checked against the OpenAPI document. */
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH', url: string, request?: Request): Promise<TestAnswer>;
  /** Calls GraphQL by POST. */
  graphql(
    query: string,
    request?: { as?: string | undefined; variables?: object; headers?: Record<string, string> },
  ): Promise<TestAnswer>;
  close(): Promise<void>;
}

/** A service in this process. */
export interface TestApp extends Service {
  readonly app: App;
}

/**
 * The suite runs with the switch of compiled queries off on the embedded database, and on, from the first execution of a query,
 * on PostgreSQL. TEST_COMPILED_QUERIES=on or =off overrides that.
 */
const areQueriesCompiled = (process.env['TEST_COMPILED_QUERIES'] ?? (serverUrl ? 'on' : 'off')) === 'on';

interface AppOptions {
  readonly env?: Record<string, string>;
  readonly clock?: Overrides['clock'];
  readonly beside?: TestApp;
  readonly logTo?: DestinationStream;
  readonly onRecorded?: Overrides['onRecorded'];
  readonly jobs?: Overrides['jobs'];
  /** Whether the database has the demo. */
  readonly isDemo?: boolean;
}

/**
 * Declares the service of a test file. Files whose settings are equal share one in each worker, and its database: each has tenants
 * of its own. A file that looks at the whole database, or at what others leave in it, says `isAlone`.
 */
export function useService(options: AppOptions & { readonly isAlone?: boolean } = {}): TestApp {
  const service = {} as TestApp;
  const { isAlone = false, ...own } = options;
  const isShared = !isAlone && Object.keys(own).every((key) => key === 'env' || key === 'clock');
  beforeAll(async () => void Object.assign(service, await (isShared ? borrowApp(own) : startApp(own))));
  if (!isShared) afterAll(() => service.close?.());
  return service;
}

const shared = new Map<string, { readonly app: Promise<TestApp>; clock: () => Date }>();

/** Clocks that a test moves have a service of their own, which takes the clock of the file that runs. */
function borrowApp({ env = {}, clock }: Pick<AppOptions, 'env' | 'clock'>): Promise<TestApp> {
  const key = JSON.stringify([env, clock !== undefined]);
  let lent = shared.get(key);
  if (!lent) {
    const app = startApp({ env, ...(clock && { clock: () => shared.get(key)!.clock() }) });
    atEnd(async () => (await app).close());
    lent = { app, clock: clock ?? (() => new Date()) };
    shared.set(key, lent);
  }
  if (clock) lent.clock = clock;
  return lent.app;
}

/** Declares a tenant, which is another one in each test. */
export function useTenant(service: Factories, plan?: Tenant['business']['plan']): Tenant {
  const tenant = {} as Tenant;
  beforeEach(async () => void Object.assign(tenant, await service.createTenant(plan)));
  return tenant;
}

/** Declares a tenant that all tests of the file share. */
export function useOneTenant(service: Factories, plan?: Tenant['business']['plan']): Tenant {
  const tenant = {} as Tenant;
  beforeAll(async () => void Object.assign(tenant, await service.createTenant(plan)));
  return tenant;
}

/** The real service, every SQL statement watched, on a fresh database of its own or beside another on that one's. */
export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  const database = options.beside?.database ?? (await openTestDatabase(options.isDemo));
  const config = database.config(options.env);
  const app = await buildApp(config, {
    database: { ...database.hooks, onSql: watchSql },
    compileAfter: areQueriesCompiled ? 0 : null,
    ...(options.clock && { clock: options.clock }),
    ...(options.jobs && { jobs: options.jobs }),
    ...(options.onRecorded && { onRecorded: options.onRecorded }),
    ...(options.logTo && { log: createLog(config, options.logTo) }),
  });
  const inject = (request: Injected) => app.http.inject({ ...request });
  const send = async (request: Injected): Promise<TestAnswer> => {
    if (!request.url.startsWith('/v1/changes/stream')) return toAnswer(await inject(request));
    const reply = await app.http.inject({ ...request, payloadAsStream: true });
    const { statusCode: status, headers } = reply;
    // A stream has no end: its status and headers are the answer. A refusal of one has a body.
    if (String(headers['content-type'] ?? '').includes('json'))
      return { status, headers, body: JSON.parse(await text(reply.stream())) as unknown };
    reply.stream().destroy();
    return { status, headers, body: '' };
  };
  let origin: Promise<string> | undefined;
  return {
    app,
    database,
    prisma: database.prisma,
    ...createFactories(database.prisma, config, options.clock ?? (() => new Date())),
    inject,
    listen: () => (origin ??= app.http.listen({ host: '127.0.0.1', port: 0 })),
    ...createCallers(send, () => app.http.swagger() as never),
    close: async () => {
      await app.close();
      if (!options.beside) await database.close();
    },
  };
}

export function toAnswer(reply: InjectedReply): TestAnswer {
  const { statusCode: status, headers, body } = reply;
  return { status, headers, body: String(headers['content-type'] ?? '').includes('json') ? reply.json() : body };
}

/** Calls of both dialects, made of a way to send a request; REST's answers are checked against the OpenAPI document. */
export function createCallers(
  send: (request: Injected) => Promise<TestAnswer>,
  readDocument: () => Parameters<typeof expectDocumented>[0],
): Pick<Service, 'call' | 'graphql'> {
  const ask = (method: Injected['method'], url: string, { as, body, headers }: Request) =>
    send({
      ...(method && { method }),
      url,
      headers: { ...(as !== undefined && { authorization: `Bearer ${as}` }), ...headers },
      ...(body !== undefined && { payload: body as object }),
    });
  return {
    call: async (method, url, request = {}) => {
      const answer = await ask(method, url, request);
      expectDocumented(readDocument(), method, url, answer);
      return answer;
    },
    graphql: (query, { as, variables, headers = {} } = {}) =>
      ask('POST', '/graphql', { as, body: { query, variables }, headers }),
  };
}
