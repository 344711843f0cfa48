import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';

const service = useService();

interface ListRequest {
  status?: string;
  page?: number;
  perPage?: number;
  sortOrder?: string;
}

interface Listed {
  titles: string[];
  page: number;
  perPage: number;
  total: number;
  lastPage: number;
}

const lists = {
  REST: async (as: string, { perPage, sortOrder, ...asked }: ListRequest): Promise<Listed> => {
    const query = { ...asked, ...(perPage && { per_page: perPage }), ...(sortOrder && { sort_order: sortOrder }) };
    const url = `/v1/events?${new URLSearchParams(query as Record<string, string>).toString()}`;
    const { data, ...page } = (await service.call('GET', url, { as })).body.data;
    const titles = data.map(({ title }: { title: string }) => title);
    return { titles, page: page.current_page, perPage: page.per_page, total: page.total, lastPage: page.last_page };
  },
  GraphQL: async (as: string, { status, sortOrder, ...asked }: ListRequest): Promise<Listed> => {
    const { body } = await service.graphql(
      `query ($filter: EventFilter, $page: Int, $perPage: Int, $order: SortOrder) {
        events(filter: $filter, page: $page, perPage: $perPage, sort: { order: $order }) {
          nodes { title } totalCount pageInfo { page perPage lastPage hasNextPage hasPreviousPage }
        }
      }`,
      {
        as,
        variables: {
          ...asked,
          ...(status && { filter: { statuses: [status.toUpperCase()] } }),
          order: sortOrder?.toUpperCase(),
        },
      },
    );
    const { nodes, totalCount, pageInfo } = body.data.events;
    const { page, perPage, lastPage, hasNextPage, hasPreviousPage } = pageInfo;
    expect({ hasNextPage, hasPreviousPage }).toEqual({ hasNextPage: page < lastPage, hasPreviousPage: page > 1 });
    return { titles: nodes.map(({ title }: { title: string }) => title), page, perPage, total: totalCount, lastPage };
  },
};

describe.each(['REST', 'GraphQL'] as const)('through %s', (name) => {
  const list = lists[name];
  let many: Tenant;
  let statuses: Tenant;
  let empty: Tenant;
  /** In the order of their making, which is that of their ids. */
  const titles = Array.from({ length: 17 }, (_, index) => `Twin ${index}`);

  beforeAll(async () => {
    [many, statuses, empty] = [
      await service.createTenant(),
      await service.createTenant(),
      await service.createTenant(),
    ];
    for (const title of titles) await service.createEvent(many.business, { title });
    for (const status of ['active', 'draft', 'canceled', 'deleted'] as const)
      await service.createEvent(statuses.business, { status, title: status });
  });

  test.each([
    [undefined, ['active', 'draft', 'canceled']],
    ['active', ['active']],
    ['draft', ['draft']],
    ['canceled', ['canceled']],
    ['deleted', ['deleted']],
  ])('the filter %s shows events that are %j', async (status, expected) => {
    const listed = await list(statuses.as.admin, status ? { status } : {});
    expect(listed).toEqual({ titles: expected, total: expected.length, page: 1, perPage: 15, lastPage: 1 });
  });

  test('a page has 15 events by default, starting at the first', async () => {
    expect(await list(many.as.admin, {})).toEqual({
      titles: titles.slice(0, 15),
      page: 1,
      perPage: 15,
      total: 17,
      lastPage: 2,
    });
    expect(await list(many.as.admin, { page: 2 })).toMatchObject({ titles: titles.slice(15), page: 2, lastPage: 2 });
    expect(await list(many.as.key, { perPage: 100 })).toMatchObject({ titles, perPage: 100, lastPage: 1 });
  });

  test.each([
    ['asc', titles],
    ['desc', titles.toReversed()],
  ])('events with the same start appear exactly once over all pages, %s', async (sortOrder, expected) => {
    for (const perPage of [1, 4, 17]) {
      const seen: string[] = [];
      for (let page = 1; page <= Math.ceil(17 / perPage); page++) {
        const listed = await list(many.as.admin, { page, perPage, sortOrder });
        expect(listed).toMatchObject({ page, perPage, total: 17, lastPage: Math.ceil(17 / perPage) });
        seen.push(...listed.titles);
      }
      expect(seen).toEqual(expected);
    }
  });

  test('a page past the end is empty and has the right total', async () => {
    for (const page of [3, 2_147_483_647])
      for (const perPage of [15, 100])
        expect(await list(many.as.admin, { page, perPage })).toEqual({
          titles: [],
          page,
          perPage,
          total: 17,
          lastPage: Math.ceil(17 / perPage),
        });
  });

  test('a business without events has one page, an empty one', async () => {
    expect(await list(empty.as.admin, {})).toEqual({ titles: [], page: 1, perPage: 15, total: 0, lastPage: 1 });
    expect(await list(empty.as.admin, { status: 'deleted', page: 5 })).toMatchObject({ total: 0, lastPage: 1 });
  });

  test('events are sorted by instant, whatever their zones', async () => {
    const { as, business } = await service.createTenant();
    // In UTC: 02:00, 01:00, 00:00 and 03:00 on 5 December.
    for (const [timezone, start] of [
      ['Europe/Paris', '2026-12-05 03:00:00'],
      ['America/New_York', '2026-12-04 20:00:00'],
      ['Asia/Tokyo', '2026-12-05 09:00:00'],
      ['UTC', '2026-12-05 03:00:00'],
    ] as const)
      await service.createEvent(business, { timezone, start, end: '2026-12-07 00:00:00', title: timezone });
    const inOrder = ['Asia/Tokyo', 'America/New_York', 'Europe/Paris', 'UTC'];
    expect(await list(as.admin, {})).toMatchObject({ titles: inOrder });
    expect(await list(as.admin, { sortOrder: 'desc' })).toMatchObject({ titles: inOrder.toReversed() });
  });
});

describe('an invalid list query', () => {
  let tenant: Tenant;

  beforeAll(async () => {
    tenant = await service.createTenant();
    await service.createEvent(tenant.business);
  });

  test('GraphQL treats null like a missing argument', async () => {
    const { body } = await service.graphql(
      `{
        bare: events(page: null, perPage: null, filter: null, sort: null, first: null, after: null) { ...page }
        within: events(filter: { statuses: null, text: null }, sort: { by: null, order: null }) { ...page }
      }
      fragment page on EventConnection { totalCount pageInfo { page perPage } }`,
      { as: tenant.as.admin },
    );
    const page = { totalCount: 1, pageInfo: { page: 1, perPage: 15 } };
    expect(body.data).toEqual({ bare: page, within: page });
  });
});
