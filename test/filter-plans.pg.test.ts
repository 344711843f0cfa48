import { beforeAll, expect, test } from '@jest/globals';
import { readCoverageReport } from '../src/db/coverage.ts';
import type { EventFilter } from '../src/db/events-filter.ts';
import { readLabourCostReport } from '../src/db/labour-cost.ts';
import { countEvents, readEventPage } from '../src/db/events.ts';
import type { TenantDb } from '../src/db/tenant.ts';
import { Prisma } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';

/* What PostgreSQL reads of 20,000 events of two businesses each, where a filter leaves few of them. */

let businessId: number;
let fieldUuid: string;

const service = useService();

beforeAll(async () => {
  const { prisma } = service;
  const tenants = [await service.createTenant(), await service.createTenant()];
  businessId = tenants[0]!.business.id;
  // Plans for foreign keys that were made while the tables were empty would read them whole.
  const load = (rows: Prisma.PrismaPromise<number>) => prisma.$transaction([prisma.$executeRaw`DISCARD PLANS`, rows]);
  for (const { business } of tenants) {
    const { id: positionId } = await service.createPosition(business);
    const { id: fieldId, uuid } = await prisma.customField.create({
      data: { businessId: business.id, name: 'Purchase order', type: 'text', options: [] },
    });
    fieldUuid ??= uuid;
    for (let first = 1; first <= 20_000; first += 1000)
      await load(prisma.$executeRaw`
      WITH added AS (
        INSERT INTO events (business_id, title, start_local, starts_at, end_local, ends_at, timezone, venue_name, city)
        SELECT ${business.id}, CASE n % 2000 WHEN 7 THEN 'Zeppelin ' ELSE 'Gala ' END || n, at, at AT TIME ZONE 'UTC', at + interval '6 hours',
               (at + interval '6 hours') AT TIME ZONE 'UTC', 'UTC', 'Hall ' || n % 40, CASE n % 2000 WHEN 9 THEN 'Ithaca' ELSE 'Boston' END
          FROM generate_series(${first}::int, ${first + 999}::int) AS n, LATERAL (SELECT timestamp '2025-10-01' + n * interval '1 hour' AS at) AS planned
        RETURNING id, start_local, starts_at, end_local, ends_at),
      ordered AS (
        INSERT INTO custom_field_values (business_id, event_id, custom_field_id, value)
        SELECT ${business.id}, id, ${fieldId}, 'PO-' || ${first} - 1 + row_number() OVER () FROM added)
      INSERT INTO call_times (business_id, event_id, position_id, staff_needed, start_local, starts_at, end_local, ends_at)
      SELECT ${business.id}, id, ${positionId}, 1, start_local, starts_at, end_local, ends_at FROM added`);
    // All but ten events are filled. The counters are set as their triggers would set them for shifts.
    await prisma.$executeRaw`
      UPDATE event_staffing SET assigned = 1, filled = 1 WHERE business_id = ${business.id} AND event_id NOT IN (
        SELECT id FROM events WHERE business_id = ${business.id} ORDER BY id DESC LIMIT 10)`;
  }
  await prisma.$executeRaw`VACUUM ANALYZE events`;
  await prisma.$executeRaw`VACUUM ANALYZE event_staffing`;
  await prisma.$executeRaw`VACUUM ANALYZE position_staffing`;
  await prisma.$executeRaw`VACUUM ANALYZE custom_field_values`;
});

/** What PostgreSQL did for the statement that a query sends. */
async function planOf(query: (db: TenantDb) => Promise<unknown>): Promise<string> {
  let plan = '';
  const explain = async (sql: Prisma.Sql) => {
    const lines = await service.prisma.$queryRaw<Record<string, string>[]>(
      Prisma.sql`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${sql}`,
    );
    plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    return [];
  };
  await query({ $businessId: businessId, $visibility: { of: 'business' }, $queryRaw: explain } as unknown as TenantDb);
  return plan;
}

/** The most rows that one step of a plan read, whether it kept or dropped them. */
function mostRows(plan: string): number {
  const dropped = [...plan.matchAll(/Rows Removed by (?:Filter|Index Recheck|Join Filter): (\d+)/g)];
  const kept = [...plan.matchAll(/rows=(\d+) loops=(\d+)/g)];
  return Math.max(
    ...dropped.map(([, rows]) => Number(rows)),
    ...kept.map(([, rows, loops]) => Number(rows) * Number(loops)),
  );
}

test.each<[string, number, () => EventFilter]>([
  ['text', 10, () => ({ text: 'zeppelin' })],
  ['city', 10, () => ({ city: 'ITHACA' })],
  ['custom field', 1, () => ({ customField: { fieldUuid, value: 'PO-777' } })],
  ['coverage', 10, () => ({ coverageBelow: 0.5 })],
])('the page and the total by %s read little more than the %i events that they find', async (_name, found, filter) => {
  const sort = { by: 'start', order: 'asc' } as const;
  for (const query of [
    (db: TenantDb) => readEventPage(db, filter(), sort, { limit: 16 }),
    (db: TenantDb) => countEvents(db, filter()),
  ]) {
    const plan = await planOf(query);
    expect(plan).toMatch(/Index (Only )?Scan/);
    expect(plan).not.toMatch(/Seq Scan on (events|event_staffing|custom_field_values)/);
    expect(mostRows(plan)).toBeLessThan(60);
  }
  const db = {
    $businessId: businessId,
    $visibility: { of: 'business' },
    $queryRaw: service.prisma.$queryRaw.bind(service.prisma),
  };
  expect(await countEvents(db as unknown as TenantDb, filter())).toBe(found);
});

const groupedBy = (group: 'day' | 'position') => ({ by: [group], offsets: null, weekStart: 0, groupsMax: 1000 });

/** The steps of a plan that read call times or shifts. */
const scansOf = (plan: string) => plan.split('\n').filter((line) => /Scan.* (call_times|work_shifts)/.test(line));

test('the coverage of a year reads call times and shifts of people who came only', async () => {
  const filter = { from: new Date('2025-10-01'), to: new Date('2026-10-01'), statuses: ['active'] as const };
  const plan = await planOf((db) => readCoverageReport(db, filter, groupedBy('day')));
  expect(plan).toMatch(/event_staffing/);
  for (const scan of scansOf(plan)) expect(scan).toMatch(/never executed|actual rows=0 loops=1\)/);
  const byPosition = await planOf((db) => readCoverageReport(db, filter, groupedBy('position')));
  expect(byPosition).toMatch(/position_staffing/);
  for (const scan of scansOf(byPosition)) expect(scan).toMatch(/never executed|actual rows=0 loops=1\)/);
});

test('the labour cost of a year reads call times and shifts of outdated sums only', async () => {
  const filter = { from: new Date('2025-10-01'), to: new Date('2026-10-01'), statuses: ['active'] as const };
  for (const groupBy of ['day', 'position'] as const) {
    const plan = await planOf((db) => readLabourCostReport(db, filter, groupedBy(groupBy)));
    const scans = scansOf(plan);
    expect(scans.length).toBeGreaterThan(0);
    for (const scan of scans) expect(scan).toMatch(/never executed|actual rows=0 loops=1\)/);
  }
});
