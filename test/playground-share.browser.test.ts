/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { buildCurlCommand, buildShareLink, readShareLink } from '../src/pages/playground/share.ts';
import {
  admin,
  editorsReady,
  openPlayground,
  readEditor,
  rowsShown,
  tabNames,
  writeEditor,
} from './support/playground-page.ts';

const pages = openPlayground({ isAlone: true });

const query = 'operation.graphql';
const variables = 'variables.json';
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const hard = {
  query: 'query Q($t: String) { events(filter: {text: $t}) { nodes { title } } } # a+b & 100 %',
  variables: '{"t": "é=+&#"}',
};

test('a link carries any text', () => {
  const link = buildShareLink('http://x.example', hard);
  expect(link).not.toContain('+');
  expect(readShareLink(new URL(link).hash)).toEqual(hard);
  expect(readShareLink('#demo=a@b.example')).toBeNull();
  expect(readShareLink('#query=%20')).toBeNull();
});

test('a command carries any text, and no credential', () => {
  expect(buildCurlCommand('http://x.example', { query: '{ a(b: "it\'s") }', variables: { t: 1 } })).toBe(
    `curl 'http://x.example/graphql' \\\n  -H "Authorization: Bearer $TOKEN" \\\n  -H 'Content-Type: application/json' \\\n` +
      `  --data-raw '{"query":"{ a(b: \\"it'\\''s\\") }","variables":{"t":1}}'`,
  );
});

describe('a shared link', () => {
  test('opens its query with its variables in a tab of its own and runs it', async () => {
    const page = await pages.openAs(admin);
    await rowsShown(page);
    await page.getByRole('button', { name: 'New query' }).click();
    await writeEditor(page, query, 'query Mine { viewer { name } }');
    await page.getByRole('navigation', { name: 'Open queries' }).getByText('Mine').waitFor();
    await page.getByRole('button', { name: 'New query' }).click();
    await writeEditor(
      page,
      query,
      'query Shared($text: String) { events(filter: { text: $text }) { nodes { title } } }',
    );
    await writeEditor(page, variables, '{ "text": null }');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByText('Link copied').waitFor();
    const link = new URL(await clipboard(page));
    const other = await pages.openBeside(`/playground#demo=${admin}&${link.hash.slice(1)}`);
    expect(await rowsShown(other)).toBeGreaterThan(0);
    expect(await readEditor(other, query)).toMatch(/^query Shared/);
    expect(await readEditor(other, variables)).toBe('{ "text": null }');
    expect(await tabNames(other)).toContain('Mine');
    expect(new URL(other.url()).hash).toBe('');
  });

  test('survives the log-in', async () => {
    const link = buildShareLink('', { query: 'query Late { events { nodes { title } } }', variables: '' });
    const page = await pages.open(link);
    await page.getByRole('button', { name: 'Log in to Aurora Events as admin' }).click();
    expect(await rowsShown(page)).toBeGreaterThan(0);
    expect(await tabNames(page)).toEqual(['Late']);
  });

  test('with a mutation is shown but not run', async () => {
    const text =
      'mutation Shared { createEvent(input: { title: "By a link", startTime: "2031-01-01 10:00:00", endTime: "2031-01-01 12:00:00", timezone: "UTC" }) { uuid } }';
    const events = await pages.service.prisma.event.count();
    const link = buildShareLink('', { query: text, variables: '' });
    const page = await pages.open(link.replace('#', `#demo=${admin}&`));
    await editorsReady(page);
    await page.waitForTimeout(700);
    expect(await readEditor(page, query)).toBe(text);
    expect(await page.locator('.pg-status').innerText()).toBe('');
    expect(await pages.service.prisma.event.count()).toBe(events);
  });
});

test('a query can be copied as a curl command without the credential', async () => {
  const page = await pages.openAs(admin);
  await rowsShown(page);
  await page.getByRole('button', { name: 'curl' }).click();
  await page.getByText('Command copied').waitFor();
  const command = await clipboard(page);
  expect(command).toMatch(/^curl 'http:\/\/127\.0\.0\.1:\d+\/graphql' \\\n {2}-H "Authorization: Bearer \$TOKEN"/);
  expect(command).toContain('"operationName":"UpcomingEvents"');
  expect(command).not.toContain('eyJ');
});

describe('the drawer of queries', () => {
  test('saves a query with its variables under a name, finds it again after a reload, and opens it in a new tab', async () => {
    const page = await pages.openAs(admin);
    await rowsShown(page);
    await writeEditor(
      page,
      query,
      'query Weekly($text: String) { events(filter: { text: $text }) { nodes { title } } }',
    );
    await writeEditor(page, variables, '{ "text": "a" }');
    await page.getByRole('button', { name: 'History', exact: true }).click();
    await page.getByLabel('Save this query as').fill('Weekly look');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved as “Weekly look”').waitFor();
    await writeEditor(page, query, 'query Changed { viewer { name } }');
    await page.reload();
    await editorsReady(page);
    await page.getByRole('region', { name: 'Saved' }).getByText('Weekly look').click();
    expect(await readEditor(page, query)).toMatch(/^query Weekly/);
    expect(await readEditor(page, variables)).toBe('{ "text": "a" }');
    expect(await tabNames(page)).toEqual(['Changed', 'Weekly']);
  });

  test('lists what was run with its time and variables, can be searched, and asks before it is cleared', async () => {
    const page = await pages.openAs(admin);
    await rowsShown(page);
    await page.getByRole('button', { name: 'History', exact: true }).click();
    const history = page.getByRole('region', { name: 'History' });
    expect(await history.innerText()).toMatch(/UpcomingEvents\s+\d+ \w+ \d{4}, \d\d:\d\d\s+\{ "from"/);
    const search = page.getByRole('searchbox', { name: 'Search your queries' });
    await search.fill('nothing like this');
    await history.waitFor({ state: 'detached' });
    await search.fill('upcoming');
    await history.waitFor();
    await page.getByRole('button', { name: 'Clear the history' }).click();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await history.waitFor({ state: 'detached' });
  });

  test('does not store a query with a credential', async () => {
    const page = await pages.openAs(admin);
    await rowsShown(page);
    await writeEditor(page, query, 'mutation L { login(email: "a@b.example", password: "hunter22") { accessToken } }');
    await page.getByRole('button', { name: 'History', exact: true }).click();
    await page.getByLabel('Save this query as').fill('Secret');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Not saved: queries with credentials are not stored.').waitFor();
    await page.reload();
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(kept).not.toContain('hunter22');
  });
});
