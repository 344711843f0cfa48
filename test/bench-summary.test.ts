import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { summary } from './bench/summary.ts';

const guide = readFileSync(new URL('../src/guide/contributors.md', import.meta.url), 'utf8');

/** Without what aligns the columns. */
const plain = (text: string) => text.replaceAll(/ +/g, ' ').replaceAll(/-+/g, '-');

test('the table of goals in the guide for contributors is that of the published runs', () => {
  expect(summary().split('\n').length).toBeGreaterThan(40);
  expect(plain(guide)).toContain(plain(summary()));
});
