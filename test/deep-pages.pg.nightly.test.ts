import { beforeAll, expect, test } from '@jest/globals';
import { seedBulk } from '../src/bin/seed/bulk.ts';
import { useService } from './support/app.ts';
import { isNightly } from './support/share.mjs';
import { sqlCount } from './support/sql-watch.ts';

/** The gate needs many pages only, not as many as there may be. */
const count = isNightly ? 100_000 : 5_000;

let as: string;

const service = useService({ isAlone: true });

beforeAll(async () => {
  const { prisma } = service;
  const { businessId } = await seedBulk(prisma, {
    name: 'Many Pages',
    plan: 'enterprise',
    events: count,
    withChildren: 20,
    today: new Date('2026-12-01'),
    onProgress: () => undefined,
  });
  const admin = await prisma.user.findFirst({ where: { businessId, role: 'admin' } });
  const business = await prisma.business.findFirstOrThrow({ where: { id: businessId } });
  as = await service.tokenOf(admin ?? (await service.createUser(business, 'admin')));
});

test('the last pages of very many events take as many statements as the first', async () => {
  const total = (await service.call('GET', '/v1/events?per_page=100', { as })).body.data.total as number;
  expect(total).toBeGreaterThan(count / 2);
  const lastPage = Math.ceil(total / 100);
  const statements = [];
  for (const [page, items] of [
    [1, 100],
    [Math.floor(lastPage / 2), 100],
    [lastPage, total - 100 * (lastPage - 1)],
    [lastPage + 1, 0],
    [2_147_483_647, 0],
  ] as const) {
    for (const order of ['asc', 'desc']) {
      const before = sqlCount();
      const { status, body } = await service.call('GET', `/v1/events?per_page=100&page=${page}&sort_order=${order}`, {
        as,
      });
      expect({ page, status, items: body.data.data.length, total: body.data.total }).toEqual({
        page,
        status: 200,
        items,
        total,
      });
      if (items > 0) statements.push(sqlCount() - before);
    }
  }
  expect(new Set(statements).size).toBe(1);
  expect(statements[0]).toBeLessThanOrEqual(6);
});

test('so do the same events by cursor, and by GraphQL pages', async () => {
  const { body } = await service.graphql(
    `{ last: events(page: ${(9 * count) / 1000}, perPage: 100) { nodes { uuid } } first: events(first: 100, sort: { by: TITLE, order: DESC }) { nodes { uuid } } }`,
    { as },
  );
  expect(body.errors).toBeUndefined();
});
