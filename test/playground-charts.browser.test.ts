/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import type { Page } from 'playwright-core';
import { fillDays, listTicks, sortBars, wrapLabel } from '../src/pages/playground/chart-layout.ts';
import {
  changeVariable,
  fromFieldText,
  listVariableFields,
  toFieldText,
} from '../src/pages/playground/variable-fields.ts';
import { admin, example, openPlayground, readEditor, rowsShown, writeEditor } from './support/playground-page.ts';

const bar = (label: string, ...values: number[]) => ({ label, values, total: values.reduce((a, b) => a + b, 0) });

describe('the layout of a chart', () => {
  test('fills the days without values, in the order of time', () => {
    const filled = fillDays([bar('2026-03-02', 5), bar('2026-02-27', 1)])!;
    expect(filled.map(({ label, total }) => [label, total])).toEqual([
      ['2026-02-27', 1],
      ['2026-02-28', 0],
      ['2026-03-01', 0],
      ['2026-03-02', 5],
    ]);
    expect(fillDays([bar('Bar', 1), bar('2026-02-27', 1)])).toBeNull();
    expect(fillDays([bar('1926-02-27', 1), bar('2026-02-27', 1)])).toBeNull();
  });

  test('sorts bars by size, by open places and by name', () => {
    const bars = [bar('b', 1, 9), bar('a', 20, 0), bar('c', 5, 10)];
    const labels = (sorting: Parameters<typeof sortBars>[1]) => sortBars(bars, sorting, 1).map(({ label }) => label);
    expect(labels('As listed')).toEqual(['b', 'a', 'c']);
    expect(labels('Largest first')).toEqual(['a', 'c', 'b']);
    expect(labels('Most open first')).toEqual(['c', 'b', 'a']);
    expect(labels('By name')).toEqual(['a', 'b', 'c']);
  });

  test('has round ticks up to the largest value, and whole ones for people', () => {
    expect(listTicks(37, true)).toEqual([0, 10, 20, 30, 40]);
    expect(listTicks(1, true)).toEqual([0, 1]);
    expect(listTicks(4200, false).at(-1)).toBeGreaterThanOrEqual(4200);
    for (const most of [0.3, 2, 7, 99, 12_345]) expect(listTicks(most, false).length).toBeLessThanOrEqual(6);
  });

  test('breaks long labels into lines and cuts nothing off', () => {
    const measure = (text: string) => text.length;
    expect(wrapLabel('Mbeki & Morgan Communications', 10, measure)).toEqual([
      'Mbeki &',
      'Morgan',
      'Communicat',
      'ions',
    ]);
    expect(wrapLabel('Bar', 10, measure)).toEqual(['Bar']);
  });
});

describe('the form for variables', () => {
  const schema = buildSchema(`
    scalar DateTimeISO scalar LocalDate enum Group { DAY WEEK } input Filter { a: Int }
    type Query { a(from: DateTimeISO, day: LocalDate, group: Group, ids: [ID!], filter: Filter, n: Int, b: Boolean): Int }
  `);

  test('has a field of the fitting kind for each variable', () => {
    const query = `query Q($from: DateTimeISO!, $day: LocalDate, $group: Group = DAY, $ids: [ID!], $f: Filter, $n: Int!, $b: Boolean)
      { a(from: $from) }`;
    const fields = listVariableFields({ query }, schema);
    expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['from', 'moment'],
      ['day', 'date'],
      ['group', 'choice'],
      ['ids', 'json'],
      ['f', 'json'],
      ['n', 'number'],
      ['b', 'boolean'],
    ]);
    expect(fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual(['from', 'n']);
    expect(fields[2]!.choices).toEqual(['DAY', 'WEEK']);
    expect(listVariableFields({ query: '{ broken' }, schema)).toEqual([]);
  });

  test('reads and writes values without changing the others', () => {
    expect(toFieldText('moment', '2026-11-23T22:00:00+01:00')).toBe('2026-11-23T21:00');
    expect(fromFieldText('moment', '2026-11-23T21:00')).toBe('2026-11-23T21:00:00.000Z');
    expect([fromFieldText('number', '1.5'), fromFieldText('boolean', 'false'), fromFieldText('text', '')]).toEqual([
      1.5,
      false,
      undefined,
    ]);
    expect(fromFieldText('json', '["a"]')).toEqual(['a']);
    expect(() => fromFieldText('json', '["a')).toThrow('JSON');
    expect(changeVariable({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 });
    expect(changeVariable({ a: 1, b: 2 }, 'a', 3)).toEqual({ a: 3, b: 2 });
  });
});

describe('in the browser', () => {
  const pages = openPlayground({ isAlone: true });

  const labels = (page: Page) =>
    page
      .locator('.pg-chart .pg-label')
      .evaluateAll((texts) => texts.map((text) => [...text.children].map((line) => line.textContent).join(' ')));

  const download = async (page: Page, button: string) => {
    const arrival = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).click();
    const file = await arrival;
    return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
  };

  test.each([1440, 390])('bars have an axis, whole labels and an order, %i px wide', async (width) => {
    const page = await pages.openAs(admin, null, { width, height: 900 });
    await rowsShown(page);
    if (width < 960) await page.getByRole('button', { name: 'Examples', exact: true }).click();
    await example(page, 'Labour cost by event').click();
    await page.getByRole('img', { name: 'Labour cost' }).waitFor();
    expect(await page.locator('.pg-chart .pg-tick').count()).toBeGreaterThan(2);
    const rows = await page.locator('.pg-chart-table tbody th').allTextContents();
    expect((await labels(page)).join('|').replaceAll(' ', '')).toBe(rows.slice(0, 40).join('|').replaceAll(/\s/g, ''));
    const boxes = await page
      .locator('.pg-chart .pg-label')
      .evaluateAll((texts) => texts.map((text) => (text as SVGGraphicsElement).getBBox().x));
    expect(Math.min(...boxes)).toBeGreaterThanOrEqual(0);
    await page.getByLabel('Order').selectOption('Largest first');
    const totals = (await page.locator('.pg-chart .pg-total').allTextContents()).map((text) =>
      Number(text.replaceAll(/[^\d.]/g, '')),
    );
    expect(totals).toEqual(totals.toSorted((a, b) => b - a));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

  test('days are a line with the empty days between, or bars, and are saved as PNG and SVG', async () => {
    const page = await pages.openAs(admin);
    await rowsShown(page);
    await example(page, 'Coverage by day').click();
    await page.locator('.pg-chart polyline').first().waitFor();
    const days = (await page.locator('.pg-chart-table tbody th').allTextContents()).toSorted();
    const span = (Date.parse(days.at(-1)!) - Date.parse(days[0]!)) / 86_400_000 + 1;
    expect(await page.locator('.pg-chart [data-line=open] circle').count()).toBe(span);
    const svg = await download(page, 'Save as SVG');
    expect(svg.name).toMatch(/^CoverageByDay-coverage-.*\.svg$/);
    expect(svg.content.toString()).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(svg.content.toString()).toMatch(/<polyline [^>]*stroke="rgb/);
    const png = await download(page, 'Save as PNG');
    expect(png.content.subarray(1, 4).toString()).toBe('PNG');
    expect(png.content.readUInt32BE(16)).toBeGreaterThan(800);
    await page.getByLabel('Kind').selectOption('Bars');
    expect(await page.locator('.pg-chart .pg-label').count()).toBe(Math.min(40, span));
  });

  test('the form has date pickers, writes the variables, and its values are used', async () => {
    const page = await pages.openAs(admin);
    await rowsShown(page);
    await example(page, 'Coverage by position').click();
    await page.getByRole('img', { name: 'Coverage' }).waitFor();
    await page.getByRole('button', { name: 'Form' }).click();
    const from = page.getByLabel('from', { exact: true });
    expect(await from.getAttribute('type')).toBe('datetime-local');
    await from.fill('2020-01-01T00:00');
    await page.getByLabel('to', { exact: true }).fill('2020-01-02T12:30');
    expect(JSON.parse(await readEditor(page, 'variables.json'))).toEqual({
      from: '2020-01-01T00:00:00.000Z',
      to: '2020-01-02T12:30:00.000Z',
    });
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('No rows: nothing matches.').waitFor();
    await writeEditor(page, 'variables.json', '{ "from": "2021-05-06T07:08:00.000Z" }');
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('.pg-form input')?.value === '2021-05-06T07:08',
    );
  });
});
