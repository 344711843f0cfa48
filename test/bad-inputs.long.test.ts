import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { body } from './support/bad-input-body.ts';
import { credentials } from './support/bad-input-credentials.ts';
import { elsewhere } from './support/bad-input-elsewhere.ts';
import { encoding } from './support/bad-input-encoding.ts';
import { events } from './support/bad-input-events.ts';
import { graphql } from './support/bad-input-graphql.ts';
import { http } from './support/bad-input-http.ts';
import { logins } from './support/bad-input-login.ts';
import { query } from './support/bad-input-query.ts';
import { tenancy } from './support/bad-input-tenancy.ts';
import { bearsBadInput, type BadInput } from './support/bad-input.ts';

/* Bad input, row by row. Each case has a row here, or names its test elsewhere, which must exist. */

/** Rows by section. */
const sections: Readonly<Record<string, readonly BadInput[]>> = {
  Http: http,
  Body: body,
  Encoding: encoding,
  'Query/path': query,
  Events: events,
  Login: logins,
  Credentials: credentials,
  Tenancy: tenancy,
  Graphql: graphql,
};

describe.each(Object.entries(sections))('%s', (_section, rows) => {
  bearsBadInput(rows);
});

const sourceOf = (file: string): string => {
  const url = new URL(`./${file}.test.ts`, import.meta.url);
  return existsSync(url) ? readFileSync(url, 'utf8') : '';
};

test.each(Object.entries(elsewhere))('%s: its test elsewhere exists', (_title, [file, title]) => {
  const source = sourceOf(file);
  expect({ file, title, isThere: [`'`, '"', '`'].some((quote) => source.includes(quote + title + quote)) }).toEqual({
    file,
    title,
    isThere: true,
  });
});
