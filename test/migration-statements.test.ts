import { describe, expect, test } from '@jest/globals';
import { loadModule, parseSync } from 'libpg-query';
import { takeIndexes } from '../src/bin/migration/drift.ts';
import { inTransaction, loneStatementOf, statementsOf } from '../src/db/migrations/migration-statements.ts';
import { readMigrations } from '../src/db/migrations/migrations.ts';

/* Indexes of tables that are there already: each in a migration of its own, outside of a transaction. */

await loadModule();

/** The last migration that was published before this rule. Those up to it stay as they are, byte for byte. */
const lastWithoutRule = '20261125080618_statistics_by_rows';

/** What a migration does that would hold up writes, or fail in a transaction. */
function findMixed(sql: string): string[] {
  const made = new Set<string>();
  const statements = (parseSync(sql).stmts ?? []).flatMap(({ stmt }) => (stmt ? [stmt] : []));
  return statements.flatMap((statement) => {
    if ('CreateStmt' in statement) made.add(statement.CreateStmt.relation?.relname ?? '');
    const isAlone = statements.length === 1;
    if ('DropStmt' in statement && statement.DropStmt.concurrent && !isAlone)
      return ['an index is dropped concurrently'];
    if (!('IndexStmt' in statement)) return [];
    const { relation, concurrent = false, idxname = 'an index' } = statement.IndexStmt;
    if (concurrent) return isAlone ? [] : [`${idxname} is made concurrently beside other statements`];
    return made.has(relation?.relname ?? '')
      ? []
      : [`${idxname} stops writes to ${relation?.relname} while it is made`];
  });
}

test('a new migration makes an index of a table that is there already concurrently, and alone', async () => {
  const mixed = (await readMigrations())
    .filter(({ name }) => name > lastWithoutRule)
    .flatMap(({ name, script }) => findMixed(script).map((fault) => `${name}: ${fault}`));
  expect(mixed).toEqual([]);
});

test.each([
  ['CREATE INDEX "i" ON "events"("city")', ['i stops writes to events while it is made']],
  ['CREATE INDEX CONCURRENTLY "i" ON "events"("city"); SELECT 1', ['i is made concurrently beside other statements']],
  ['DROP INDEX CONCURRENTLY "i"; SELECT 1', ['an index is dropped concurrently']],
  ['CREATE INDEX CONCURRENTLY "i" ON "events"("city")', []],
  ['CREATE TABLE "halls" ("id" INTEGER); CREATE INDEX "i" ON "halls"("id")', []],
])('%s is judged', (sql, faults) => {
  expect(findMixed(sql)).toEqual(faults);
});

test('statements are told apart, whatever their texts, names and bodies hold', () => {
  const statements = [
    `INSERT INTO "a;b" VALUES ('c;''d', E'e\\';f')`,
    `DO $body$ BEGIN PERFORM 1; END $body$`,
    `CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1; $$`,
  ];
  expect(statementsOf(`-- one; two\n${statements.join(';\n/* three; */\n')};\n`)).toEqual(statements);
});

describe('a statement of its own', () => {
  test.each([
    ['CREATE INDEX CONCURRENTLY "i" ON "events"("city")', '"i"', false],
    ['-- Why.\ncreate unique index concurrently if not exists i on only events (city);\n', 'i', true],
    ['CREATE INDEX CONCURRENTLY ON "events"("city")', null, false],
    ['DROP INDEX CONCURRENTLY IF EXISTS "i"', null, true],
  ])('%s is found', (sql, created, keepsFinished) => {
    expect(loneStatementOf(sql, null)).toMatchObject({ created, keepsFinished });
    expect(inTransaction(sql)).not.toMatch(/concurrently/i);
  });

  test.each([
    'CREATE INDEX "i" ON "events"("city")',
    'CREATE INDEX CONCURRENTLY "i" ON "events"("city"); SELECT 1',
    '-- CREATE INDEX CONCURRENTLY "i" ON "events"("city")\nSELECT 1',
    `SELECT 'CREATE INDEX CONCURRENTLY'`,
  ])('%s is none, and stays as it is', (sql) => {
    expect(loneStatementOf(sql, null)).toBeNull();
    expect(inTransaction(sql)).toBe(sql);
  });

  test('names its schema, because behind a pooler it has no search path', () => {
    expect(loneStatementOf('CREATE INDEX CONCURRENTLY "i" ON ONLY "events"("city")', 'a"b')).toMatchObject({
      sql: 'CREATE INDEX CONCURRENTLY "i" ON ONLY "a""b"."events"("city")',
      created: '"a""b"."i"',
    });
    expect(loneStatementOf('DROP INDEX CONCURRENTLY "i"', 'a')?.sql).toBe('DROP INDEX CONCURRENTLY "a"."i"');
  });
});

describe('npm run migration', () => {
  const index = (name: string, table: string, kind = 'INDEX') =>
    `-- CreateIndex\nCREATE ${kind} "${name}" ON "${table}"("business_id");`;
  const drop = (name: string) => `-- DropIndex\nDROP INDEX "${name}";`;
  const addColumn = '-- AlterTable\nALTER TABLE "events" ADD COLUMN     "hue" TEXT;';

  test('writes an index of a table that is there into a migration of its own, and drops one after that', () => {
    const sql = [drop('old'), addColumn, index('new', 'events'), index('first', 'halls')].join('\n\n');
    expect(takeIndexes(sql, ['events'])).toEqual({
      rest: `${addColumn}\n\n${index('first', 'halls')}\n`,
      alone: [
        'CREATE INDEX CONCURRENTLY IF NOT EXISTS "new" ON "events"("business_id");\n',
        'DROP INDEX CONCURRENTLY IF EXISTS "old";\n',
      ],
    });
  });

  test.each([
    ['takes the place of another of its name', [drop('same'), index('same', 'events')]],
    [
      'may serve a foreign key',
      [
        index('key', 'events', 'UNIQUE INDEX'),
        '-- AddForeignKey\nALTER TABLE "a" ADD CONSTRAINT "f" FOREIGN KEY ("b")',
      ],
    ],
  ])('leaves an index where it is that %s', (_, parts) => {
    const sql = `${parts.join('\n\n')}\n`;
    expect(takeIndexes(sql, ['events'])).toEqual({ rest: sql, alone: [] });
  });
});
