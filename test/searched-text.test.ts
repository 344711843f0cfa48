import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { indexedSearch } from '../src/db/searched-text.ts';

/* An index serves a search only if both have the same expression. */

const read = (name: string) =>
  readFileSync(new URL(`../prisma/migrations/${name}/migration.sql`, import.meta.url), 'utf8');

test('the indexes of searches have the expressions of the queries', () => {
  expect(read('20261126130100_folded_city')).toContain(`(${indexedSearch.city})`);
  const folded = read('20261126130200_folded_text');
  expect(folded).toContain(`(${indexedSearch.together})`);
  expect(folded).toContain(`WHERE NOT ${indexedSearch.isPlain}`);
});
