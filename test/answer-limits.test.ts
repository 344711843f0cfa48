import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { limits } from '../src/config/limits.ts';
import type { Event, User } from '../src/generated/prisma/client.ts';
import { AnswerMemory, AnswerSize } from '../src/http/answer-memory.ts';
import { mayExceed, writeJson } from '../src/http/json.ts';
import { startApp, type TestApp } from './support/app.ts';
import { askCsv } from './support/csv.ts';
import type { Tenant } from './support/factories.ts';
import { sqlCount } from './support/sql-watch.ts';

let service: TestApp;
let tenant: Tenant;

beforeAll(async () => {
  service = await startApp({ env: { CALLBOARD_ANSWER_LIMIT: '1', CALLBOARD_ANSWER_MEMORY: '64' } });
});

afterAll(() => service.close());

/** Resolves when no answer holds memory any more, which each request must reach. */
async function settle() {
  while (service.app.answerBytes() > 0) await new Promise((resolve) => setImmediate(resolve));
}

const long = 'x'.repeat(limits.longTextChars);
const control = '\u0001'.repeat(limits.longTextChars);

async function createEvents(count: number, text: string) {
  const events: Event[] = [];
  for (let number = 0; number < count; number++)
    events.push(await service.createEvent(tenant.business, { title: `Event ${number}`, description: text }));
  return events;
}

const bytesMax = 1_048_576;
const tooLong = { code: 'GRAPHQL_LIMIT_EXCEEDED', limit: 'bytes', max: bytesMax };
const ask = (query: string, headers = {}) => service.graphql(query, { as: tenant.as.admin, headers });

beforeEach(async () => {
  tenant = await service.createTenant('enterprise');
});

describe('objects of an answer', () => {
  const per = 230;
  let person: User;
  const lists = (levels: number): string => (levels === 0 ? 'id' : `shifts { user { ${lists(levels - 1)} } }`);

  beforeEach(async () => {
    const event = await service.createEvent(tenant.business);
    person = await service.createUser(tenant.business, 'staff');
    const shift = await service.createShift(event, person);
    const { id: _id, uuid: _uuid, ...columns } = shift;
    await service.prisma.workShift.createMany({ data: Array.from({ length: per - 1 }, () => columns) });
  });

  test('are counted as often as they occur, and the request is refused as a whole', async () => {
    expect(2 * per * per).toBeGreaterThan(limits.graphqlObjects);
    for (let repeated = 0; repeated < 3; repeated++) {
      const { status, body } = await ask(`{ user(id: ${person.id}) { ${lists(2)} } }`);
      expect({ status, body }).toEqual({
        status: 400,
        body: {
          errors: [
            {
              message: expect.stringContaining('more than 50000 objects. Ask for smaller pages'),
              extensions: { code: 'GRAPHQL_LIMIT_EXCEEDED', limit: 'objects', max: limits.graphqlObjects },
            },
          ],
        },
      });
    }
    await settle();
  });

  test('below the limit are answered', async () => {
    const { status, body } = await ask(`{ user(id: ${person.id}) { ${lists(1)} } }`);
    expect([status, body.data.user.shifts.length]).toEqual([200, per]);
  });

  test('are refused before the lists below are read, and the error names them and what to ask for', async () => {
    const { shifts } = (await ask(`{ user(id: ${person.id}) { shifts { event { id } } } }`)).body.data.user;
    const variables = { ids: Array.from({ length: 20 }, () => shifts[0].event.id) };
    const query =
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Event { workShifts { person: user { shifts { id } } } } } }';
    const before = sqlCount();
    const { body } = await service.graphql(query, { as: tenant.as.admin, variables });
    expect(body.errors[0].message).toContain(
      'It becomes too much with nodes.workShifts.person.shifts; in its place, ask for shiftsConnection(first: …).',
    );
    // The credential, the event, its shifts, the people of some, and the count of their shifts.
    expect(sqlCount() - before).toBeLessThanOrEqual(6);
  });

  test('of lists that are counted only in part are not refused for the rest', async () => {
    const many = Array.from(
      { length: 20 },
      (_, index) => `a${index}: shifts { user { shiftsConnection(first: 2) { nodes { id } } } }`,
    );
    const { body } = await ask(`{ user(id: ${person.id}) { ${many.join(' ')} } }`);
    expect(body.errors).toBeUndefined();
    const counted = `{ user(id: ${person.id}) { ${many.join(' ').replaceAll('(first: 2) { nodes { id } }', '(first: 100) { totalCount }')} } }`;
    expect((await ask(counted)).body.data.user.a19[0].user.shiftsConnection.totalCount).toBe(per);
    for (let index = 0; index < 20; index++) {
      expect(body.data.user[`a${index}`]).toHaveLength(per);
      expect(body.data.user[`a${index}`][per - 1].user.shiftsConnection.nodes).toHaveLength(2);
    }
  });

  test('cost a point for each 5,000 beyond the first 5,000, also if the answer is cached or refused', async () => {
    const left = async (query: string) => Number((await ask(query)).headers['x-ratelimit-remaining']);
    const lists = (count: number) =>
      `{ user(id: ${person.id}) { ${Array.from({ length: count }, (_, index) => `a${index}: shifts { user { id } }`).join(' ')} } }`;
    let before = await left('{ business { name } }');
    // Each of these lists has 230 shifts and as many people.
    for (const [count, points] of [
      [10, 1],
      [22, 2],
      [22, 2],
      [22, 2],
      [55, 5],
    ] as const) {
      const after = await left(lists(count));
      expect([count, before - after]).toEqual([count, points]);
      before = after;
    }
    const { status } = await ask(lists(99).replaceAll('id }', 'a: shifts { id } }'));
    expect([status, before - (await left('{ business { name } }'))]).toEqual([400, 2]);
  });

  test('are counted in CSV, too', async () => {
    const { status, body } = await ask(`{ user(id: ${person.id}) { ${lists(2)} } }`, { accept: 'text/csv' });
    expect([status, body.errors[0].extensions]).toEqual([
      400,
      { code: 'GRAPHQL_LIMIT_EXCEEDED', limit: 'objects', max: limits.graphqlObjects },
    ]);
  });

  test('of a mutation leave its changes made, and the answer says so', async () => {
    const event = await service.createEvent(tenant.business);
    const change = `changed: updateEvent(id: "${event.uuid}", input: { title: "New" }) { event { uuid } }`;
    const assigned = await service.createShift(event, person);
    const confirm = `confirmShift(id: "${assigned.uuid}") { user { ${lists(2)} } }`;
    const { status, body } = await ask(`mutation { ${confirm} ${change} }`);
    expect([status, body.data]).toEqual([200, null]);
    expect(body.errors.at(-1)).toMatchObject({
      message: expect.stringContaining('The changes were made'),
      extensions: { limit: 'objects' },
    });
    expect(await service.prisma.workShift.findFirst({ where: { uuid: assigned.uuid } })).toMatchObject({
      confirmed: true,
    });
  });
});

describe('bytes of an answer', () => {
  test('of one text under many aliases are refused', async () => {
    await createEvents(1, control);
    const aliases = (count: number) => Array.from({ length: count }, (_, index) => `a${index}: description`).join(' ');
    const query = (count: number) => `{ events { nodes { ${aliases(count)} } } }`;
    expect((await ask(query(8))).body.data.events.nodes[0].a7).toBe(control);
    for (let repeated = 0; repeated < 3; repeated++) {
      const { status, body } = await ask(query(9));
      expect([status, body.errors.map(({ extensions }: { extensions: object }) => extensions)]).toEqual([
        400,
        [tooLong],
      ]);
    }
    await settle();
  });

  test('of rows are refused while they are read', async () => {
    await createEvents(60, long);
    await service.prisma.event.updateMany({
      where: { businessId: tenant.business.id },
      data: { privateNotes: long, dressCode: long },
    });
    const { status, body } = await ask('{ events(perPage: 60) { nodes { id } } }');
    expect([status, body.errors]).toEqual([
      400,
      [expect.objectContaining({ extensions: { ...tooLong, limit: 'rowBytes', max: 2 * bytesMax } })],
    ]);
    expect((await ask('{ events(perPage: 10) { nodes { id } } }')).body.errors).toBeUndefined();
    const rest = await service.call('GET', '/v1/events?per_page=60', { as: tenant.as.admin });
    expect(rest).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED' } });
    expect(rest.body.errors.per_page).toEqual([expect.stringMatching(/must be smaller.*more than 2097152/)]);
    await settle();
  });

  test('of a REST list are refused with the page size to change', async () => {
    await createEvents(10, control);
    const { status, body } = await service.call('GET', '/v1/events', { as: tenant.as.admin });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['per_page']]);
    const smaller = await service.call('GET', '/v1/events?per_page=5', { as: tenant.as.admin });
    expect([smaller.status, smaller.body.data.data[4].description]).toEqual([200, control]);
  });

  test('are bounded in each page of an export, which goes on with smaller pages', async () => {
    const events = await createEvents(60, long);
    await service.prisma.event.updateMany({
      where: { businessId: tenant.business.id },
      data: { privateNotes: long, dressCode: long },
    });
    const rest = await askCsv(service, '/v1/events', { as: tenant.as.admin });
    expect([rest.status, rest.rows.length]).toEqual([200, events.length]);
    const query = '{ events { nodes { databaseId description privateNotes } } }';
    const { status, rows } = await askCsv(service, { query }, { as: tenant.as.admin });
    const ids = rows.map(([id]) => Number(id)).sort((a, b) => a - b);
    expect([status, ids]).toEqual([200, events.map(({ id }) => id)]);
    await settle();
  });

  test('of a row that is too large for any page are refused before an export begins', async () => {
    await createEvents(2, long);
    const aliases = Array.from({ length: 60 }, (_, index) => `a${index}: description`).join(' ');
    const { status, body } = await ask(`{ events { nodes { ${aliases} } } }`, { accept: 'text/csv' });
    expect([status, body.errors[0].extensions.errors.input]).toEqual([
      422,
      [expect.stringContaining('ask for fewer columns')],
    ]);
  });
});

describe('memory of all answers under way', () => {
  const answerOf = (memory: AnswerMemory, payer: number) => Object.assign(new AnswerSize(memory), { payer });
  const mebibytes = (count: number) => ({ length: count * 1_048_576 }) as string;
  const memory = () => new AnswerMemory({ bytesMax: 1_048_576, memoryBytes: 12 * 1_048_576 });

  test('is bounded for one business and for all, and a third is kept for small answers', () => {
    const all = memory();
    answerOf(all, 1).takeText(mebibytes(4));
    expect(() => answerOf(all, 1).takeText(mebibytes(2))).toThrow('Too many large answers');
    answerOf(all, 1).takeText(mebibytes(1));
    answerOf(all, 2).takeText(mebibytes(3));
    expect(() => answerOf(all, 3).takeText(mebibytes(2))).toThrow('Too many large answers');
    answerOf(all, 3).takeText(mebibytes(1));
    expect(all.bytes).toBe(9 * 1_048_576);
  });

  test('is given back when an answer is sent or abandoned', () => {
    const all = memory();
    const answer = answerOf(all, 1);
    answer.takeText(mebibytes(4));
    answer.close();
    expect(all.bytes).toBe(0);
    answer.takeText(mebibytes(4));
    expect(all.bytes).toBe(0);
    answerOf(all, 1).takeText(mebibytes(4));
  });

  test('that is used up refuses large answers with 503, and only those', async () => {
    const small = await startApp({
      beside: service,
      env: { CALLBOARD_ANSWER_LIMIT: '4', CALLBOARD_ANSWER_MEMORY: '4' },
    });
    await createEvents(60, long);
    const refused = await small.call('GET', '/v1/events?per_page=60', { as: tenant.as.admin });
    expect([refused.status, refused.headers['retry-after'], refused.body.code]).toEqual([503, '1', 'UNAVAILABLE']);
    const query = '{ events(perPage: 60) { nodes { description } } }';
    const { status, headers, body } = await small.graphql(query, { as: tenant.as.admin });
    expect([status, headers['retry-after'], body.errors[0].extensions.code]).toEqual([503, '1', 'UNAVAILABLE']);
    expect((await small.call('GET', '/v1/events?per_page=5', { as: tenant.as.admin })).status).toBe(200);
    await small.close();
  });
});

describe('JSON', () => {
  const values: [string, unknown][] = [
    ['texts', { a: 'é"\\\n\u0001', b: ['', 'x'.repeat(70_000)] }],
    ['scalars', { a: null, b: true, c: -1.5, d: [], e: {}, f: undefined }],
    ['nested lists', Array.from({ length: 3 }, () => [{ a: [1, [2]] }])],
  ];

  test.each(values)('is written like that of JSON.stringify: %s', (_what, value) => {
    const json = JSON.stringify(value);
    expect(writeJson(value, Buffer.byteLength(json))).toBe(json);
  });

  test.each(values)('of more bytes than the limit is not written: %s', (_what, value) => {
    const bytes = Buffer.byteLength(JSON.stringify(value));
    expect(writeJson(value, bytes - 1)).toBeNull();
    expect(mayExceed(value, bytes - 1)).toBe(true);
  });

  test('no value is longer than its upper bound', () => {
    const text = fc.string({
      unit: fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.nat(0xffff).map(String.fromCharCode)),
    });
    const value = fc.oneof(
      text,
      fc.object({ key: fc.constantFrom('a', 'key', ''), values: [text, fc.double(), fc.constant(null)] }),
    );
    fc.assert(
      fc.property(value, (it) => {
        const json = JSON.stringify(it);
        expect(writeJson(it, Infinity)).toBe(json);
        expect(mayExceed(it, Buffer.byteLength(json) - 1)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
