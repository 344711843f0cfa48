import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { limits } from '../src/config/limits.ts';
import type { Event, User } from '../src/generated/prisma/client.ts';
import { AnswerMemory, AnswerSize } from '../src/http/answer-memory.ts';
import { measureJson, stringifyPieces } from '../src/http/json-size.ts';
import { startApp, type TestApp } from './support/app.ts';
import { askCsv } from './support/csv.ts';
import type { Tenant } from './support/factories.ts';

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

  test.each(values)('in pieces is the JSON of the whole: %s', (_what, value) => {
    const pieces = [...stringifyPieces(value)];
    expect(pieces.join('')).toBe(JSON.stringify(value));
  });

  test.each(values)('is never longer than it was measured: %s', (_what, value) => {
    const bytes = Buffer.byteLength(JSON.stringify(value));
    expect(measureJson(value, 10_000_000)).toBeGreaterThanOrEqual(bytes);
    expect(measureJson(value, bytes - 1)).toBe(Infinity);
  });

  test('the bytes of any text are counted exactly', () => {
    const text = fc.string({
      unit: fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.nat(0xffff).map(String.fromCharCode)),
    });
    fc.assert(
      fc.property(text, (value) => {
        const bytes = Buffer.byteLength(JSON.stringify(value));
        expect(measureJson(value, bytes)).toBe(bytes);
        expect(measureJson(value, bytes - 1)).toBe(Infinity);
      }),
      { numRuns: 2000 },
    );
  });
});
