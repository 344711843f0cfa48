import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { loadConfig } from '../src/config/config.ts';
import { limits } from '../src/config/limits.ts';
import type { Database } from '../src/db/engine/database.ts';
import { openDatabase } from '../src/db/engine/open-database.ts';
import { schemaDrift } from '../src/bin/migration/drift.ts';
import { isCheckViolation, isForeignKeyViolation, isUniqueViolation } from '../src/db/engine/failures.ts';
import { columnOf, tables } from '../src/db/registry.ts';
import { insertRow, insertRowsBefore } from './support/good-rows.ts';

const serverUrl = loadTestUrl();
const databaseName = `callboard_migrations_${process.pid}`;
let database: Database;

beforeAll(async () => {
  if (serverUrl) await onServer(`CREATE DATABASE ${databaseName}`);
  const url = serverUrl && Object.assign(new URL(serverUrl), { pathname: databaseName }).href;
  const { db } = loadConfig(url ? { DATABASE_URL: url, JWT_SECRETS: `test:${'x'.repeat(32)}` } : {});
  database = await openDatabase(db, { openPglite: () => PGlite.create() });
  await database.migrate();
});

afterAll(async () => {
  await database.close();
  if (serverUrl) await onServer(`DROP DATABASE ${databaseName}`);
});

test('the migrations lead to schema.prisma', async () => {
  expect(await schemaDrift()).toBe('');
});

test('a migrated database has nothing pending, and migrating it again does nothing', async () => {
  expect((await database.schemaState()).pending).toEqual([]);
  expect(await database.migrate()).toEqual([]);
});

test('a row that refers to another business is refused', async () => {
  const error = await failureOf(`
    ${business(1)}; ${business(2)}; ${insertRow('users')};
    ${insertRow('personal_tokens', { business_id: '2', user_id: '1' })}`);
  expect(isForeignKeyViolation(error)).toBe(true);
});

test('an e-mail is unique over all businesses, whatever its case', async () => {
  const error = await failureOf(`
    ${business(1)}; ${business(2)}; ${insertRow('users')};
    ${insertRow('users', { business_id: '2', email: `'ANN.1@example.com'` })}`);
  expect(isUniqueViolation(error, 'email_key')).toBe(true);
  expect(isUniqueViolation(error, 'users_email_key_key')).toBe(true);
  expect(isUniqueViolation(error, 'title')).toBe(false);
});

const chars = (count: number) => `repeat('é', ${count})`;
const noonTo = (end: string) => ({ ends_at: `'2026-07-01 ${end}Z'` });

/** Every text whose length the registry bounds. */
const lengthCases = tables.flatMap(({ table, texts }) =>
  Object.entries(texts).flatMap(([field, rule]) =>
    // The CHECK of an e-mail refuses the character that is repeated here; cases below try its length.
    typeof rule === 'string' || field === 'email' ? [] : [{ table, column: columnOf(field), max: rule.maxChars }],
  ),
);

describe('texts', () => {
  test.each(lengthCases)('$table.$column accepts at most $max characters', async ({ table, column, max }) => {
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
  ['work_shifts', { override_reason: `''` }],
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

const business = (id: number) => insertRow('businesses', {}, id);

/** Inserts a good row into every table before this one, then the changed row. */
const chain = (table: string, changes: Record<string, string>): string =>
  [...insertRowsBefore(table), insertRow(table, changes)].join(';\n');

const undo = new Error('undo');

/** Returns the error of the statements, or null; they are always rolled back. */
function failureOf(statements: string): Promise<unknown> {
  const attempt = database.prisma.$transaction(async (tx) => {
    for (const statement of statements.split(';')) await tx.$executeRawUnsafe(statement);
    throw undo;
  });
  return attempt.catch((error: unknown) => (error === undo ? null : error));
}

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
