import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { useOneTenant, useService } from './support/app.ts';
import { eventChange, numbersOf, type Numbers } from './support/event-changes.ts';
import type { Tenant } from './support/factories.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';

let other: Tenant;

const service = useService();
const tenant = useOneTenant(service);

beforeAll(async () => {
  other = await service.createTenant();
});

class Undone extends Error {}

test('the counts match the events within each transaction and after its commit or rollback', async () => {
  const { prisma } = service;
  const businesses = [tenant.business.id, other.business.id];
  const move = (from: number, to: number) =>
    `UPDATE events SET business_id = ${to} WHERE business_id = ${from} AND title = 'Counted' AND id % 3 = 0`;
  const change = fc.oneof(
    { weight: 5, arbitrary: eventChange(businesses[0]!, 'Counted') },
    { weight: 2, arbitrary: eventChange(businesses[1]!, 'Counted') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(move(businesses[0]!, businesses[1]!), move(businesses[1]!, businesses[0]!)),
    },
  );
  const transaction = fc.record({ changes: fc.array(change, { minLength: 1, maxLength: 4 }), isUndone: fc.boolean() });

  const expectAgreement = async (db: Pick<typeof prisma, '$queryRawUnsafe'>) => {
    for (const id of businesses) {
      const [numbers] = await db.$queryRawUnsafe<[Numbers]>(numbersOf(id));
      expect(numbers.tallied).toEqual(numbers.counted);
    }
  };
  await fc.assert(
    fc.asyncProperty(transaction, async ({ changes, isUndone }) => {
      await prisma
        .$transaction(async (tx) => {
          for (const sql of changes) {
            await tx.$executeRawUnsafe(sql);
            await expectAgreement(tx);
          }
          if (isUndone) throw new Undone();
        })
        .catch((error: unknown) => {
          if (!(error instanceof Undone)) throw error;
        });
      await expectAgreement(prisma);
    }),
    { numRuns: 60 },
  );
  // One writer at a time keeps one row a status, however many its changes.
  expect(await prisma.eventTally.count({ where: { businessId: businesses[0]! } })).toBeLessThanOrEqual(4);
});

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

  test('reflect new and changed events at once', async () => {
    const { uuid } = await service.createEvent(counting.business, { status: 'draft' });
    expect(await rest('/v1/events', counting.as.admin)).toBe(7);
    const body = { status: 'deleted' };
    expect((await service.call('PUT', `/v1/events/${uuid}`, { as: counting.as.admin, body })).status).toBe(200);
    expect(await rest('/v1/events', counting.as.admin)).toBe(6);
    expect(await rest('/v1/events?status=deleted', counting.as.admin)).toBe(3);
  });
});
