import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { body } from './support/bad-input-body.ts';
import { credentials } from './support/bad-input-credentials.ts';
import { elsewhere } from './support/bad-input-elsewhere.ts';
import { events } from './support/bad-input-events.ts';
import { graphql } from './support/bad-input-graphql.ts';
import { http } from './support/bad-input-http.ts';
import { rateLimitInputs } from './support/bad-input-limits.ts';
import { logins } from './support/bad-input-login.ts';
import { query } from './support/bad-input-query.ts';
import { tenancy } from './support/bad-input-tenancy.ts';
import { times } from './support/bad-input-times.ts';
import { titles } from './support/bad-input-titles.ts';
import type { BadInput } from './support/bad-input.ts';

/** Rows by section, and the file that sends them. */
const tables: Readonly<Record<string, readonly [file: string, rows: readonly BadInput[]]>> = {
  Http: ['bad-inputs-http', http],
  Body: ['bad-inputs-body', body],
  'Query/path': ['bad-inputs-query', query],
  Events: ['bad-inputs-events', [...events, ...times]],
  Login: ['bad-inputs-login', logins],
  Credentials: ['bad-inputs-credentials', credentials],
  Tenancy: ['bad-inputs-tenancy', tenancy],
  Limits: ['bad-inputs-limits', rateLimitInputs],
  Graphql: ['bad-inputs-graphql', graphql],
};

const sourceOf = (file: string): string => {
  const url = new URL(`./${file}.test.ts`, import.meta.url);
  return existsSync(url) ? readFileSync(url, 'utf8') : '';
};

const rowsOf = (section: string) => tables[section]?.[1].map(({ title }) => title) ?? [];

describe.each(Object.keys(titles))('of the section %s', (section) => {
  const listed = titles[section] ?? [];

  test('every case has either a row or a test elsewhere', () => {
    const accounted = [...rowsOf(section), ...Object.keys(elsewhere).filter((title) => listed.includes(title))];
    expect(accounted.sort()).toEqual(listed.toSorted());
  });

  test('every row is sent', () => {
    const [file] = tables[section] ?? [];
    if (file) expect(sourceOf(file)).toContain(`bearsBadInput('${section}'`);
  });
});

test('every test elsewhere belongs to a case', () => {
  const all = Object.values(titles).flat();
  expect(Object.keys(elsewhere).filter((title) => !all.includes(title))).toEqual([]);
});

test.each(Object.entries(elsewhere))('%s: its test elsewhere exists', (_title, [file, title]) => {
  const source = sourceOf(file);
  expect({ file, title, isThere: [`'`, '"', '`'].some((quote) => source.includes(quote + title + quote)) }).toEqual({
    file,
    title,
    isThere: true,
  });
});
