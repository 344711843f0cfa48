import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { diffRegistry, readColumns, type RegistryDiff } from '../src/bin/migration/registry-diff.ts';
import { triggersOf, type Query } from '../src/bin/migration/triggers.ts';
import { columnOf, registry, tables, toTable } from '../src/db/registry.ts';
import { openTestDatabase, type TestDatabase } from './support/database.ts';

/* The registry of tables, schema.prisma and the real database, with all migrations applied, say the same. */

let database: TestDatabase;
let query: Query;

beforeAll(async () => {
  database = await openTestDatabase();
  query = (sql) => database.prisma.$queryRawUnsafe(sql);
});

afterAll(() => database.close());

const change = async (sql: string): Promise<void> => {
  for (const statement of sql.split(';')) await database.prisma.$executeRawUnsafe(statement);
};

/** Differences that the comparison reports for a database with this change, which is undone afterwards. */
async function diffAfter(sql: string): Promise<RegistryDiff> {
  const undo = new Error('undo');
  let diff: RegistryDiff | undefined;
  const attempt = database.prisma.$transaction(async (tx) => {
    for (const statement of sql.split(';')) await tx.$executeRawUnsafe(statement);
    diff = await diffRegistry((read) => tx.$queryRawUnsafe(read));
    throw undo;
  });
  await expect(attempt).rejects.toBe(undo);
  return diff!;
}

describe('the real database', () => {
  test('has the triggers, CHECKs and settings of the registry: if not, `npm run migration -- <name>` says what to do', async () => {
    expect(await diffRegistry(query)).toEqual({ contradictions: [], statements: [], advice: [] });
  });

  test('has the tables of the registry, and schema.prisma maps each model to its own', async () => {
    const schema = await readFile(new URL('../prisma/schema.prisma', import.meta.url), 'utf8');
    const mapped = [...schema.matchAll(/^model (\w+) \{$.*?@@map\("(\w+)"\)/gms)].map(([, model, table]) => [
      model,
      table,
    ]);
    expect(tables.map(({ model, table }) => [model, table]).sort()).toEqual(mapped.sort());
    const stored = new Set((await readColumns(query)).map(({ table }) => table));
    expect([...stored].sort()).toEqual(tables.map(({ table }) => table).sort());
  });

  test('has the primary keys of the registry: (business_id, id), save for its exceptions', async () => {
    const keys = await query<{ table: string; columns: string[] }>(`
      SELECT c.relname::text AS "table",
             (SELECT array_agg(a.attname::text ORDER BY place) FROM unnest(k.conkey) WITH ORDINALITY u(number, place)
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = number) AS columns
        FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
       WHERE k.contype = 'p' AND c.relnamespace = current_schema()::regnamespace AND c.relname <> '_prisma_migrations'`);
    expect(Object.fromEntries(keys.map(({ table, columns }) => [table, columns]))).toEqual(
      Object.fromEntries(tables.map(({ table, key }) => [table, key.map(columnOf)])),
    );
    for (const { table, key, businessField } of tables)
      if (businessField !== null) expect([table, key[0]]).toEqual([table, businessField]);
  });

  test('carries the business in every foreign key', async () => {
    const keys = await query<{ name: string; from: string[]; to: string[]; target: string }>(`
      SELECT k.conname::text AS name, t.relname::text AS target,
        (SELECT array_agg(a.attname::text ORDER BY o) FROM unnest(k.conkey) WITH ORDINALITY u(n, o)
         JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = n) AS "from",
        (SELECT array_agg(a.attname::text ORDER BY o) FROM unnest(k.confkey) WITH ORDINALITY u(n, o)
         JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = n) AS "to"
      FROM pg_constraint k JOIN pg_class t ON t.oid = k.confrelid
      WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace`);
    expect(keys.length).toBeGreaterThan(tables.length);
    for (const { name, from, to, target } of keys)
      expect([name, from[0], to[0]]).toEqual([name, 'business_id', target === 'businesses' ? 'id' : 'business_id']);
  });
});

test('the triggers of the change log leave out every secret of a table, whether anybody has named it as unlogged or not', () => {
  const table = toTable('User', {
    ...registry.User,
    unlogged: [],
    secrets: { passwordHash: 'digest', phone: 'encrypted' },
  });
  const left = triggersOf(table).flatMap((trigger) => /log_\w+\('\{(.*)\}'\)/.exec(trigger)?.[1]?.split(',') ?? []);
  expect(left.filter((column) => column === 'password_hash')).toHaveLength(3);
  expect(left.filter((column) => column === 'phone')).toHaveLength(3);
  for (const { unlogged, secrets } of tables) expect(unlogged).toEqual(expect.arrayContaining(Object.keys(secrets)));
});

describe('the comparison', () => {
  const revision = (table: string) => [
    expect.stringMatching(`^CREATE CONSTRAINT TRIGGER revise_on_insert AFTER INSERT ON "${table}"`),
    expect.stringMatching(`^CREATE CONSTRAINT TRIGGER revise_on_update AFTER UPDATE ON "${table}"`),
    expect.stringMatching(`^CREATE CONSTRAINT TRIGGER revise_on_delete AFTER DELETE ON "${table}"`),
  ];
  const drop = (table: string, ...names: string[]) => names.map((name) => `DROP TRIGGER ${name} ON ${table}`).join(';');

  test.each<[string, string, unknown[]]>([
    [
      'writes a version trigger that is missing',
      drop('positions', 'count_version'),
      [expect.stringMatching('^CREATE TRIGGER count_version BEFORE UPDATE ON "positions"')],
    ],
    [
      'writes revision triggers that are missing',
      drop('users', 'revise_on_insert', 'revise_on_update', 'revise_on_delete'),
      revision('users'),
    ],
    [
      'writes the one of businesses',
      drop('businesses', 'revise'),
      [expect.stringMatching('^CREATE CONSTRAINT TRIGGER revise AFTER INSERT OR UPDATE ON "businesses"')],
    ],
    [
      'writes further triggers',
      drop('events', 'tally_changed'),
      [expect.stringMatching('^CREATE TRIGGER tally_changed AFTER UPDATE ON "events" REFERENCING')],
    ],
    [
      'drops a trigger that the registry does not ask for',
      'CREATE TRIGGER count_version BEFORE UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION count_version()',
      ['DROP TRIGGER "count_version" ON "api_keys";'],
    ],
    [
      'replaces a trigger that differs',
      `${drop('positions', 'count_version')};
       CREATE TRIGGER count_version AFTER UPDATE ON positions FOR EACH ROW EXECUTE FUNCTION count_version()`,
      [
        'DROP TRIGGER "count_version" ON "positions";',
        expect.stringMatching('^CREATE TRIGGER count_version BEFORE UPDATE ON "positions"'),
      ],
    ],
    [
      'writes after how many changed rows statistics are gathered',
      'ALTER TABLE events RESET (autovacuum_analyze_threshold)',
      ['ALTER TABLE "events" SET (autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=1000);'],
    ],
    [
      'writes a length check that is missing',
      'ALTER TABLE events DROP CONSTRAINT events_room_check, DROP CONSTRAINT events_timezone_check',
      [
        'ALTER TABLE "events" ADD CONSTRAINT "events_timezone_check" CHECK (char_length("timezone") BETWEEN 1 AND 64);',
        'ALTER TABLE "events" ADD CONSTRAINT "events_room_check" CHECK (char_length("room") <= 200);',
      ],
    ],
    [
      'replaces a length check that differs',
      `ALTER TABLE positions DROP CONSTRAINT positions_title_check;
       ALTER TABLE positions ADD CONSTRAINT titles CHECK (char_length(title) <= 100 AND title ~ '[^[:space:]]')`,
      [
        'ALTER TABLE "positions" DROP CONSTRAINT "titles";',
        `ALTER TABLE "positions" ADD CONSTRAINT "positions_title_check" CHECK (char_length("title") <= 200 AND "title" ~ '[^[:space:]]');`,
      ],
    ],
  ])('%s', async (_, sql, statements) => {
    expect(await diffAfter(sql)).toEqual({ contradictions: [], statements, advice: [] });
  });

  test.each<[string, string, string]>([
    [
      'a check that is more than a length is left to the author',
      `ALTER TABLE users DROP CONSTRAINT users_email_check;
       ALTER TABLE users ADD CONSTRAINT users_email_check CHECK (char_length(email) BETWEEN 1 AND 99 AND email <> 'x')`,
      'users.email: users_email_check differs from the registry',
    ],
    [
      'so is one that the registry leaves to the migration',
      'ALTER TABLE api_keys DROP CONSTRAINT api_keys_last_four_check',
      "api_keys.last_four has 'ownCheck' in the registry but no CHECK",
    ],
    [
      'a length that only the database knows is told',
      'ALTER TABLE audit_entries ADD CONSTRAINT brief CHECK (char_length(address) <= 50)',
      "audit_entries.address is 'unchecked' in the registry but has brief",
    ],
  ])('%s', async (_, sql, advice) => {
    expect(await diffAfter(sql)).toEqual({
      contradictions: [],
      statements: [],
      advice: [expect.stringContaining(advice)],
    });
  });

  test.each<[string, string, string]>([
    [
      'a text without a rule',
      'ALTER TABLE events ADD COLUMN parking_notes TEXT',
      'the text column parking_notes has no rule',
    ],
    ['a rule without its text', 'ALTER TABLE events DROP COLUMN room', 'names room, which is no text column of events'],
    [
      'a version that is not counted',
      'ALTER TABLE api_keys ADD COLUMN version INT NOT NULL DEFAULT 1',
      'ApiKey has a version',
    ],
    ['a versioned table without a version', 'ALTER TABLE users DROP COLUMN version', 'User is versioned'],
    ['a version that does not begin at 1', 'ALTER TABLE users ALTER COLUMN version SET DEFAULT 0', 'User is versioned'],
    [
      'a table that is not there',
      'ALTER TABLE audit_entries RENAME TO entries',
      'AuditEntry: the registry names the table',
    ],
  ])('%s is a contradiction', async (_, sql, contradiction) => {
    expect(await diffAfter(sql)).toEqual({
      contradictions: [expect.stringContaining(contradiction)],
      statements: [],
      advice: [],
    });
  });

  test('the statements that it writes lead to the registry', async () => {
    await change(`${drop('positions', 'count_version', 'revise_on_delete')}; ${drop('businesses', 'revise')};
      ALTER TABLE skill_levels DROP CONSTRAINT skill_levels_name_check`);
    const { statements } = await diffRegistry(query);
    expect(statements).toHaveLength(4);
    for (const statement of statements) await change(statement.replace(/;$/, ''));
    expect(await diffRegistry(query)).toEqual({ contradictions: [], statements: [], advice: [] });
  });
});
