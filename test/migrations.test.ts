import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { loadConfig } from '../src/config/config.ts';
import { limits } from '../src/config/limits.ts';
import { openDatabase, type Database } from '../src/db/engine/database.ts';
import { schemaDrift } from '../src/db/engine/drift.ts';
import { isCheckViolation, isForeignKeyViolation, isUniqueViolation } from '../src/db/engine/failures.ts';

const serverUrl = loadTestUrl();
const databaseName = `callboard_migrations_${process.pid}`;
let database: Database;

beforeAll(async () => {
  if (serverUrl) await onServer(`CREATE DATABASE ${databaseName}`);
  const url = serverUrl && Object.assign(new URL(serverUrl), { pathname: databaseName }).href;
  const { db } = loadConfig(url ? { DATABASE_URL: url, JWT_SECRETS: `test:${'x'.repeat(32)}` } : {});
  database = await openDatabase(db, { openPglite: () => PGlite.create() });
  await database.migrate();
}, 60_000);

afterAll(async () => {
  await database.close();
  if (serverUrl) await onServer(`DROP DATABASE ${databaseName}`);
}, 30_000);

test('the migrations lead to schema.prisma', async () => {
  expect(await schemaDrift()).toBe('');
}, 60_000);

test('a migrated database has nothing pending, and migrating it again does nothing', async () => {
  expect(await database.pendingMigrations()).toEqual([]);
  expect(await database.migrate()).toEqual([]);
});

test('every tenant table is keyed by business first', async () => {
  const rows = await query<{ table: string; column: string }>(`
    SELECT c.relname AS "table", a.attname AS "column" FROM pg_index i
    JOIN pg_class c ON c.oid = i.indrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
    WHERE i.indisprimary AND c.relnamespace = current_schema()::regnamespace AND c.relname <> '_prisma_migrations'`);
  const firstKey = Object.fromEntries(rows.map(({ table, column }) => [table, column]));
  expect(Object.keys(firstKey).sort()).toEqual(['businesses', ...tenantTables].sort());
  for (const table of tenantTables) expect([table, firstKey[table]]).toEqual([table, 'business_id']);
});

test('every foreign key between tenant tables carries the business', async () => {
  const keys = await query<{ name: string; from: string[]; to: string[]; target: string }>(`
    SELECT k.conname AS name, t.relname AS target,
      (SELECT array_agg(a.attname::text ORDER BY o) FROM unnest(k.conkey) WITH ORDINALITY u(n, o)
       JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = n) AS "from",
      (SELECT array_agg(a.attname::text ORDER BY o) FROM unnest(k.confkey) WITH ORDINALITY u(n, o)
       JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = n) AS "to"
    FROM pg_constraint k JOIN pg_class t ON t.oid = k.confrelid
    WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace`);
  const between = keys.filter(({ target }) => target !== 'businesses');
  expect(between.length).toBeGreaterThan(10);
  for (const { name, from, to } of between)
    expect([name, from[0], to[0]]).toEqual([name, 'business_id', 'business_id']);
});

test('a row that points into another business is refused', async () => {
  const error = await failureOf(`
    ${business(1)}; ${business(2)}; ${insert('users', {})};
    ${insert('personal_tokens', { business_id: '2', user_id: '1' })}`);
  expect(isForeignKeyViolation(error)).toBe(true);
});

test('an e-mail is taken in every business at once, whatever its case', async () => {
  const error = await failureOf(`
    ${business(1)}; ${business(2)}; ${insert('users', {})};
    ${insert('users', { business_id: '2', email: `'ANN@example.com'` })}`);
  expect(isUniqueViolation(error, 'email_key')).toBe(true);
  expect(isUniqueViolation(error, 'users_email_key_key')).toBe(true);
  expect(isUniqueViolation(error, 'title')).toBe(false);
});

const chars = (count: number) => `repeat('é', ${count})`;
const noonTo = (end: string) => ({ ends_at: `'2026-07-01 ${end}Z'` });

/** Column, longest text. */
const lengths: Record<string, Record<string, number>> = {
  businesses: { name: limits.businessNameChars },
  users: { name: limits.nameChars, first_name: limits.nameChars, last_name: limits.nameChars },
  api_keys: { name: limits.keyNameChars },
  positions: { title: limits.titleChars },
  skill_levels: { name: limits.nameChars },
  events: {
    title: limits.titleChars,
    timezone: limits.timezoneChars,
    resource_id: limits.shortTextChars,
    description: limits.longTextChars,
    private_notes: limits.longTextChars,
    dress_code: limits.longTextChars,
    venue_name: limits.venueNameChars,
    address: limits.addressChars,
    address_line_2: limits.addressChars,
    room: limits.shortTextChars,
    city: limits.cityChars,
    state: limits.stateChars,
    zip: limits.zipChars,
  },
  call_times: { notes_for_staff: limits.longTextChars, dress_code: limits.longTextChars },
  custom_fields: { name: limits.nameChars },
  custom_field_values: { value: limits.customValueChars },
};

const lengthCases = Object.entries(lengths).flatMap(([table, columns]) =>
  Object.entries(columns).map(([column, max]) => ({ table, column, max })),
);

describe('texts', () => {
  test.each(lengthCases)('$table.$column takes $max characters and no more', async ({ table, column, max }) => {
    expect(await failureOf(chain(table, { [column]: chars(max) }))).toBeNull();
    expect(isCheckViolation(await failureOf(chain(table, { [column]: chars(max + 1) })))).toBe(true);
  });
});

const refused: [string, Record<string, string>][] = [
  ...['businesses', 'users', 'api_keys', 'skill_levels', 'custom_fields'].map(
    (table): [string, Record<string, string>] => [table, { name: `E' \\n\\t'` }],
  ),
  ['positions', { title: `''` }],
  ['events', { title: `' '` }],
  ['events', { timezone: `''` }],
  ['users', { email: `''`, email_key: `''` }],
  ['users', { email: `'é@example.com'`, email_key: `'é@example.com'` }],
  ['users', { email: `repeat('a', ${limits.emailChars + 1})` }],
  ['users', { email_key: `'Ann@example.com'` }],
  ['users', { deleted_at: 'now()' }],
  ['users', { email_key: 'NULL' }],
  ['users', { password_hash: `'secret'` }],
  ['personal_tokens', { expires_at: `now() - interval '1 hour'` }],
  ['api_keys', { secret_hash: `decode(repeat('00', 31), 'hex')` }],
  ['api_keys', { last_four: `'abc'` }],
  ['api_keys', { public_id: `''` }],
  ['positions', { default_pay_rate: '-0.01' }],
  ['positions', { default_pay_rate: `'NaN'` }],
  ['events', noonTo('12:00')],
  ['events', noonTo('11:59')],
  ['events', { start_local: `'1969-12-31 23:59:59'` }],
  ['events', { end_local: `'3000-01-01 00:00:00'` }],
  ...['90.1', '-90.000001', '1e1', 'NaN', '+5', '5.', '.5', '', ' 5', '0.0000000000000000000'].map(
    (text): [string, Record<string, string>] => ['events', { latitude: `'${text}'` }],
  ),
  ...['180.1', '-181', '0x10', 'Infinity', '1,5'].map((text): [string, Record<string, string>] => [
    'events',
    { longitude: `'${text}'` },
  ]),
  ['call_times', { staff_needed: '0' }],
  ['call_times', { staff_needed: String(limits.staffNeededMax + 1) }],
  ['call_times', noonTo('12:00')],
  ['call_times', { pay_rate: '-1' }],
  ['call_times', { pay_rate: `'NaN'` }],
  ['work_shifts', noonTo('11:00')],
  ['work_shifts', { start_local: 'NULL' }],
  ['work_shifts', { starts_at: 'NULL' }],
  ['work_shifts', { end_local: 'NULL' }],
  ['work_shifts', { ends_at: 'NULL' }],
  ['work_shifts', { pay_rate: '-1' }],
  ['idempotency_keys', { key: `''` }],
  ['idempotency_keys', { key: `repeat('k', ${limits.idempotencyKeyChars + 1})` }],
  ['idempotency_keys', { fingerprint: `decode(repeat('00', 31), 'hex')` }],
  ['custom_fields', { type: `'select'` }],
  ['custom_fields', { type: `'text'`, options: `ARRAY['a']` }],
  ['custom_fields', { type: `'select'`, options: `ARRAY['a', NULL]` }],
  ['custom_fields', { options: 'NULL' }],
];

const accepted: [string, Record<string, string>][] = [
  ['users', { deleted_at: 'now()', email_key: 'NULL' }],
  ['users', { password_hash: 'NULL' }],
  ['events', { latitude: `'-90'`, longitude: `'180.000000'` }],
  ['events', { latitude: 'NULL', longitude: 'NULL', client_id: 'NULL' }],
  ['work_shifts', { start_local: 'NULL', starts_at: 'NULL' }],
  ['work_shifts', { start_local: 'NULL', starts_at: 'NULL', end_local: 'NULL', ends_at: 'NULL', call_time_id: 'NULL' }],
  ['call_times', { pay_rate: '9999999999.99', staff_needed: String(limits.staffNeededMax) }],
  ['custom_fields', { type: `'select'`, options: `ARRAY['a', 'b']` }],
];

describe('checks', () => {
  test.each(refused)('%s refuses %j', async (table, row) => {
    expect(isCheckViolation(await failureOf(chain(table, row)))).toBe(true);
  });

  test.each(accepted)('%s accepts %j', async (table, row) => {
    expect(await failureOf(chain(table, row))).toBeNull();
  });
});

const hours = {
  start_local: `'2026-07-01 12:00'`,
  starts_at: `'2026-07-01 12:00Z'`,
  end_local: `'2026-07-01 20:00'`,
  ends_at: `'2026-07-01 20:00Z'`,
};

/** A good row of each table, as SQL expressions, in an order in which each can point to those before it. */
const rows: Record<string, Record<string, string>> = {
  businesses: { name: `'Acme'`, plan: `'free'` },
  users: {
    id: '1',
    name: `'Ann'`,
    first_name: `'Ann'`,
    last_name: `''`,
    email: `'Ann@example.com'`,
    role: `'staff'`,
    password_hash: `'$argon2id$'`,
  },
  personal_tokens: { user_id: '1', jti: 'gen_random_uuid()', expires_at: `now() + interval '1 hour'` },
  api_keys: { public_id: `'abc'`, name: `'key'`, secret_hash: `decode(repeat('00', 32), 'hex')`, last_four: `'abcd'` },
  positions: { id: '1', title: `'Usher'`, default_pay_rate: '0' },
  skill_levels: { id: '1', name: `'Lead'` },
  events: { id: '1', title: `'Gala'`, timezone: `'UTC'`, ...hours },
  call_times: { id: '1', event_id: '1', position_id: '1', skill_level_id: '1', staff_needed: '1', ...hours },
  work_shifts: { event_id: '1', call_time_id: '1', position_id: '1', user_id: '1', ...hours },
  custom_fields: { id: '1', name: `'Colour'`, type: `'text'`, options: `'{}'` },
  custom_field_values: { event_id: '1', custom_field_id: '1', value: `'red'` },
  idempotency_keys: { key: `'k'`, operation: `'events.create'`, fingerprint: `decode(repeat('00', 32), 'hex')` },
  audit_entries: { action: `'users.create'`, outcome: `'done'`, actor_kind: `'operator'` },
  business_revisions: { revision: '1' },
  event_tallies: { status: `'active'`, delta: '1' },
};
const tenantTables = Object.keys(rows).filter((table) => table !== 'businesses');

const business = (id: number) => insert('businesses', { id: String(id) });

function insert(table: string, changes: Record<string, string>): string {
  const row: Record<string, string> = {
    ...(table === 'businesses' ? { id: '1' } : { business_id: '1' }),
    ...rows[table],
    ...changes,
  };
  if (table === 'users') row['email_key'] ??= `lower(${row['email']})`;
  return `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).join(', ')})`;
}

/** Inserts a good row into every table before this one, then the changed row. */
function chain(table: string, changes: Record<string, string>): string {
  const before = Object.keys(rows).slice(0, Object.keys(rows).indexOf(table));
  return [...before.map((name) => insert(name, {})), insert(table, changes)].join(';\n');
}

const undo = new Error('undo');

/** What the statements fail with, or null; either way nothing of them stays. */
function failureOf(statements: string): Promise<unknown> {
  const attempt = database.prisma.$transaction(async (tx) => {
    for (const statement of statements.split(';')) await tx.$executeRawUnsafe(statement);
    throw undo;
  });
  return attempt.catch((error: unknown) => (error === undo ? null : error));
}

const query = <T>(sql: string) => database.prisma.$queryRawUnsafe<T[]>(sql);

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function loadTestUrl(): string {
  return process.env['TEST_DATABASE_URL'] ?? '';
}
