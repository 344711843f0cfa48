import { expect, test } from '@jest/globals';
import { readMigrations } from '../src/db/migrations/migrations.ts';
import { lastRelease } from './releases/kept.ts';
import { findMigrationBreaks } from './support/migration-breaks.ts';

/* Migrations since the last release only expand the schema, so that its processes serve on while they are replaced. */

/** The second step, to contract: what the last release does without, and why. Empty it after each release. */
const contracted: Readonly<Record<string, string>> = {
  'AT_DropConstraint of audit_entries.audit_entries_actor_kind_check': 'it is added again, and accepts more',
  'a constraint on audit_entries names no column that is added': 'it accepts what the one before accepted',
  'RenameStmt is not known to be harmless': 'the view that gets another name is younger than the last release',
  'the index events_business_id_starts_at_id_status_idx is dropped':
    'another has its columns in the same order, and more',
  'AT_DisableTrigUser of businesses.': 'for one statement of the same transaction, which holds the table',
  'AT_EnableTrigUser of businesses.': 'likewise',
  'AT_DisableTrigUser of work_shifts.': 'likewise',
  'AT_EnableTrigUser of work_shifts.': 'likewise',
  'AT_DisableTrigUser of call_times.': 'likewise',
  'AT_EnableTrigUser of call_times.': 'likewise',
  'the index work_shifts_business_id_position_id_idx is dropped': 'another begins with its columns',
  'AlterEnumStmt is not known to be harmless': 'the type is younger than the last release',
};

test('no migration since the last release takes anything from its processes', async () => {
  const since = (await readMigrations()).filter(({ name }) => !lastRelease.migrations.includes(name));
  const sql = since.map(({ script }) => script).join('\n');
  expect([...new Set(findMigrationBreaks(sql))]).toEqual(Object.keys(contracted));
});

const events = (change: string) => `ALTER TABLE "events" ${change}`;

test.each([
  [events('ADD COLUMN "hue" TEXT NOT NULL'), ['events.hue is required, and has no default']],
  [events('DROP COLUMN "room"'), ['AT_DropColumn of events.room']],
  [events('ALTER COLUMN "room" TYPE INTEGER USING 1'), ['AT_AlterColumnType of events.room']],
  [events('ALTER COLUMN "room" SET NOT NULL'), ['AT_SetNotNull of events.room']],
  [
    `${events(`ADD COLUMN "hue" TEXT NOT NULL DEFAULT 'red'`)}; ${events('ALTER COLUMN "hue" DROP DEFAULT')}`,
    ['AT_ColumnDefault of events.hue, which the version before does not write'],
  ],
  [events('ADD CONSTRAINT "c" CHECK (room <> \'\')'), ['a constraint on events names no column that is added']],
  ['CREATE UNIQUE INDEX ON "events" ("room")', ['a unique index on events names no column that is added']],
  ['ALTER TABLE "events" RENAME COLUMN "room" TO "hall"', ['RenameStmt is not known to be harmless']],
  ['DROP TABLE "events"', ['DropStmt is not known to be harmless']],
  ['DROP INDEX "events_room_key"', ['the index events_room_key is dropped']],
  ['DELETE FROM "events"', ['DeleteStmt is not known to be harmless']],
])('%s could break the version before', (sql, breaks) => {
  expect(findMigrationBreaks(sql)).toEqual(breaks);
});

test.each([
  events('ADD COLUMN "hue" TEXT'),
  `${events('ADD COLUMN "hue" TEXT')}; ${events('ADD CONSTRAINT "c" CHECK (hue <> \'\')')}`,
  `${events('ADD COLUMN "hue" TEXT')}; CREATE UNIQUE INDEX ON "events" ("business_id", "hue")`,
  `CREATE TABLE "halls" ("id" INTEGER); ALTER TABLE "halls" ALTER COLUMN "id" SET NOT NULL`,
  'CREATE INDEX ON "events" ("room")',
  events('SET (autovacuum_analyze_threshold = 1000)'),
])('%s takes nothing from it', (sql) => {
  expect(findMigrationBreaks(sql)).toEqual([]);
});
