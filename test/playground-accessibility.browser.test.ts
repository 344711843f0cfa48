/// <reference lib="dom" />
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findBarriers } from './support/axe.ts';
import { admin, example, openPlayground, rowsShown } from './support/playground-page.ts';

const pages = openPlayground({ isAlone: true });

const states: readonly [string, (page: Page) => Promise<unknown>][] = [
  ['table', (page) => page.locator('.pg-table').waitFor()],
  ['columns', (page) => page.getByText('Columns', { exact: true }).click()],
  ['cost', (page) => page.locator('.pg-cost summary').click()],
  ['JSON', (page) => page.getByRole('tab', { name: 'JSON' }).click()],
  ['docs', (page) => page.getByRole('button', { name: 'Docs' }).click()],
  ['type', (page) => page.getByRole('link', { name: 'Query', exact: true }).first().click()],
  ['history', (page) => page.getByRole('button', { name: 'History', exact: true }).click()],
  ['form', (page) => page.getByRole('button', { name: 'Form' }).click()],
  ['build', (page) => page.getByRole('button', { name: 'Build', exact: true }).click()],
  ['examples', (page) => page.getByRole('button', { name: 'Examples', exact: true }).click()],
  [
    'bars',
    async (page) => {
      await example(page, 'Labour cost by client').click();
      await page.getByRole('img', { name: 'Labour cost' }).waitFor();
    },
  ],
  [
    'lines',
    async (page) => {
      await example(page, 'Coverage by day').click();
      await page.locator('.pg-chart polyline').first().waitFor();
    },
  ],
];

test('axe finds nothing in any state, in light and in dark colours', async () => {
  const page = await pages.openAs(admin);
  await rowsShown(page);
  const found: string[] = [];
  const look = async (state: string) => {
    for (const [colorScheme, by] of [
      ['light', 'all rules'],
      ['dark', 'colours'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(250);
      found.push(...(await findBarriers(page, by)).map((line) => `${state}, ${colorScheme}: ${line}`));
    }
  };
  for (const [name, enter] of states) {
    await enter(page);
    await look(name);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await look('phone');
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Or look around' }).waitFor();
  await look('log-in');
  expect(found).toEqual([]);
});

test('the skip links lead to the query and to the result', async () => {
  const page = await pages.openAs(admin);
  await rowsShown(page);
  for (const part of ['query', 'result']) {
    await page.getByRole('link', { name: `Skip to the ${part}` }).focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(`${part}-section`);
  }
});
