import { existsSync, readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Prisma } from '../src/generated/prisma/client.ts';
import { movedTables } from '../src/db/business-rows.ts';
import { columnOf, tables } from '../src/db/registry.ts';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { createOddBusiness, exportFrom, linesIn, newFile, storedRows, withoutMove } from './support/moving-business.ts';

/* The file of a business: which tables it has, all rows of one business and none of another, and no secret in plain text. */

let source: TestApp;
let tenant: Tenant;
let other: Tenant;
let file: string;

beforeAll(async () => {
  source = await startApp();
  tenant = await createOddBusiness(source, 1);
  other = await createOddBusiness(source, 2);
  file = await exportFrom(source, tenant.business.id);
});

afterAll(() => source.close());

const businessId = () => tenant.business.id;

describe('the tables that move', () => {
  test('are all tables of businesses, save those that say why they stay behind', () => {
    const staying = tables.filter(({ staysBehind }) => staysBehind !== null);
    expect(movedTables.map(({ name }) => name)).toEqual(
      tables
        .filter(({ table, businessField }) => businessField !== null && !staying.some((each) => each.table === table))
        .map(({ table }) => table),
    );
    expect(staying.map(({ table }) => table)).toEqual([
      'personal_tokens',
      'sessions',
      'invitations',
      ...['mails', 'mail_cursors', 'attendance_attempts'],
      'idempotency_keys',
      'business_revisions',
      'event_tallies',
      'list_tallies',
      'event_staffing',
      'position_staffing',
    ]);
    for (const { staysBehind } of staying) expect(staysBehind).toMatch(/^[A-Z].{20,}\.$/);
  });

  test('come behind those that they refer to', async () => {
    const keys = await source.prisma.$queryRawUnsafe<{ from: string; to: string }[]>(
      `SELECT conrelid::regclass::text AS "from", confrelid::regclass::text AS "to" FROM pg_constraint WHERE contype = 'f'`,
    );
    const place = (table: string) => movedTables.findIndex(({ name }) => name === table);
    expect(keys.length).toBeGreaterThan(20);
    for (const { from, to } of keys)
      if (place(from) >= 0) expect([from, to, place(to) < place(from)]).toEqual([from, to, true]);
  });

  test('name every secret, every value that is unique over all businesses, and every sequence', async () => {
    const named = tables.flatMap(({ table, secrets }) =>
      Object.keys(secrets).map((field) => `${table}.${columnOf(field)}`),
    );
    const columns = movedTables.flatMap(({ name, columns: all }) => all.map((column) => `${name}.${column}`));
    const looksSecret = columns.filter(
      (column) => /secret|password|hash|token/.test(column) && !column.endsWith('expires_at'),
    );
    expect(looksSecret.sort()).toEqual(named.sort());

    const unique = await source.prisma.$queryRawUnsafe<{ table: string; column: string }[]>(
      `SELECT i.indrelid::regclass::text AS "table", a.attname::text AS "column"
         FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
         JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
        WHERE i.indisunique AND c.relnamespace = current_schema()::regnamespace AND a.attname <> 'business_id'`,
    );
    const moved = new Map(movedTables.map((table) => [table.name, table]));
    expect(
      unique
        .flatMap(({ table, column }) => (moved.has(table) && table !== 'businesses' ? [`${table}.${column}`] : []))
        .sort(),
    ).toEqual(
      movedTables.flatMap(({ name, globallyUnique }) => globallyUnique.map((column) => `${name}.${column}`)).sort(),
    );

    const sequences = await source.prisma.$queryRawUnsafe<{ name: string }[]>(
      `SELECT sequencename::text AS name FROM pg_sequences WHERE schemaname = current_schema()`,
    );
    const advanced = movedTables.flatMap(({ name, sequences: own }) =>
      Object.entries(own).map(([column, sequence]) => sequence ?? `${name}_${column}_seq`),
    );
    const ofStaying = tables.filter(({ staysBehind }) => staysBehind !== null).map(({ table }) => `${table}_id_seq`);
    expect(
      sequences
        .map(({ name }) => name)
        .filter((name) => !ofStaying.includes(name))
        .sort(),
    )
      // Attendance has the number of its shift.
      .toEqual(advanced.filter((name) => name !== 'attendance_id_seq').sort());
  });
});

describe('the file', () => {
  test('has every row of the business and none of another, and is readable for its owner only', async () => {
    const lines = linesIn(readFileSync(file));
    const counts: Record<string, number> = {};
    for (const line of lines.slice(1, -1))
      for (const name of Object.keys(JSON.parse(line) as object)) counts[name] = (counts[name] ?? 0) + 1;
    const stored = withoutMove(await storedRows(source, businessId()));
    expect(counts).toEqual(Object.fromEntries(Object.entries(stored).map(([name, rows]) => [name, rows.length])));
    expect(Object.values(counts).every((count) => count > 0)).toBe(true);
    expect(Object.keys(counts)).toHaveLength(movedTables.length);
    const text = lines.join('\n');
    for (const row of Object.values(await storedRows(source, other.business.id)).flat())
      if (typeof row['uuid'] === 'string') expect(text).not.toContain(row['uuid']);
    expect(text).not.toContain(other.admin.email);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('holds no secret in plain text', async () => {
    const text = linesIn(readFileSync(file)).join('\n');
    expect(text).not.toContain('$argon2');
    expect(text).not.toContain('whsec_');
    expect(text).not.toContain(Buffer.from(tenant.apiKey.secretHash).toString('hex'));
    const without = linesIn(readFileSync(await exportFrom(source, businessId(), null))).join('\n');
    expect(without).toContain('"password_hash":null');
    expect(without).not.toMatch(/"(secret_hash|secret|previous_secret)":[^n]/);
  });

  test('overwrites no other one, and is not made of a business that does not exist', async () => {
    const { exportBusiness } = await import('../src/bin/business-file/export.ts');
    const again = exportBusiness(source.prisma, source.database.config(), {
      businessId: businessId(),
      file,
      key: null,
    });
    await expect(again).rejects.toMatchObject({ code: 'CONFLICT' });
    const none = newFile();
    await expect(
      exportBusiness(source.prisma, source.database.config(), { businessId: 2, file: none, key: null }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(existsSync(none)).toBe(false);
  });
});

test('every column of a table is in its rows', () => {
  for (const { model, table, businessField } of tables) {
    const moved = movedTables.find(({ name }) => name === table);
    const fields = Object.keys(Prisma[`${model}ScalarFieldEnum`]).filter((field) => field !== businessField);
    if (moved) expect(moved.columns).toEqual(fields.map(columnOf));
  }
});
