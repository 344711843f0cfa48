import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { graphqlRoutes } from '../src/graphql/server.ts';
import { AnswerMemory, AnswerSize } from '../src/http/answer-memory.ts';
import { createEventStreams } from '../src/http/event-streams.ts';
import { createCsvExports } from '../src/http/exports.ts';
import { createResponseCache } from '../src/http/response-cache.ts';
import { createSchema } from '../src/nouns.ts';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';

let service: TestApp;
let tenant: Tenant;

beforeAll(async () => {
  service = await startApp({ env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000' } });
  tenant = await service.createTenant();
});

afterAll(() => service.close());

/** After each case the next normal request is answered normally. */
const answersNormally = async () => {
  const { status, body } = await service.graphql('{ viewer { role } }', { as: tenant.as.admin });
  expect({ status, body }).toEqual({ status: 200, body: { data: { viewer: { role: 'ADMIN' } } } });
};
afterEach(answersNormally);

const send = async (payload: object, headers: Record<string, string> = {}) => {
  const authorization = `Bearer ${tenant.as.admin}`;
  return service.app.http.inject({ method: 'POST', url: '/graphql', headers: { authorization, ...headers }, payload });
};

describe('a request that violates GraphQL over HTTP', () => {
  test('persisted queries are not supported, which is answered with status 200 as clients expect', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
    const reply = await send({ extensions });
    expect({ status: reply.statusCode, body: reply.json() }).toMatchObject({
      status: 200,
      body: {
        errors: [{ message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }],
      },
    });
  });

  test('a client that accepts only application/json gets 200 for an invalid document', async () => {
    for (const [accept, status] of [
      ['application/json', 200],
      ['application/graphql-response+json', 400],
      ['application/graphql-response+json, application/json;q=0.9', 400],
      ['*/*', 400],
      ['application/xml', 406],
    ] as const)
      expect((await send({ query: '{ nothing }' }, { accept })).statusCode).toBe(status);
  });
});

describe('an internal failure is masked:', () => {
  const list = '{ events { nodes { title } } }';

  /** Takes away a column that the statements name: what PostgreSQL then says holds names and SQL. */
  async function withoutColumn<T>(table: string, column: string, run: () => Promise<T>): Promise<T> {
    await service.prisma.$executeRawUnsafe(`ALTER TABLE ${table} RENAME COLUMN ${column} TO hidden_secret`);
    try {
      return await run();
    } finally {
      await service.prisma.$executeRawUnsafe(`ALTER TABLE ${table} RENAME COLUMN hidden_secret TO ${column}`);
    }
  }

  test('a failing field reveals nothing but the request id', async () => {
    const query = '{ viewer { role } events { nodes { title } } }';
    const { status, body, headers } = await withoutColumn('events', 'title', () =>
      service.graphql(query, { as: tenant.as.admin }),
    );
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: { viewer: { role: 'ADMIN' }, events: null },
        errors: [
          {
            message: 'An internal error occurred.',
            locations: [{ line: 1, column: 19 }],
            path: ['events'],
            extensions: { code: 'INTERNAL', requestId: headers['x-request-id'] },
          },
        ],
      },
    });
  });

  test('REST reveals only the request id, in a header', async () => {
    const reply = await withoutColumn('events', 'title', () =>
      service.app.http.inject({ url: '/v1/events', headers: { authorization: `Bearer ${tenant.as.admin}` } }),
    );
    expect({ status: reply.statusCode, body: reply.json() }).toEqual({
      status: 500,
      body: { success: false, data: null, code: 'INTERNAL', message: 'An internal error occurred.' },
    });
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a failing look-up of a credential reveals nothing either', async () => {
    const answer = await withoutColumn('personal_tokens', 'revoked_at', () =>
      service.graphql(list, { as: tenant.as.admin }),
    );
    expect(answer).toMatchObject({
      status: 500,
      body: {
        errors: [
          {
            message: 'An internal error occurred.',
            extensions: { code: 'INTERNAL', requestId: answer.headers['x-request-id'] },
          },
        ],
      },
    });
  });

  test('a database with an older schema is answered as unavailable', async () => {
    await service.prisma.$executeRawUnsafe('ALTER TABLE events RENAME TO hidden_secret');
    const { status, body } = await service.graphql(list, { as: tenant.as.admin });
    await service.prisma.$executeRawUnsafe('ALTER TABLE hidden_secret RENAME TO events');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { data: { events: null }, errors: [{ extensions: { code: 'UNAVAILABLE', retryAfter: 2 } }] },
    });
    expect(JSON.stringify(body)).not.toContain('hidden_secret');
  });

  test('a request whose context cannot be made is refused with 503', async () => {
    const bare = Fastify({ loggerInstance: pino({ level: 'silent' }) as FastifyBaseLogger });
    bare.decorateRequest('scope', {
      getter: () => {
        throw new Error('a secret of the context');
      },
    } as never);
    const config = service.database.config();
    const answer = new AnswerSize(new AnswerMemory(config.answers));
    bare.decorateRequest('record', { getter: () => ({ answer }) } as never);
    await bare.register(graphqlRoutes, {
      schema: createSchema(),
      compileAfter: null,
      responseCache: createResponseCache(bare, config.answers),
      csvExports: createCsvExports({ config, kind: service.app.database.kind }),
      eventStreams: createEventStreams(bare, { config }),
    });
    const reply = await bare.inject({ method: 'POST', url: '/graphql', payload: { query: '{ __typename }' } });
    expect({ status: reply.statusCode, retryAfter: reply.headers['retry-after'], body: reply.json() }).toEqual({
      status: 503,
      retryAfter: '2',
      body: {
        errors: [
          { message: 'The service cannot answer now: try again.', extensions: { code: 'UNAVAILABLE', retryAfter: 2 } },
        ],
      },
    });
    await bare.close();
  });
});

test('a failing mutation field does not undo the fields before it', async () => {
  const input = (title: string) =>
    `{ title: "${title}", startTime: "2026-12-31 18:00:00", endTime: "2026-12-31 23:00:00", timezone: "UTC" }`;
  const { status, body } = await service.graphql(
    `mutation { first: createEvent(input: ${input('Kept')}) { uuid title } second: createEvent(input: ${input(' ')}) { uuid } }`,
    { as: tenant.as.admin },
  );
  expect(status).toBe(200);
  expect(body.data).toEqual({ first: { uuid: expect.any(String), title: 'Kept' }, second: null });
  expect(body.errors).toMatchObject([
    { path: ['second'], extensions: { code: 'VALIDATION_FAILED', errors: { title: [expect.any(String)] } } },
  ]);
  const titles = await service.prisma.event.findMany({
    where: { businessId: tenant.business.id },
    select: { title: true },
  });
  expect(titles).toEqual([{ title: 'Kept' }]);
});
