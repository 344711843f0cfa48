/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { parse as parseCsv } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { admin, example, openPlayground, readEditor, rowsShown, runQuery } from './support/playground-page.ts';

const pages = openPlayground({ isAlone: true });

const headings = (page: Page) =>
  page
    .getByRole('columnheader')
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));

const lines = (page: Page) => page.locator('#result-panel .pg-table tbody tr');

const cellTexts = (page: Page) =>
  lines(page).evaluateAll((rows) =>
    rows.map((row) => [...(row as HTMLTableRowElement).cells].map((cell) => cell.innerText.trim())),
  );

async function downloadCsv(page: Page, button = 'Download CSV'): Promise<{ name: string; rows: string[][] }> {
  const arrival = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  const download = await arrival;
  const rows = parseCsv(await readFile(await download.path(), 'utf8'), { bom: true }) as string[][];
  return { name: download.suggestedFilename(), rows };
}

describe('a table', () => {
  test('of a nested list begins with its own columns, at its beginning, and keeps the first one in sight', async () => {
    const page = await pages.openAs(admin);
    await rowsShown(page);
    const body = page.locator('.pg-body');
    await body.evaluate((element) => element.scrollTo(500, 40));
    await page.getByLabel('List').selectOption('events.nodes.workShifts');
    expect((await headings(page)).slice(0, 3)).toEqual([
      'workShifts.firstName',
      'workShifts.lastName',
      'workShifts.position.title',
    ]);
    expect(await headings(page)).toContain('title');
    expect(await body.evaluate(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop])).toEqual([0, 0]);
    await body.evaluate((element) => element.scrollTo(400, 0));
    const [first, pane] = await Promise.all([
      lines(page).first().locator('td').first().boundingBox(),
      body.boundingBox(),
    ]);
    expect(Math.abs(first!.x - pane!.x)).toBeLessThan(3);
  });

  test('can be filtered, and its columns hidden; totals, CSV and TSV follow what is in sight', async () => {
    const page = await pages.openAs(admin);
    await runQuery(
      page,
      '{ events(perPage: 40) { nodes { title city coverage { open } callTimes { staffNeeded } } } }',
    );
    const city = (await cellTexts(page))
      .map((cells) => cells[1]!)
      .find((text) => text !== '–\nnothing' && text !== '')!;
    await page.getByRole('searchbox', { name: 'Filter rows' }).fill(city.toUpperCase());
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'callTimes' }).uncheck();
    await page.getByText('3 of 4 columns').click();
    await page.getByRole('columnheader', { name: 'coverage.open' }).getByRole('button').click();
    const shown = await cellTexts(page);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.every((cells) => cells.join(' ').includes(city))).toBe(true);
    const total = shown.reduce((sum, cells) => sum + Number(cells[2]), 0);
    if (shown.length > 1) expect(await page.locator('.pg-table tfoot td').last().innerText()).toBe(String(total));
    const { name, rows } = await downloadCsv(page);
    expect(name).toMatch(/^Query-events-\d{4}-\d\d-\d\d\.csv$/);
    expect(rows).toEqual([['title', 'city', 'coverage.open'], ...shown]);
    await page.getByRole('button', { name: 'Copy as TSV' }).click();
    await page.getByText(/rows? copied/).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.split('\n').map((line) => line.split('\t'))).toEqual(rows);
  });

  test('of an example that the service cannot write as CSV is downloaded all the same', async () => {
    const page = await pages.openAs(admin);
    await rowsShown(page);
    for (const list of ['events.nodes', 'events.nodes.callTimes', 'events.nodes.workShifts']) {
      await page.getByLabel('List').selectOption(list);
      const { rows } = await downloadCsv(page);
      expect(rows[0]).toEqual(await headings(page));
      expect(rows.length - 1).toBe(await lines(page).count());
    }
  });

  test('shows what stands beside its list, the rest on demand', async () => {
    const page = await pages.openAs(admin);
    await rowsShown(page);
    await example(page, 'One event’s board').click();
    const beside = page.locator('.pg-beside');
    await beside.getByText('title', { exact: true }).waitFor();
    expect(await beside.locator('> dl > div').count()).toBe(8);
    await beside.getByText(/\d+ more fields/).click();
    await beside.getByText('labourCost.planned').waitFor();
  });
});

describe('a list with more pages', () => {
  const query = '{ events { nodes { title } } }';

  test('says how long it is, reads the next page and then all, and keeps the query as it was written', async () => {
    const page = await pages.openAs(admin);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await runQuery(page, query);
    const { body } = await pages.service.graphql('{ events { totalCount } }', { as: await tokenOf(page) });
    const total = (body.data as { events: { totalCount: number } }).events.totalCount;
    expect(total).toBeGreaterThan(30);
    const paging = page.getByRole('group', { name: 'Pages' });
    expect(await paging.innerText()).toContain(`15 of ${total}`);
    await paging.getByRole('button', { name: 'Next page' }).click();
    await page.locator('.pg-status', { hasText: `30 of ${total} rows` }).waitFor();
    await paging.getByRole('button', { name: `All ${total}`, exact: true }).click();
    await page.locator('.pg-status', { hasText: `${total} rows` }).waitFor();
    await paging.waitFor({ state: 'detached' });
    expect(await lines(page).count()).toBe(total);
    expect((await downloadCsv(page)).rows.length).toBe(total + 1);
    expect(await readEditor(page, 'operation.graphql')).toBe(query);
    await page.getByRole('tab', { name: 'JSON' }).click();
    expect(await page.locator('.pg-json').innerText()).not.toContain('callboard');
    expect(sent.filter((text) => text.includes('callboardPage')).length).toBeGreaterThan(0);
  });

  test('is saved whole by the service', async () => {
    const page = await pages.openAs(admin);
    await runQuery(page, query);
    const text = await page.getByRole('group', { name: 'Pages' }).innerText();
    const total = /of (\d+)/.exec(text)![1]!;
    const { rows } = await downloadCsv(page, `All ${total} as CSV`);
    expect(rows.length).toBe(Number(total) + 1);
  });
});

async function tokenOf(page: Page): Promise<string> {
  const stored = await page.evaluate(() => sessionStorage.getItem('callboard:login'));
  return (JSON.parse(stored!) as { credential: string }).credential;
}

test('the cost of the query stands beside its result', async () => {
  const page = await pages.openAs(admin);
  await runQuery(page, '{ events(first: 20) { nodes { title } } }');
  const cost = page.locator('.pg-cost');
  expect(await cost.locator('summary').innerText()).toMatch(/^cost [\d,]+ of [\d,]+$/);
  await cost.locator('summary').click();
  expect(await cost.innerText()).toMatch(/root fields\s+1 of 50/);
  await page.getByRole('tab', { name: 'JSON' }).click();
  expect(await page.locator('.pg-json').innerText()).not.toContain('extensions');
});
