import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

/*
 * Queries take their rows from the named sources of db/sources.ts, which bind the business and what the caller may see, and places are
 * written where offers and swaps follow.
 */

const folder = new URL('../src/db/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'sources.ts');

const schema = readFileSync(new URL('../prisma/schema.prisma', import.meta.url), 'utf8');
const tables = [...schema.matchAll(/@@map\("(\w+)"\)/g)].map(([, table]) => String(table));

/** Tables that one file alone reads and writes, with its own conditions. */
const owners: Record<string, string[]> = {
  // A job closes the forgotten check-outs of all businesses, and deletes old counts of wrong codes.
  'attendance.ts': ['attendance', 'attendance_attempts', 'events', 'work_shifts'],
  // Feeds of deleted users are deleted in all businesses.
  'feeds.ts': ['feeds', 'users'],
  'audit-entries.ts': ['audit_entries'],
  'change-log.ts': ['business_revisions', 'commits', 'row_changes'],
  'history.ts': ['commits', 'row_changes'],
  'idempotency-keys.ts': ['idempotency_keys'],
  // One row for all businesses; the derivation of instants goes through them one by one.
  'tz-state.ts': ['businesses', 'tz_state'],
  // The settings of a business, and what its triggers keep of them beside its events.
  'businesses.ts': ['businesses', 'events'],
  // The newest revisions of the businesses whose streams this process serves.
  'revisions.ts': ['business_revisions'],
  'webhooks.ts': ['webhook_attempts', 'webhook_endpoints', 'webhook_messages'],
  // Jobs deliver to all businesses; what they read and write of one names it.
  'webhook-delivery.ts': [
    ...['business_revisions', 'businesses', 'webhook_attempts', 'webhook_endpoints', 'webhook_messages'],
  ],
  // Figures of the whole database, for the metrics.
  'operating-figures.ts': ['backup_state'],
  // Jobs end the offers and swaps of all businesses, and delete old ones.
  'offers.ts': ['offer_recipients', 'offers', 'shift_swaps'],
  'swaps.ts': ['shift_swaps'],
  // A job counts for all businesses.
  'outdated-staffing.ts': ['position_staffing', 'positions'],
  // Jobs send the mails of all businesses; what they read and write of one names it.
  'mails.ts': ['businesses', 'mail_cursors', 'mails', 'offer_recipients', 'users'],
  'mails-due.ts': ['business_revisions', 'businesses', 'invitations', 'mail_cursors', 'mails'],
  // The log-ins of demo businesses are public, whichever business they belong to.
  'demo-users.ts': ['users', 'businesses'],
};

/** Files whose queries count or compare rows of the whole business, or join rows to visible ones. */
const readers: Record<string, string[]> = {
  'actual-hours.ts': ['attendance'],
  'attendance.ts': ['attendance', 'events', 'positions', 'users', 'work_shifts'],
  // Staff change no plan: who does sees all shifts of the business.
  'attendance-plan.ts': ['attendance', 'events', 'positions', 'users', 'work_shifts'],
  'call-times.ts': ['list_tallies', 'positions', 'work_shifts'],
  'candidates.ts': ['attendance', 'events', 'users', 'work_shifts'],
  // The table of any plain catalog.
  'catalogs.ts': ['table'],
  'changes.ts': ['events', 'work_shifts'],
  'clashes.ts': ['events', 'work_shifts'],
  'conflicts.ts': ['events', 'work_shifts'],
  'coverage.ts': ['attendance', 'event_staffing', 'position_staffing', 'work_shifts'],
  'custom-field-definitions.ts': ['custom_field_values'],
  'custom-field-values.ts': ['custom_field_values', 'custom_fields'],
  'events-children.ts': ['call_times', 'work_shifts'],
  'events-filter.ts': ['call_times', 'custom_field_values', 'custom_fields', 'event_staffing', 'events', 'work_shifts'],
  'events.ts': ['event_tallies'],
  // What a shift is, who works it, and what its call time says.
  'feeds.ts': ['call_times', 'positions', 'users'],
  'history.ts': ['events', 'work_shifts'],
  'labour-cost.ts': ['attendance', 'call_times', 'event_staffing', 'position_staffing', 'positions', 'work_shifts'],
  'mails.ts': ['events', 'work_shifts'],
  'mails-due.ts': [
    'call_times',
    'events',
    'offer_recipients',
    'offers',
    'positions',
    'shift_swaps',
    'users',
    'work_shifts',
  ],
  'payroll.ts': ['events', 'positions', 'users', 'work_shifts'],
  'offers.ts': [
    ...['attendance', 'call_times', 'events', 'offer_recipients', 'offers', 'positions', 'users', 'work_shifts'],
  ],
  'swaps.ts': ['call_times', 'events', 'positions', 'shift_swaps', 'users', 'work_shifts'],
  'swaps-options.ts': ['events', 'positions', 'users', 'work_shifts'],
  'pay.ts': ['position_rates'],
  // When shifts start that the caller has read.
  'place-times.ts': ['call_times', 'events', 'work_shifts'],
  'positions.ts': ['position_rates', 'positions'],
  // The table that has the names of the groups.
  'qualification-gaps.ts': [...['events', 'qualifications', 'requirements', 'user_qualifications', 'work_shifts']],
  'reports.ts': ['table'],
  'requirements.ts': ['requirements'],
  'retime.ts': ['call_times', 'events', 'work_shifts'],
  // Admins see all rows of the business, and the history tells them the names of these rows: `table` is any of the change log.
  'row-names.ts': [
    ...[
      'call_times',
      'custom_fields',
      'offer_recipients',
      'positions',
      'qualifications',
      'requirements',
      'shift_swaps',
      'table',
      'user_qualifications',
    ],
    ...['users', 'work_shifts'],
  ],
  'staff-facts.ts': ['events', 'table', 'work_shifts'],
  'staffing.ts': ['events', 'work_shifts'],
  // What follows a change holds for the whole business, whoever makes it.
  'unsettled.ts': ['call_times', 'events', 'offer_recipients', 'offers', 'shift_swaps', 'users', 'work_shifts'],
  'user-qualifications.ts': ['user_qualifications', 'users'],
  'users.ts': ['work_shifts'],
  'work-report.ts': ['positions', 'work_shifts'],
  'work-shifts-pages.ts': ['list_tallies'],
  'work-shifts.ts': ['positions', 'users'],
};

const anyTable = tables.join('|');
/** A table behind a keyword or a comma of SQL, or in a fragment of its own. */
const inSql = new RegExp(
  `\\b(?:from|join|update|into|using|only)\\s+"?(${anyTable})\\b|,\\s*(${anyTable})\\s+(?:as\\s+)?[a-z]\\w*\\b|\\bPrisma\\.(?:sql|raw)\\W+(${anyTable})\\b`,
  'gi',
);

function tablesInSql(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return [...new Set([...code.matchAll(inSql)].map((match) => String(match.slice(1).find(Boolean))))].sort();
}

/** Tables that a file reads without regard to what the caller may see, also one that a variable names. */
const tablesOfBusiness = (source: string): string[] =>
  [...new Set([...source.matchAll(/rowsOfBusiness\(\s*\w+,\s*'?(\w+)/g)].map(([, table]) => String(table)))].sort();

test.each(files)('%s names no table but those it owns', (name) => {
  const source = readFileSync(new URL(name, folder), 'utf8');
  expect(tablesInSql(source)).toEqual((owners[name] ?? []).toSorted());
});

test.each(files)('%s reads rows of the whole business only where that is on purpose', (name) => {
  const source = readFileSync(new URL(name, folder), 'utf8');
  expect(tablesOfBusiness(source)).toEqual(readers[name] ?? []);
});

test('a table named in SQL is found, and the argument of a source is not', () => {
  const read = (sql: string) => `import { x } from './events.ts';\n// FROM events\nconst y = Prisma.sql\`${sql}\`;`;
  expect(tablesInSql(read('SELECT 1 FROM events e'))).toEqual(['events']);
  expect(tablesInSql(read('SELECT 1 FROM ${a} JOIN "work_shifts" s ON ${b}'))).toEqual(['work_shifts']);
  expect(tablesInSql(read('SELECT 1 FROM ${a}, users AS u'))).toEqual(['users']);
  expect(tablesInSql(read('UPDATE events SET title = 1'))).toEqual(['events']);
  expect(tablesInSql(read('positions'))).toEqual(['positions']);
  expect(tablesInSql(read("SELECT 1 FROM ${rowsOfBusiness(db, 'events', 'e')}"))).toEqual([]);
});

/** Events, call times and shifts are written by `writePlaces`, which notes what is to be settled. */
describe('places', () => {
  const root = new URL('../src/', import.meta.url);
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('generated/') && !name.startsWith('pages/'),
  );
  const writes = (source: string) =>
    [...source.matchAll(/(\S+)\.(?:event|callTime|workShift)\.(?:create|update|upsert|delete)/g)].map(([, by]) => by);
  const writesBySql = (source: string) =>
    /\b(?:updateRows|insertRows?)\(\s*\w+,\s*(?:table|'(?:events|call_times|work_shifts)')|\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+"?(?:events|call_times|work_shifts)\b/.test(
      source,
    );
  const read = (name: string) => readFileSync(new URL(name, root), 'utf8');
  /** They fill an empty database, or one that examples are read from. */
  const isFilling = (name: string) => name.startsWith('bin/seed/') || name.startsWith('bin/examples/');

  test('are written through the one function that notes them', () => {
    const others = sources.filter(
      (name) => !isFilling(name) && writes(read(name)).some((by) => !by?.endsWith(')') && by !== 'writing'),
    );
    expect(others).toEqual([]);
    expect(sources.filter((name) => writes(read(name)).length > 0).length).toBeGreaterThan(10);
  });

  test('are written by SQL of its own in few files only', () => {
    expect(sources.filter((name) => !isFilling(name) && writesBySql(read(name))).toSorted()).toEqual([
      // The keys by which resource ids are unique, in no column that anybody sees.
      'db/businesses.ts',
      // Notes what it moves.
      'db/events-children.ts',
      // A new event, at which nothing is offered.
      'db/events.ts',
      // Instants of new rules of time zones: who works when on the clocks of the event stays.
      'db/retime.ts',
    ]);
  });
});
