import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { movedTables } from '../src/db/business-rows.ts';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { createOddBusiness, exportFrom, forgedFile, importInto, linesIn } from './support/moving-business.ts';

/* A file of a business with numbers of anybody's choice takes none from the other businesses of the database. */

let source: TestApp;
let target: TestApp;
let other: Tenant;

beforeAll(async () => {
  [source, target] = [await startApp(), await startApp()];
  other = await target.createTenant();
});

afterAll(async () => {
  await source.close();
  await target.close();
});

type Row = Record<string, unknown>;

/** Columns that name a row of another table. */
const references: Readonly<Record<string, string>> = {
  client_id: 'users',
  user_id: 'users',
  created_by_id: 'users',
  approved_by_id: 'users',
  position_id: 'positions',
  skill_level_id: 'skill_levels',
  event_id: 'events',
  call_time_id: 'call_times',
  work_shift_id: 'work_shifts',
  other_shift_id: 'work_shifts',
  from_user_id: 'users',
  to_user_id: 'users',
  offer_id: 'offers',
  qualification_id: 'qualifications',
  custom_field_id: 'custom_fields',
  endpoint_id: 'webhook_endpoints',
  message_id: 'webhook_messages',
  batch: 'batches',
};

/** A file without secrets in which the newest row of each table has a number that is `below` the highest one. */
async function fileWithHighNumbers(below: bigint): Promise<string> {
  const tenant = await createOddBusiness(source, Number(below % 1000n) + 7);
  const lines = linesIn(readFileSync(await exportFrom(source, tenant.business.id, null)));
  const rows = lines.slice(1, -1).map((line) => Object.entries(JSON.parse(line) as Record<string, Row>)[0]!);
  const isBig = (name: string) => /^(commits|row_changes|webhook_messages|webhook_attempts|batches)$/.test(name);
  const highest = (name: string) => (isBig(name) ? 2n ** 63n - 1n : 2n ** 31n - 1n) - below;
  const newest: Record<string, number> = {};
  for (const [name, row] of rows) {
    if ('id' in row && name !== 'audit_entries') newest[name] = Math.max(newest[name] ?? 0, Number(row['id']));
    if ('batch' in row) newest['batches'] = Math.max(newest['batches'] ?? 0, Number(row['batch']));
  }
  const renumbered = (name: string, value: unknown) => (value === newest[name] ? `@${highest(name)}@` : value);
  const changed = rows.map(([name, row]) => {
    const next = Object.fromEntries(
      Object.entries(row).map(([column, value]) => {
        // Attendance has the id of its shift.
        const of = column === 'id' ? (name === 'attendance' ? 'work_shifts' : name) : references[column];
        return [column, of === undefined ? value : renumbered(of, value)];
      }),
    );
    // Numbers beyond 2^53 cannot be written by JSON.stringify.
    return JSON.stringify({ [name]: next }).replaceAll(/"@(\d+)@"/g, '$1');
  });
  const header = lines[0]!.replace(`"id":${tenant.business.id}`, `"id":${highest('businesses')}`);
  return forgedFile([header, ...changed, lines.at(-1)!]);
}

/** Adds a row of every noun as an admin of the other business. */
async function createEverything(): Promise<void> {
  const as = other.as.admin;
  const make = async (url: string, body: object, expected = 201): Promise<Row> => {
    const answer = await target.call('POST', url, { as, body });
    expect([url, answer.status, answer.body.errors]).toEqual([url, expected, undefined]);
    return answer.body.data as Row;
  };
  const name = randomUUID();
  const { id: position } = await make('/v1/positions', { title: name, default_pay_rate: '10' });
  const { id: skillLevel } = await make('/v1/skill_levels', { name });
  await make('/v1/custom_fields', { name, type: 'text' });
  const said = `/v1/users/${other.staff.id}/availability`;
  const week = { rule: 'available', weekday: 'monday', start_time: '09:00', end_time: '17:00', timezone: 'UTC' };
  await make(`${said}/patterns`, week);
  await make(`${said}/exceptions`, {
    ...{ rule: 'unavailable', starts_at: '2031-01-01T00:00:00Z', ends_at: '2031-01-02T00:00:00Z' },
  });
  const times = { start_time: '2031-05-01 10:00:00', end_time: '2031-05-01 18:00:00' };
  const { uuid: event } = await make('/v1/events', { title: name, ...times, timezone: 'UTC' });
  const place = { event_uuid: event, position_id: position, ...times };
  await make('/v1/call_times', { ...place, skill_level_id: skillLevel, staff_needed: 1 });
  await make('/v1/work_shifts', { ...place, user_id: other.staff.id, override_reason: 'Asked for' });
  await target.createKey(other.business, { createdById: other.admin.id });
  const { graphql, prisma } = target;
  const mutation = `mutation { createUser(input: { email: "${name}@x.example", name: "New", role: STAFF, password: "long-enough-77" }) { databaseId } }`;
  expect((await graphql(mutation, { as })).body.errors).toBeUndefined();
  const ofWebhook = await target.createWebhook(other.business);
  const message = await target.createWebhookMessage(ofWebhook);
  await prisma.webhookAttempt.create({ data: { businessId: other.business.id, messageId: message.id, durationMs: 1 } });
  await prisma.screen.create({
    data: {
      ...{ businessId: other.business.id, name, names: 'hidden', createdById: other.admin.id },
      claimableUntil: new Date(),
    },
  });
  // Another business can be added, too, and the audit trail has its entries.
  await target.createTenant();
  expect(await prisma.auditEntry.count({ where: { businessId: other.business.id } })).toBeGreaterThan(0);
  expect((await target.call('GET', '/v1/changes', { as })).status).toBe(200);
}

/** The last number of each sequence. */
const sequences = async (): Promise<Map<string, bigint>> => {
  const rows = await target.prisma.$queryRaw<{ name: string; last: bigint }[]>`
    SELECT sequencename::text AS name, coalesce(last_value, 0) AS last FROM pg_sequences WHERE schemaname = current_schema()`;
  return new Map(rows.map(({ name, last }) => [name, last]));
};

describe.each([0n, 1n, 1000n, 900_000_000n])(
  'after the import of a file whose numbers end %s below the highest',
  (below) => {
    test('another business adds rows of every noun, again and again', async () => {
      const before = await sequences();
      await importInto(target, await fileWithHighNumbers(below), null);
      for (const [name, last] of await sequences()) {
        expect([name, last - before.get(name)! < 10_000n]).toEqual([name, true]);
      }
      for (let times = 0; times < 3; times++) await createEverything();
    });

    test('the imported business itself adds rows', async () => {
      const businesses = await target.prisma.business.findMany({ orderBy: { id: 'desc' }, take: 1 });
      const business = businesses[0]!;
      for (let times = 0; times < 3; times++) {
        const event = await target.createEvent(business);
        await target.createCallTime(event);
        await target.createPosition(business, { title: randomUUID() });
        await target.createUser(business, 'staff');
      }
    });
  },
);

test('no number of files moves a sequence beyond the middle of its bounds, nor beyond what JSON carries', async () => {
  const { business } = await source.createTenant();
  const lines = linesIn(readFileSync(await exportFrom(source, business.id, null)));
  const half = 2 ** 30;
  const commit = (batch: bigint) =>
    `{"commits":{"revision":1,"batch":${batch},"at":"2026-01-01T00:00:00Z","actor_kind":null,"actor_id":null,"actor_name":null,"operation":null,"request_id":null}}`;
  let id = 700_000;
  for (const [position, batch] of [
    [half - 5, 2n ** 51n],
    [half + 5, 2n ** 62n],
    [2 ** 31 - 1, 2n ** 63n - 1n],
  ] as const) {
    const at = lines.findIndex((line) => line.startsWith('{"audit_entries"') || line.startsWith('{"commits"'));
    const added = [
      `{"positions":{"id":${position},"title":"High","default_pay_rate":1,"pay_unit":"hour","bill_rate":null,"bill_unit":"hour","announced_rates":[],"rate_version":1,"requirements_version":0,"modified_at":null,"version":1}}`,
      commit(batch),
    ];
    const columns = movedTables.find((table) => table.name === 'positions')!.columns;
    expect(Object.keys((JSON.parse(added[0]!) as { positions: object }).positions).toSorted()).toEqual(
      columns.toSorted(),
    );
    const users = lines.findLastIndex((line) => line.startsWith('{"users"')) + 1;
    const all = [...lines.slice(0, users), added[0]!, ...lines.slice(users, at), added[1]!, ...lines.slice(at)];
    const fresh = all.map((line) =>
      line.replaceAll(
        /"(email|email_key|public_id)":"([^"]+)"/g,
        (_all, column, value) => `"${column}":"${id}${value}"`,
      ),
    );
    const header = fresh[0]!.replace(`"id":${business.id}`, `"id":${id++}`);
    await importInto(target, forgedFile([header, ...fresh.slice(1)], { positions: 1, commits: 1 }), null);
    const moved = await sequences();
    expect(moved.get('positions_id_seq')).toBeLessThanOrEqual(BigInt(half));
    expect(moved.get('change_batches')).toBeLessThanOrEqual(2n ** 52n);
  }
  await createEverything();
});
