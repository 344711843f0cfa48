import { beforeAll, expect, test } from '@jest/globals';
import { readEventPage } from '../src/db/events.ts';
import type { TenantDb } from '../src/db/tenant.ts';
import { Prisma } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';

/* The events that run now are a range of an index: what PostgreSQL reads of 20,000 events of two businesses each. */

let businessId: number;

const service = useService();

beforeAll(async () => {
  const businesses = [await service.createTenant(), await service.createTenant()].map(({ business }) => business.id);
  businessId = businesses[0]!;
  for (let first = 1; first <= 20_000; first += 2000)
    await service.prisma.$executeRaw`
      INSERT INTO events (business_id, title, start_local, starts_at, end_local, ends_at, timezone)
      SELECT b, 'Gala ' || n, at, at AT TIME ZONE 'UTC', at + interval '6 hours', (at + interval '6 hours') AT TIME ZONE 'UTC', 'UTC'
        FROM unnest(${businesses}::int[]) AS b, generate_series(${first}::int, ${first + 1999}::int) AS n,
             LATERAL (SELECT timestamp '2025-10-01' + n * interval '1 hour' AS at) AS planned`;
  await service.prisma.$executeRaw`ANALYZE events`;
});

/** What PostgreSQL did to answer the first page. */
async function readsOf(filter: object): Promise<string> {
  let plan = '';
  const explain = async (sql: Prisma.Sql) => {
    const lines = await service.prisma.$queryRaw<Record<string, string>[]>(
      Prisma.sql`EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${sql}`,
    );
    plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    return [];
  };
  const db = { $businessId: businessId, $visibility: { of: 'business' }, $queryRaw: explain } as unknown as TenantDb;
  await readEventPage(db, filter, { by: 'start', order: 'asc' }, { limit: 16 });
  return plan;
}

test('the first page of the events that run now reads little more than the page', async () => {
  const plan = await readsOf({ runsFrom: new Date('2026-12-05T00:00:00Z'), runsTo: new Date('2026-12-07T00:00:00Z') });
  expect(plan).toMatch(/Index Scan/);
  expect(plan).not.toMatch(/Seq Scan/);
  const dropped = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, rows]) => Number(rows));
  expect(Math.max(0, ...dropped)).toBeLessThan(20);
});
