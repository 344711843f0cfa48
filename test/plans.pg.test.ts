import { beforeAll, expect, test } from '@jest/globals';
import { stopLogging } from '../src/db/change-log.ts';
import { readCoverageReport } from '../src/db/coverage.ts';
import type { EventFilter } from '../src/db/events-filter.ts';
import * as history from '../src/db/history.ts';
import { readLabourCostReport } from '../src/db/labour-cost.ts';
import { countEvents, readEventPage } from '../src/db/events.ts';
import type { TenantDb } from '../src/db/tenant.ts';
import { Prisma } from '../src/generated/prisma/client.ts';
import type { Business } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';

/* What PostgreSQL reads of two businesses of 20,000 events and 50,000 logged changes each, where a caller asks for few of them. */

let businessId: number;
let fieldUuid: string;

const service = useService({ isAlone: true });

beforeAll(async () => {
  const businesses = [await service.createTenant(), await service.createTenant()].map(({ business }) => business);
  businessId = businesses[0]!.id;
  for (const business of businesses) {
    await storeEvents(business);
    await storeLog(business);
  }
  const tables = ['events', 'event_staffing', 'position_staffing', 'custom_field_values', 'commits', 'row_changes'];
  for (const table of tables) await service.prisma.$executeRawUnsafe(`VACUUM ANALYZE ${table}`);
});

/** Stores rows without logging them. Plans for foreign keys that were made while the tables were empty would read them whole. */
const load = (rows: Prisma.Sql) =>
  service.prisma.$transaction(async (tx) => {
    await stopLogging(tx);
    await tx.$executeRaw`DISCARD PLANS`;
    await tx.$executeRaw(rows);
  });

async function storeEvents(business: Business): Promise<void> {
  const { id: positionId } = await service.createPosition(business);
  const { id: fieldId, uuid } = await service.prisma.customField.create({
    data: { businessId: business.id, name: 'Purchase order', type: 'text', options: [] },
  });
  fieldUuid ??= uuid;
  for (let first = 1; first <= 20_000; first += 1000)
    await load(Prisma.sql`
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
  await load(Prisma.sql`
    UPDATE event_staffing SET assigned = 1, filled = 1 WHERE business_id = ${business.id} AND event_id NOT IN (
      SELECT id FROM events WHERE business_id = ${business.id} ORDER BY id DESC LIMIT 10)`);
}

async function storeLog({ id }: Business): Promise<void> {
  await service.prisma.$executeRaw`
    INSERT INTO commits (business_id, revision, batch, at, actor_kind, actor_id, operation)
    SELECT ${id}, 1760000000000000 + n * 1000000::bigint, n, to_timestamp(1760000000 + n), 'user', n % 20, 'workShifts.update'
      FROM generate_series(1, 25000) AS n`;
  await service.prisma.$executeRaw`
    INSERT INTO row_changes (business_id, batch, kind, row_id, uuid, event_id, change, before, after)
    SELECT ${id}, (n + 1) / 2, CASE n % 10 WHEN 0 THEN 'users' ELSE 'work_shifts' END, n % 10000,
           CASE n % 10 WHEN 0 THEN NULL ELSE md5((n % 10000)::text)::uuid END, CASE n % 10 WHEN 0 THEN NULL ELSE n % 1000 END,
           'update', '{"start_local": "2026-12-05T18:00:00"}', '{"start_local": "2026-12-05T19:00:00"}'
      FROM generate_series(1, 50000) AS n`;
}

/** What PostgreSQL did for the last statement that a query sends, or would do. */
async function planOf(
  query: (db: TenantDb) => Promise<unknown>,
  options = 'ANALYZE, COSTS OFF, TIMING OFF',
): Promise<string> {
  let plan = '';
  const explain = async (sql: Prisma.Sql) => {
    const lines = await service.prisma.$queryRaw<Record<string, string>[]>(
      Prisma.sql`EXPLAIN (${Prisma.raw(options)}) ${sql}`,
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

test('the first page of the events that run now reads little more than the page', async () => {
  const filter = { runsFrom: new Date('2026-12-05T00:00:00Z'), runsTo: new Date('2026-12-07T00:00:00Z') };
  const plan = await planOf(
    (db) => readEventPage(db, filter, { by: 'start', order: 'asc' }, { limit: 16 }),
    'ANALYZE, BUFFERS, COSTS OFF',
  );
  expect(plan).toMatch(/Index Scan/);
  expect(plan).not.toMatch(/Seq Scan/);
  const dropped = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, rows]) => Number(rows));
  expect(Math.max(0, ...dropped)).toBeLessThan(20);
});

const page = { limit: 16 };
const after = { value: '1760010000000000', id: 20_000 };
const uuid = '5c4297df-5e92-64b8-927f-7a9fa62fffcb';
const ids = Array.from({ length: 15 }, (_, index) => index + 1);

test.each<[string, (db: TenantDb) => Promise<unknown>]>([
  ['everything', (db) => history.readHistoryPage(db, {}, page)],
  ['everything behind a cursor', (db) => history.readHistoryPage(db, {}, { ...page, after })],
  ['everything from a time on', (db) => history.readHistoryPage(db, { from: new Date(1760024000e3) }, page)],
  ['an event', (db) => history.readHistoryPage(db, { eventId: 7 }, page)],
  ['an event behind a cursor', (db) => history.readHistoryPage(db, { eventId: 7 }, { ...page, after })],
  ['a row by its uuid', (db) => history.readHistoryPage(db, { rowUuid: uuid }, page)],
  ['a row by its number', (db) => history.readHistoryPage(db, { kind: 'user', rowId: 10 }, page)],
  ['the events of a list', (db) => history.readHistoryOfParents(db, 'eventId', ids, page)],
  ['the shifts of a list', (db) => history.readHistoryOfParents(db, 'workShiftId', ids, page)],
  ['the event of a uuid', (db) => history.findRowWithHistory(db, 'events', uuid)],
])('the history of %s is read by indexes', async (_what, query) => {
  const plan = await planOf(query, 'COSTS OFF');
  expect(plan).toMatch(/Index (Only )?Scan/);
  expect(plan).not.toMatch(/Seq Scan on (row_changes|commits)/);
});
