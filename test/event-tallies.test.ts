import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';

const service = useService();

describe('the totals of lists', () => {
  const statuses = ['active', 'active', 'active', 'draft', 'canceled', 'deleted', 'deleted'] as const;
  let counting: Tenant;

  beforeAll(async () => {
    counting = await service.createTenant();
    for (const status of statuses) await service.createEvent(counting.business, { status });
    await service.createEvent(counting.business, { clientId: counting.client.id });
  });

  const rest = async (path: string, as: string) => (await service.call('GET', path, { as })).body.data.total as number;

  const graphql = async (filter: string, as: string) => {
    const query = `{ events(perPage: 2, filter: ${filter}) { totalCount pageInfo { lastPage } } }`;
    const { totalCount, pageInfo } = (await service.graphql(query, { as })).body.data.events;
    return [totalCount, pageInfo.lastPage] as const;
  };

  test.each([
    ['', '{}', 6],
    ['?status=active', '{ statuses: [ACTIVE] }', 4],
    ['?status=deleted', '{ statuses: [DELETED] }', 2],
  ])('%s of a business are read from the counts: %s %i', async (query, filter, total) => {
    const before = sqlCount();
    expect(await rest(`/v1/events${query}`, counting.as.admin)).toBe(total);
    expect(await rest(`/v1/objects/events${query}`, counting.as.key)).toBe(total);
    expect(await graphql(filter, counting.as.admin)).toEqual([total, Math.ceil(total / 2)]);
    expect(statementsSince(before).filter((sql) => /count\(/i.test(sql))).toEqual([]);
  });

  test('several statuses, one of them twice, are added up', async () => {
    expect(await graphql('{ statuses: [DRAFT, DELETED, DRAFT] }', counting.as.admin)).toEqual([3, 2]);
    expect(await graphql('{ statuses: [] }', counting.as.admin)).toEqual([0, 1]);
  });

  test('any other filter and any limited visibility is counted row by row', async () => {
    const { admin, client } = counting.as;
    expect(await graphql(`{ clientId: ${counting.client.id} }`, admin)).toEqual([1, 1]);
    expect(await graphql('{ statuses: [ACTIVE], dateFrom: "2999-01-01" }', admin)).toEqual([0, 1]);
    const own = '{ myEvents { totalCount } }';
    expect((await service.graphql(own, { as: client })).body.data).toEqual({ myEvents: { totalCount: 1 } });
  });
});
