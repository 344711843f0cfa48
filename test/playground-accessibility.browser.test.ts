/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { admin, example, openPlayground, rowsShown } from './support/playground-page.ts';

const script = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const pages = openPlayground();

/** Violations of WCAG 2.2 AA and of best practice, one line for each element. */
async function findViolations(page: Page): Promise<string[]> {
  await page.waitForTimeout(250);
  await page.evaluate(script);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  });
}

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

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  test('axe finds nothing in any state', async () => {
    const page = await pages.openAs(admin);
    await page.emulateMedia({ colorScheme });
    await rowsShown(page);
    const found: string[] = [];
    for (const [name, enter] of states) {
      await enter(page);
      found.push(...(await findViolations(page)).map((line) => `${name}: ${line}`));
    }
    await page.setViewportSize({ width: 390, height: 844 });
    found.push(...(await findViolations(page)).map((line) => `phone: ${line}`));
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Or look around' }).waitFor();
    found.push(...(await findViolations(page)).map((line) => `log-in: ${line}`));
    expect(found).toEqual([]);
  });
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
