import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { DestinationStream } from 'pino';
import { buildApp, type App, type Overrides } from '../../src/app.ts';
import type { PrismaClient } from '../../src/generated/prisma/client.ts';
import { createLog } from '../../src/log.ts';
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

export interface TestApp extends Factories {
  readonly app: App;
  readonly database: TestDatabase;
  /** Unwatched, and bound to no business. */
  readonly prisma: PrismaClient;
  /** Calls REST; the answer is checked against the OpenAPI document. */
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH', url: string, request?: Request): Promise<TestAnswer>;
  /** Calls GraphQL by POST. */
  graphql(
    query: string,
    request?: { as?: string | undefined; variables?: object; headers?: Record<string, string> },
  ): Promise<TestAnswer>;
  close(): Promise<void>;
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
}

/** Declares the service of a test file, which starts before its tests and is closed after them. */
export function useService(options?: AppOptions): TestApp {
  const service = {} as TestApp;
  beforeAll(async () => void Object.assign(service, await startApp(options)));
  afterAll(() => service.close?.());
  return service;
}

/** Declares a tenant, which is another one in each test. */
export function useTenant(service: TestApp, plan?: Tenant['business']['plan']): Tenant {
  const tenant = {} as Tenant;
  beforeEach(async () => void Object.assign(tenant, await service.createTenant(plan)));
  return tenant;
}

/** Declares a tenant that all tests of the file share. */
export function useOneTenant(service: TestApp, plan?: Tenant['business']['plan']): Tenant {
  const tenant = {} as Tenant;
  beforeAll(async () => void Object.assign(tenant, await service.createTenant(plan)));
  return tenant;
}

/** The real service, every SQL statement watched, on a fresh database of its own or beside another on that one's. */
export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  const database = options.beside?.database ?? (await openTestDatabase());
  const config = database.config(options.env);
  const app = await buildApp(config, {
    database: { ...database.hooks, onSql: watchSql },
    compileAfter: areQueriesCompiled ? 0 : null,
    ...(options.clock && { clock: options.clock }),
    ...(options.jobs && { jobs: options.jobs }),
    ...(options.onRecorded && { onRecorded: options.onRecorded }),
    ...(options.logTo && { log: createLog(config, options.logTo) }),
  });
  const send = async (method: string, url: string, { as, body, headers }: Request): Promise<TestAnswer> => {
    const isStream = url.startsWith('/v1/changes/stream');
    const reply = await app.http.inject({
      method: method as 'GET',
      url,
      headers: { ...(as !== undefined && { authorization: `Bearer ${as}` }), ...headers },
      ...(body !== undefined && { payload: body as object }),
      ...(isStream && { payloadAsStream: true }),
    });
    const { statusCode: status, headers: given } = reply;
    const isJson = String(given['content-type'] ?? '').includes('json');
    if (!isStream) return { status, headers: given, body: isJson ? reply.json() : reply.body };
    // A stream has no end: its status and headers are the answer. A refusal of one has a body.
    if (isJson) return { status, headers: given, body: JSON.parse(await text(reply.stream())) as unknown };
    reply.stream().destroy();
    return { status, headers: given, body: '' };
  };
  return {
    app,
    database,
    prisma: database.prisma,
    ...createFactories(database.prisma, config, options.clock ?? (() => new Date())),
    call: async (method, url, request = {}) => {
      const answer = await send(method, url, request);
      expectDocumented(app.http.swagger() as never, method, url, answer);
      return answer;
    },
    graphql: (query, { as, variables, headers = {} } = {}) =>
      send('POST', '/graphql', { as, body: { query, variables }, headers }),
    close: async () => {
      await app.close();
      if (!options.beside) await database.close();
    },
  };
}
