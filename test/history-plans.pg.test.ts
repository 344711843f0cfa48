import { beforeAll, expect, test } from '@jest/globals';
import * as history from '../src/db/history.ts';
import type { TenantDb } from '../src/db/tenant.ts';
import { Prisma } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';

/* The pages of a long history are ranges of indexes: what PostgreSQL plans for a log of 50,000 changes of two businesses each. */

let businessId: number;

const service = useService();

beforeAll(async () => {
  const businesses = [await service.createTenant(), await service.createTenant()].map(({ business }) => business.id);
  businessId = businesses[0]!;
  await service.prisma.$executeRaw`
    INSERT INTO commits (business_id, revision, batch, at, actor_kind, actor_id, operation)
    SELECT b, 1760000000000000 + n * 1000000::bigint, n, to_timestamp(1760000000 + n), 'user', n % 20, 'workShifts.update'
      FROM unnest(${businesses}::int[]) AS b, generate_series(1, 25000) AS n`;
  await service.prisma.$executeRaw`
    INSERT INTO row_changes (business_id, batch, kind, row_id, uuid, event_id, change, before, after)
    SELECT b, (n + 1) / 2, CASE n % 10 WHEN 0 THEN 'users' ELSE 'work_shifts' END, n % 10000,
           CASE n % 10 WHEN 0 THEN NULL ELSE md5((n % 10000)::text)::uuid END, CASE n % 10 WHEN 0 THEN NULL ELSE n % 1000 END,
           'update', '{"start_local": "2026-12-05T18:00:00"}', '{"start_local": "2026-12-05T19:00:00"}'
      FROM unnest(${businesses}::int[]) AS b, generate_series(1, 50000) AS n`;
  await service.prisma.$executeRaw`ANALYZE commits, row_changes`;
});

/** The plan of the statement that a query sends. */
async function planOf(query: (db: TenantDb) => Promise<unknown>): Promise<string> {
  let plan = '';
  const explain = async (sql: Prisma.Sql) => {
    const lines = await service.prisma.$queryRaw<Record<string, string>[]>(Prisma.sql`EXPLAIN (COSTS OFF) ${sql}`);
    plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    return [];
  };
  await query({ $businessId: businessId, $visibility: { of: 'business' }, $queryRaw: explain } as unknown as TenantDb);
  return plan;
}

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
  const plan = await planOf(query);
  expect(plan).toMatch(/Index (Only )?Scan/);
  expect(plan).not.toMatch(/Seq Scan on (row_changes|commits)/);
});
