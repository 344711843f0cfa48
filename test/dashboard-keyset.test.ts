import { beforeAll, describe, expect, test } from '@jest/globals';
import { useOneTenant, useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';

/** Starts, titles and stamps that are often equal. */
const many = 23;

const service = useService({ env: { CALLBOARD_ANSWER_CACHE: '0' } });
const tenant = useOneTenant(service);

beforeAll(async () => {
  for (let index = 0; index < many; index++) await addEvent(tenant, index);
});

const addEvent = ({ business }: Tenant, index: number) =>
  service.createEvent(business, {
    title: `Twin "${index % 3}" ß`,
    start: `2026-12-0${1 + (index % 4)} 18:00:00`,
    end: '2026-12-09 18:00:00',
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, 0, index % 5)),
    modifiedAt: new Date(Date.UTC(2026, 0, 2, 0, 0, 0, index % 2)),
  });

interface Shown {
  ids: number[];
  cursors: string[];
  info: Record<'page' | 'perPage' | 'lastPage' | 'startCursor' | 'endCursor', unknown> & {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
  };
}

async function read(args: Record<string, unknown>, as = tenant.as.admin): Promise<Shown> {
  const { body } = await service.graphql(
    `query ($first: Int, $after: String, $page: Int, $perPage: Int, $sort: EventSort, $filter: EventFilter) {
      events(first: $first, after: $after, page: $page, perPage: $perPage, sort: $sort, filter: $filter) {
        nodes { id: databaseId } edges { cursor node { id: databaseId } }
        pageInfo { page perPage lastPage hasNextPage hasPreviousPage startCursor endCursor } } }`,
    { as, variables: args },
  );
  expect(body.errors).toBeUndefined();
  const { nodes, edges, pageInfo } = body.data.events;
  const ids = nodes.map(({ id }: { id: number }) => id);
  expect(edges.map(({ node }: { node: { id: number } }) => node.id)).toEqual(ids);
  const cursors = edges.map(({ cursor }: { cursor: string }) => cursor);
  expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([cursors[0] ?? null, cursors.at(-1) ?? null]);
  return { ids, cursors, info: pageInfo };
}

async function walk(first: number, args: object): Promise<number[]> {
  const seen: number[] = [];
  let after: unknown;
  for (;;) {
    const { ids, info } = await read({ first, after, ...args });
    seen.push(...ids);
    expect(info).toMatchObject({ page: null, perPage: null, lastPage: null, hasPreviousPage: after !== undefined });
    if (!info.hasNextPage) return seen;
    expect(ids).toHaveLength(first);
    after = info.endCursor;
  }
}

const sorts = ['START', 'TITLE', 'CREATED', 'MODIFIED'].flatMap((by) =>
  ['ASC', 'DESC'].map((order) => ({ by, order })),
);

test.each(sorts)('by $by $order, cursors show each event once, in the order of the pages', async (sort) => {
  const { ids } = await read({ perPage: 100, sort });
  expect(new Set(ids).size).toBe(many);
  for (const first of [1, 4, many, 100]) expect(await walk(first, { sort })).toEqual(ids);
});

test('a filter applies to all pages by cursor', async () => {
  const filter = { dateFrom: '2026-12-02', dateTo: '2026-12-03' };
  const { ids } = await read({ perPage: 100, filter });
  expect(ids.length).toBeGreaterThan(5);
  expect(await walk(2, { filter })).toEqual(ids);
});

test('events added meanwhile neither repeat nor hide other events', async () => {
  const growing = await service.createTenant();
  for (let index = 0; index < 8; index++) await addEvent(growing, index);
  const before = (await read({ perPage: 100 }, growing.as.admin)).ids;
  const seen: number[] = [];
  let after: unknown;
  do {
    const { ids, info } = await read({ first: 3, after }, growing.as.admin);
    seen.push(...ids);
    after = info.hasNextPage ? info.endCursor : undefined;
    // One in front of all that was read, and one at the very end.
    await addEvent(growing, 0);
    if (seen.length < 8) await addEvent(growing, 3);
  } while (after !== undefined);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((id) => before.includes(id))).toEqual(before);
});

test('a cursor still works when its event has been deleted', async () => {
  const { business, as } = await service.createTenant();
  const events = [];
  for (const start of ['2026-12-01 10:00:00', '2026-12-02 10:00:00', '2026-12-03 10:00:00'])
    events.push(await service.createEvent(business, { start }));
  const { info } = await read({ first: 2 }, as.admin);
  await service.call('PUT', `/v1/events/${events[1]!.uuid}`, { as: as.admin, body: { status: 'deleted' } });
  expect((await read({ first: 2, after: info.endCursor }, as.admin)).ids).toEqual([events[2]!.id]);
});

test('a numbered page can be continued by cursor', async () => {
  const { ids } = await read({ perPage: 100 });
  const { cursors, info } = await read({ page: 2, perPage: 5 });
  expect(info).toMatchObject({ page: 2, perPage: 5, lastPage: 5, hasNextPage: true, hasPreviousPage: true });
  expect((await read({ first: 4, after: cursors[1] })).ids).toEqual(ids.slice(7, 11));
  expect((await read({ after: cursors[1] })).ids).toEqual(ids.slice(7, 22));
});

test('a list without events has no cursors', async () => {
  const { as } = await service.createTenant();
  for (const args of [{ first: 3 }, { perPage: 3 }])
    expect(await read(args, as.admin)).toMatchObject({
      ids: [],
      info: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
});

test('a page by cursor costs two statements, the credential included, and counts nothing', async () => {
  const { info } = await read({ first: 3 });
  const before = sqlCount();
  await read({ first: 3, after: info.endCursor });
  expect(statementsSince(before)).toHaveLength(2);
  expect(statementsSince(before).filter((sql) => /count\(/.test(sql))).toEqual([]);
});

describe('an invalid cursor', () => {
  const refuse = async (args: object) => {
    const { body } = await service.graphql(
      `query ($first: Int, $after: String, $page: Int, $perPage: Int, $sort: EventSort) {
        events(first: $first, after: $after, page: $page, perPage: $perPage, sort: $sort) { nodes { id: databaseId } } }`,
      { as: tenant.as.admin, variables: args },
    );
    expect(body.errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED' } }]);
    return body.errors[0].extensions.errors;
  };
  const made = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  const at = '2026-12-01T23:00:00.000Z';

  test.each([
    ['garbage', 'x'],
    ['the empty text', ''],
    ['JSON that is none of ours', made({})],
    ['a number', Buffer.from('7').toString('base64url')],
    ['an instant that is none', made('start', 'asc', 'tomorrow', 1)],
    ['an instant spelled otherwise', made('start', 'asc', '2026-12-01', 1)],
    ['an instant out of all calendars', made('start', 'asc', '+099999-01-01T00:00:00.000Z', 1)],
    ['no id', made('start', 'asc', at)],
    ['an id that is none', made('start', 'asc', at, 0.5)],
    ['an id too large', made('start', 'asc', at, 2_147_483_648)],
    ['a cursor by another key', made('created', 'asc', at, 1)],
    ['a cursor in the other direction', made('start', 'desc', at, 1)],
    ['a cursor that is too long', 'x'.repeat(4097)],
  ])('%s is refused', async (_, after) => {
    expect(Object.keys(await refuse({ after }))).toEqual(['after']);
  });

  test.each(['a\0b', 'a\ud800b'])('a title that no event can have is refused', async (title) => {
    const refused = await refuse({ after: made('title', 'asc', title, 1), sort: { by: 'TITLE' } });
    expect(refused).toEqual({ after: ['must be a cursor of a list in this order'] });
  });

  test.each([
    [{ first: 1, page: 1 }, 'first', 'page'],
    [{ first: 1, perPage: 1 }, 'first', 'perPage'],
    [{ after: made('start', 'asc', at, 1), page: 2 }, 'after', 'page'],
  ])('%j mixes two ways of paging', async (args, field, beside) => {
    expect(await refuse(args)).toEqual({ [field]: [`must not be given together with ${beside}`] });
  });
});
