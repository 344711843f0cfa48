/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  admin,
  editorsReady,
  example,
  openPlayground,
  readEditor,
  rowsShown,
  tabNames,
  writeEditor,
} from './support/playground-page.ts';

const pages = openPlayground({ isAlone: true });

const query = 'operation.graphql';
const variables = 'variables.json';
const tab = (page: Page, name: string) => page.getByRole('navigation', { name: 'Open queries' }).getByText(name);

async function writeQuery(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'New query' }).click();
  await writeEditor(page, query, text);
  await tab(page, /(?:query|mutation) (\w+)/.exec(text)![1]!).waitFor();
}

describe('a reload', () => {
  test('keeps every tab, its query and its variables, and the one in front', async () => {
    const page = await pages.openAs(admin);
    await rowsShown(page);
    const first = await readEditor(page, variables);
    await writeQuery(page, 'query Second($text: String) { events(filter: { text: $text }) { nodes { title } } }');
    await writeEditor(page, variables, '{ "text": "London" }');
    await page.reload();
    await editorsReady(page);
    expect(await tabNames(page)).toEqual(['UpcomingEvents', 'Second']);
    expect(await readEditor(page, query)).toMatch(/^query Second/);
    expect(await readEditor(page, variables)).toBe('{ "text": "London" }');
    await tab(page, 'UpcomingEvents').click();
    expect(await readEditor(page, variables)).toBe(first);
    await page.getByRole('button', { name: 'Run' }).click();
    expect(await rowsShown(page)).toBeGreaterThan(0);
  });

  test('shows the result of a query again, and does not repeat a mutation', async () => {
    const page = await pages.openAs(admin);
    const rows = await rowsShown(page);
    await page.reload();
    expect(await rowsShown(page)).toBe(rows);
    await example(page, 'Create an event').click();
    await page.getByText('This changes something.').waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('.pg-status', { hasText: /^Done/ }).waitFor();
    const events = await pages.service.prisma.event.count();
    await page.reload();
    await editorsReady(page);
    await page.waitForTimeout(500);
    expect(await readEditor(page, query)).toMatch(/mutation CreateEvent/);
    expect(await pages.service.prisma.event.count()).toBe(events);
  });
});

describe('changed work', () => {
  test('stays in its tab when another example is opened, also if only the variables are changed', async () => {
    const page = await pages.openAs(admin);
    await rowsShown(page);
    await example(page, 'Search events').click();
    await tab(page, 'SearchEvents').waitFor();
    expect(await tabNames(page)).toEqual(['SearchEvents']);
    await writeEditor(page, variables, '{ "text": "London" }');
    await example(page, 'Staff').click();
    await page.getByRole('columnheader', { name: 'email' }).waitFor();
    expect(await tabNames(page)).toEqual(['SearchEvents', 'Staff']);
    await tab(page, 'SearchEvents').click();
    expect(await readEditor(page, variables)).toBe('{ "text": "London" }');
  });

  test('of two browser tabs is stored side by side', async () => {
    const page = await pages.openAs(admin);
    await rowsShown(page);
    const other = await pages.openBeside(`/playground#demo=${admin}`);
    await editorsReady(other);
    await writeQuery(other, 'query FromOther { viewer { name } }');
    await writeQuery(page, 'query FromFirst { viewer { name } }');
    await other.close();
    await page.reload();
    await editorsReady(page);
    expect(await tabNames(page)).toEqual(['UpcomingEvents', 'FromFirst']);
    const third = await pages.openBeside(`/playground#demo=${admin}`);
    await editorsReady(third);
    expect((await tabNames(third)).toSorted()).toEqual(['FromFirst', 'FromOther', 'UpcomingEvents']);
  });

  test('is hidden at log-out from the next user, and is there again for its owner', async () => {
    const page = await pages.openAs(admin);
    await rowsShown(page);
    await writeQuery(page, 'query OnlyMine { viewer { name } }');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in to Aurora Events as client' }).click();
    await rowsShown(page);
    expect(await tabNames(page)).toEqual(['MyEvents']);
    await page.getByRole('button', { name: 'History', exact: true }).click();
    expect(await page.getByRole('complementary').innerText()).not.toMatch(/UpcomingEvents|OnlyMine/);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in to Aurora Events as admin' }).click();
    await editorsReady(page);
    expect(await tabNames(page)).toEqual(['UpcomingEvents', 'OnlyMine']);
    expect(await readEditor(page, query)).toMatch(/OnlyMine/);
  });
});

test('malformed variables clear the previous result and say why, by button and by keyboard', async () => {
  const page = await pages.openAs(admin);
  await rowsShown(page);
  for (const run of [
    () => page.getByRole('button', { name: 'Run' }).click(),
    async () => {
      await page.locator('.pg-editor .view-line').first().click();
      await page.keyboard.press('Control+Enter');
    },
  ]) {
    const good = await readEditor(page, variables);
    await writeEditor(page, variables, '{ "from": }');
    await run();
    await page.getByText('Not sent: the variables are invalid JSON').first().waitFor();
    expect(await page.locator('#result-panel .pg-table').count()).toBe(0);
    expect(await page.locator('.pg-status').innerText()).toBe('No result, 1 error');
    await writeEditor(page, variables, good);
    await run();
    expect(await rowsShown(page)).toBeGreaterThan(0);
  }
});

test.each([1440, 1024, 390, 320])('the page does not overflow a window %i px wide', async (width) => {
  const page = await pages.openAs(admin, null, { width, height: 900 });
  await rowsShown(page);
  const overflow = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
      return [scrollWidth - clientWidth, innerWidth >= 960 ? scrollHeight - clientHeight : 0];
    });
  expect(await overflow()).toEqual([0, 0]);
  if (width < 960) await page.getByRole('button', { name: 'Examples', exact: true }).click();
  await example(page, 'One event’s board').click();
  await page.locator('.pg-results[aria-busy=false]').waitFor();
  await rowsShown(page);
  expect(await overflow()).toEqual([0, 0]);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Or look around' }).waitFor();
  expect((await overflow())[0]).toBe(0);
});
