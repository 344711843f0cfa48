/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { listChartColumns, sumByLabel } from '../src/pages/playground/chart-columns.ts';
import { arrangeColumns, moveColumn } from '../src/pages/playground/table-columns.ts';
import { findTables } from '../src/pages/playground/tables.ts';
import { findBarriers } from './support/axe.ts';
import {
  admin,
  example,
  openPlayground,
  readEditor,
  rowsShown,
  runQuery,
  writeEditor,
} from './support/playground-page.ts';

const pages = openPlayground({ isAlone: true });

const headings = (page: Page) =>
  page
    .locator('.pg-table thead th')
    .evaluateAll((all) => all.map((each) => each.querySelector('button')!.getAttribute('aria-label')));
const widthOf = async (page: Page, column: string) =>
  (await page.locator(`.pg-table th[data-column="${column}"]`).boundingBox())!.width;
const table = (...items: object[]) => findTables({ items })[0]!;

describe('columns', () => {
  test('go to the place of another one, and new ones stand last', () => {
    expect(moveColumn(['a', 'b', 'c'], 'a', 'c')).toEqual(['b', 'c', 'a']);
    expect(moveColumn(['a', 'b', 'c'], 'c', 'a')).toEqual(['c', 'a', 'b']);
    expect(arrangeColumns(['a', 'b', 'new'], ['b', 'gone', 'a'])).toEqual(['b', 'a', 'new']);
  });

  test('are moved and resized with the keyboard, and the CSV follows', async () => {
    const page = await pages.openAs(admin);
    await runQuery(page, '{ events { nodes { title city status } } }');
    await page.getByText('Columns', { exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Move status left' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect(await headings(page)).toEqual(['status', 'title', 'city']);
    const before = await widthOf(page, 'title');
    await page.getByRole('button', { name: 'Make title narrower' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    const narrowed = await widthOf(page, 'title');
    expect(narrowed).toBeLessThan(before - 60);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const stream = await (await download).createReadStream();
    expect((await stream.toArray()).join('').replace('\uFEFF', '')).toMatch(/^status,title,city\r\n/);
    await page.getByRole('button', { name: 'All columns as they were' }).click();
    expect(await headings(page)).toEqual(['title', 'city', 'status']);
    expect(await widthOf(page, 'title')).toBeGreaterThan(narrowed + 60);
  });

  test('are dragged to another place and to another width; a click sorts still', async () => {
    const page = await pages.openAs(admin);
    await runQuery(page, '{ events { nodes { title city status } } }');
    const drag = async (from: string, toX: number, toY: number) => {
      await page.locator(from).hover();
      await page.mouse.down();
      await page.mouse.move(toX - 5, toY, { steps: 4 });
      await page.mouse.move(toX, toY);
      await page.mouse.up();
    };
    const status = (await page.locator('th[data-column=status]').boundingBox())!;
    await drag('th[data-column=title] button', status.x + 20, status.y + status.height / 2);
    expect(await headings(page)).toEqual(['city', 'status', 'title']);
    expect(await page.locator('th[aria-sort]').count()).toBe(0);
    const city = (await page.locator('th[data-column=city]').boundingBox())!;
    await drag('th[data-column=city] .pg-edge', city.x + city.width + 120, city.y + city.height / 2);
    expect(await widthOf(page, 'city')).toBeGreaterThan(city.width + 80);
    await page.getByRole('columnheader', { name: 'status' }).getByRole('button').click();
    expect(await page.locator('th[aria-sort=ascending]').getAttribute('data-column')).toBe('status');
  });
});

test.each(['light', 'dark'] as const)('the result can have the window for itself, in %s', async (colorScheme) => {
  const page = await pages.openAs(admin);
  await page.emulateMedia({ colorScheme });
  await rowsShown(page);
  const only = page.getByRole('button', { name: 'Result only' });
  await only.click();
  for (const width of [1440, 1024, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    expect((await page.locator('.pg-results').boundingBox())!.width).toBe(width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  expect(await page.getByRole('button', { name: 'Run' }).isVisible()).toBe(false);
  await page.getByText('Columns', { exact: true }).click();
  expect(await findBarriers(page)).toEqual([]);
  await only.click();
  await page.getByRole('button', { name: 'Run' }).waitFor();
});

describe('a chart of any table', () => {
  test('groups by dates first, adds up numbers, and leaves out identifiers and rates', () => {
    const items = table(
      { id: 'x1', start: '2026-01-02 10:00:00', city: 'Boston', needed: 2, payRate: '20.00', zip: 1 },
      { id: 'x2', start: '2026-01-02 18:00:00', city: null, needed: 3, payRate: '21.00', zip: 2 },
      { id: 'x3', start: '2026-01-04 18:00:00', city: 'Boston', needed: 4, payRate: '21.00', zip: 3 },
    );
    expect(listChartColumns(items)).toEqual({ labels: ['start', 'city'], values: ['needed'] });
    const read = (label: string) =>
      sumByLabel(items, { label, value: 'needed' }).bars.map((bar) => [bar.label, bar.total]);
    expect(read('start')).toEqual([
      ['2026-01-02', 5],
      ['2026-01-04', 4],
    ]);
    expect(read('city')).toEqual([
      ['Boston', 6],
      ['(none)', 3],
    ]);
    expect(listChartColumns(table({ title: 'a', id: 'x' }, { title: 'b', id: 'y' }))).toBeNull();
    expect(listChartColumns(table({ title: 'a', left: -1 }, { title: 'b', left: 2 }))).toBeNull();
  });

  test('shows what the user chooses, as a line over days or as bars', async () => {
    const page = await pages.openAs(admin);
    await runQuery(page, '{ events(first: 40) { nodes { title city start { local } coverage { needed open } } } }');
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.getByRole('img', { name: 'coverage.needed by start.local' }).locator('polyline').waitFor();
    await page.getByLabel('Sum of').selectOption('coverage.open');
    await page.getByRole('combobox', { name: 'by', exact: true }).selectOption('city');
    const image = page.getByRole('img', { name: 'coverage.open by city' });
    await image.locator('rect[data-series=value]').first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });
});

describe('a refusal', () => {
  test('at the rate limit is told once, and Run waits', async () => {
    const { as } = await pages.service.createTenant('free');
    const page = await pages.openWith(as.key, /status of 429/);
    await runQuery(page, '{ positions { title } }');
    for (let left = 60; left > 0; left--) await pages.service.graphql('{ rateLimit { remaining } }', { as: as.key });
    await page.getByRole('button', { name: 'Run' }).click();
    const wait = page.getByRole('button', { name: /^Run in \d+ s$/ });
    await wait.waitFor();
    expect(await wait.isDisabled()).toBe(true);
    expect(await page.locator('.pg-errors').innerText()).toMatch(
      /^Your business has reached its rate limit\. .* in \d+ s\.$/,
    );
    await page.locator('.pg-editor .view-line').first().click();
    let sent = 0;
    page.on('request', (request) => (sent += request.url().endsWith('/graphql') ? 1 : 0));
    await page.keyboard.press('Control+Enter');
    await page.waitForTimeout(300);
    expect(sent).toBe(0);
    await page.evaluate(() => {
      const { now } = Date;
      Date.now = () => now() + 61_000;
    });
    await page.getByRole('button', { name: 'Run', exact: true }).and(page.locator(':enabled')).waitFor();
    const again = page.waitForRequest((request) => request.url().endsWith('/graphql'));
    await page.keyboard.press('Control+Enter');
    await again;
  });

  test('of what a role may not read names the role and examples for it', async () => {
    const page = await pages.openAs('staff@aurora.example');
    await rowsShown(page);
    await page.getByRole('button', { name: 'New query' }).click();
    await writeEditor(page, 'operation.graphql', '{ positions { title } }');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('FORBIDDEN').waitFor();
    expect(await page.locator('.pg-errors').innerText()).toMatch(/Your role is staff\..*“My shifts”/s);
    expect(await page.getByRole('button', { name: 'Download CSV' }).count()).toBe(0);
  });
});

test('examples are found by their words, and those with a chart are marked', async () => {
  const page = await pages.openAs(admin);
  await rowsShown(page);
  expect(await example(page, 'Coverage by day').innerText()).toContain('Chart');
  await page.getByRole('searchbox', { name: 'Search the examples' }).fill('book DOUBLE');
  expect(await page.locator('.pg-examples li').count()).toBe(1);
  await page.getByRole('searchbox', { name: 'Search the examples' }).fill('nothing like this');
  await page.getByText('No example matches.').waitFor();
});

test('the documentation lists types by name', async () => {
  const page = await pages.openAs(admin);
  await rowsShown(page);
  await page.getByRole('button', { name: 'Docs' }).click();
  await page.getByRole('link', { name: 'AuditEntry', exact: true }).waitFor();
  const names = await page.locator('.pg-drawer .graphiql-doc-explorer-type-name').allInnerTexts();
  const types = names.slice(names.indexOf('ApiKey'));
  expect(types.length).toBeGreaterThan(50);
  expect(types).toEqual(types.toSorted((a, b) => a.localeCompare(b, 'en')));
});

test('a field with fields of its own is completed with braces, and described beside the list', async () => {
  const page = await pages.openAs(admin);
  await rowsShown(page);
  await page.getByRole('button', { name: 'New query' }).click();
  await writeEditor(page, 'operation.graphql', '');
  await page.locator('.pg-editor .view-line').first().click();
  await page.keyboard.type('{ viewe');
  await page.locator('.suggest-widget .monaco-list-row', { hasText: 'viewer' }).first().waitFor();
  await page.locator('.suggest-details-container').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForTimeout(200);
  expect((await readEditor(page, 'operation.graphql')).replaceAll(/\s+/g, ' ')).toMatch(/^\{ viewer \{ .*\}/);
});
