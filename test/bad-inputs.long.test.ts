import { describe } from '@jest/globals';
import { body } from './support/bad-input-body.ts';
import { credentials } from './support/bad-input-credentials.ts';
import { encoding } from './support/bad-input-encoding.ts';
import { graphql } from './support/bad-input-graphql.ts';
import { http } from './support/bad-input-http.ts';
import { logins } from './support/bad-input-login.ts';
import { query } from './support/bad-input-query.ts';
import { bearsBadInput, type BadInput } from './support/bad-input.ts';

/* Bad input, row by row. What needs more than one request has a test of its own elsewhere. */

/** Rows by section. */
const sections: Readonly<Record<string, readonly BadInput[]>> = {
  Http: http,
  Body: body,
  Encoding: encoding,
  'Query/path': query,
  Login: logins,
  Credentials: credentials,
  Graphql: graphql,
};

describe.each(Object.entries(sections))('%s', (_section, rows) => {
  bearsBadInput(rows);
});
