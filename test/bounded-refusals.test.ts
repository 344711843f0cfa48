import { describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import { useOneTenant, useService } from './support/app.ts';
import { newEvent } from './support/bad-input.ts';

/* A refusal does not repeat the whole request, however it was made. */

const service = useService({ env: { CALLBOARD_BODY_LIMIT: '1048576' } });
const tenant = useOneTenant(service);

const unknownKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`unknown_${number}`, number]));
const bytesOf = (body: unknown) => Buffer.byteLength(JSON.stringify(body));
const long = 'x'.repeat(19_000);

describe('REST', () => {
  test('names at most 20 fields, and says that more are wrong', async () => {
    const as = tenant.as.admin;
    for (const [method, url] of [
      ['POST', '/v1/events'],
      ['POST', '/api/v1/users'],
    ] as const) {
      const { status, body } = await service.call(method, url, { as, body: { ...newEvent, ...unknownKeys(20_000) } });
      expect([status, Object.keys(body.errors).length]).toEqual([422, limits.errorFieldsMax]);
      expect(body.message).toBe('The input is not valid. More fields are wrong.');
      expect(bytesOf(body)).toBeLessThan(2500);
    }
  });

  test('does not count where all wrong fields are named', async () => {
    const { body } = await service.call('POST', '/v1/events', {
      as: tenant.as.admin,
      body: { ...newEvent, ...unknownKeys(limits.errorFieldsMax) },
    });
    expect(body.message).toBe('The input is not valid.');
    expect(Object.keys(body.errors)).toHaveLength(limits.errorFieldsMax);
  });

  test.each([
    ['a long name', { [long]: 1 }],
    ['a long name within a value', { title: { [long]: 'a\0b' } }],
    ['many names of emoji', Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${'🎪'.repeat(200)}${at}`, 1]))],
    ['a long value', { status: long, timezone: long, start_time: long }],
    ['deep objects', { title: JSON.parse(`${'{"aaaaaaaaaaaaaaaaaaaaaa":'.repeat(9)}"\\u0000"${'}'.repeat(9)}`) }],
    ['many wrong strings', { title: Array.from({ length: 5000 }, () => '\0') }],
  ])('repeats little of %s', async (_title, fields) => {
    const { status, body } = await service.call('POST', '/v1/events', {
      as: tenant.as.admin,
      body: { ...newEvent, ...fields },
    });
    expect(status).toBe(422);
    expect(bytesOf(body)).toBeLessThan(12_000);
  });
});

describe('a body without a credential', () => {
  /** A JSON object of so many bytes. */
  const ofBytes = (bytes: number, fields: object = {}) => {
    const empty = JSON.stringify({ ...fields, x: '' });
    return { ...fields, x: 'x'.repeat(bytes - Buffer.byteLength(empty)) };
  };

  test.each(['/v1/auth/login', '/v1/screens/codes', '/v1/screens/claims', '/graphql', '/v1/nothing', '/docs'])(
    'is refused above %s bytes of its own limit, and read up to it',
    async (url) => {
      const statusOf = async (bytes: number) => (await service.call('POST', url, { body: ofBytes(bytes) })).status;
      expect(await statusOf(limits.anonymousBodyBytes + 1)).toBe(413);
      expect(await statusOf(limits.anonymousBodyBytes)).not.toBe(413);
    },
  );

  test('is measured in bytes, and the answer says how many there may be', async () => {
    const { status, body } = await service.call('POST', '/v1/auth/login', {
      body: { email: 'é'.repeat(limits.anonymousBodyBytes / 2) },
    });
    expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(body.message).toContain(`at most ${limits.anonymousBodyBytes} bytes`);
  });

  test('has that limit for a log-in also where a credential comes with it, and no other call has it', async () => {
    const body = ofBytes(100_000);
    const as = tenant.as.admin;
    expect((await service.call('POST', '/v1/auth/login', { as, body })).status).toBe(413);
    expect((await service.call('POST', '/v1/positions', { as, body })).status).toBe(422);
    expect((await service.call('POST', '/v1/positions', { body })).status).toBe(401);
  });
});

describe('GraphQL', () => {
  const ask = async (query: string, variables = {}) => service.graphql(query, { as: tenant.as.admin, variables });

  test('has at most 10 errors of fields, and says how many more there are', async () => {
    const fields = Array.from({ length: 30 }, (_, at) => `e${at}: event(id: "no uuid ${at}") { id }`);
    const { body } = await ask(`{ ${fields.join(' ')} }`);
    expect(body.errors).toHaveLength(limits.graphqlAnswerErrorsMax);
    expect(body.extensions).toEqual({ moreErrors: 20 });
  });

  test('has at most 10 errors of variables and of documents', async () => {
    const variables = { input: unknownKeys(5000) };
    const mutation = 'mutation ($input: CreateEventInput!) { createEvent(input: $input) { uuid } }';
    const { body } = await ask(mutation, variables);
    expect(body.errors.length).toBeLessThanOrEqual(limits.graphqlAnswerErrorsMax);
    expect(body.extensions.moreErrors).toBeGreaterThan(0);
    const { body: ofDocument } = await ask(`{ ${Array.from({ length: 900 }, (_, at) => `f${at}`).join(' ')} }`);
    expect(ofDocument.errors.length).toBeLessThanOrEqual(limits.graphqlAnswerErrorsMax);
  });

  test.each([
    ['field', `{ ${long} }`],
    ['argument', `{ viewer(${long}: 1) { name } }`],
    ['type', `query ($x: ${long}) { viewer { name } }`],
    ['fragment', `{ ...${long} }`],
    ['directive', `{ viewer @${long} { name } }`],
    ['variable', `query ($${long}: Int!) { viewer { name } }`],
    ['missing variable', `{ event(id: $${long}) { id } }`],
    ['syntax error', `{ viewer { name } } ${long}`],
    ['text', `{ event(id: "${long}") { ${long} } }`],
    ['enum', `{ events(filter: { statuses: [${long}] }) { totalCount } }`],
    ['alias of a failing field', `{ ${long}: event(id: "none") { id } }`],
    ['conflict', `{ ${long}: viewer { name } ${long}: events { totalCount } }`],
    ['operation', `query ${long} { viewer { nothing } }`],
  ])('repeats little of a long name: %s', async (_title, query) => {
    const { body } = await service.graphql(query, { as: tenant.as.admin });
    expect(body.errors.length).toBeGreaterThan(0);
    expect(bytesOf(body.errors)).toBeLessThan(3000);
  });

  test('names at most 20 fields of an input', async () => {
    const input = { title: ' ', startTime: 'x', endTime: 'x', timezone: 'x', customValues: undefined };
    const { body } = await ask('mutation ($input: CreateEventInput!) { createEvent(input: $input) { uuid } }', {
      input,
    });
    expect(bytesOf(body)).toBeLessThan(3000);
  });
});
