/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { card, chip, live, openBoard, search, wall, zone } from './support/board-page.ts';
import { expectAccessible } from './support/console.ts';

const board = openBoard({ isAlone: true });

/** Holds the answers to an operation back, until what it returns is called. */
async function holdBack(page: Page, operation: string): Promise<() => void> {
  let answer!: () => void;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes(operation)) await answered;
    await route.continue();
  });
  return answer;
}

describe('the page', () => {
  test('has no barriers that axe finds', async () => {
    const { as, business, ivy } = await board.createDay();
    const other = await board.service.createEvent(business, {
      title: 'Gala',
      start: wall(0),
      end: wall(4),
      timezone: zone,
    });
    await board.service.createShift(other, ivy, { start: null, end: wall(4), confirmed: true });
    const page = await board.open(null);
    await page.getByRole('heading', { name: 'Who is where, right now' }).waitFor();
    await expectAccessible(page);
    await page.close();
    const full = await board.open(as.admin, '/board?span=3days');
    await live(full);
    await expectAccessible(full);
    await full.getByLabel('As a table').check();
    await full.locator('.bd-sheet').first().waitFor();
    await expectAccessible(full);
    await full.getByRole('button', { name: 'Bartender' }).first().click();
    await full.getByRole('button', { name: /^Call off/ }).waitFor();
    await full.getByRole('checkbox', { name: 'Theo Rossi' }).waitFor();
    await expectAccessible(full);
  });

  test('does not scroll sideways on a wide screen, a tablet or a phone', async () => {
    const { as } = await board.createDay();
    const page = await board.open(as.admin, '/board?span=week');
    await card(page).waitFor();
    for (const width of [1440, 1024, 390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      for (const view of ['', '&view=table']) {
        await page.goto(`${board.origin}/board?span=week${view}`);
        await card(page).waitFor();
        const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
        expect([width, view, scrolled]).toEqual([width, view, width]);
      }
    }
  });

  test('loads at most 108 KB', async () => {
    const { as } = await board.createDay();
    const page = await board.open(as.admin);
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    const paths = new Map<string, string>();
    let bytes = 0;
    session.on('Network.responseReceived', ({ requestId, response }) => paths.set(requestId, response.url));
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (!paths.get(requestId)?.endsWith('/graphql')) bytes += encodedDataLength;
    });
    // What is fetched ahead does not come first.
    await page.addInitScript(() => void (globalThis.requestIdleCallback = () => 0));
    await page.goto(`${board.origin}/board`);
    await live(page);
    process.stderr.write(`The board loads ${Math.round(bytes / 1024)} KB.\n`);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(108 * 1024);
    expect([...paths.values()].filter((url) => /monaco|graphiql|workspace/.test(url))).toEqual([]);
  });

  test('stays where it is when the names of all clients and positions come after it', async () => {
    const { as, business } = await board.createDay();
    await board.service.createUser(business, 'client', { name: 'A client with a name of quite some length' });
    const page = await board.open(as.admin);
    await page.setViewportSize({ width: 1350, height: 940 });
    const answer = await holdBack(page, 'query Choices');
    await page.reload();
    await live(page);
    // Whoever comes near the filters is about to choose.
    await page.locator('.bd-tools').hover();
    const readPlaces = () => Promise.all(['.bd-columns', '.bd-text'].map((each) => page.locator(each).boundingBox()));
    const places = await readPlaces();
    answer();
    const option = page.getByLabel('Client').locator('option', { hasText: 'of quite some length' });
    await option.waitFor({ state: 'attached' });
    expect(await readPlaces()).toEqual(places);
  });

  test('keeps the height of its header when it is known who is logged in', async () => {
    const { as } = await board.createDay();
    const page = await board.open(as.admin);
    const heightOf = async () => (await page.locator('.cb-header').boundingBox())!.height;
    for (const width of [1350, 1024, 390]) {
      await page.setViewportSize({ width, height: 940 });
      const answer = await holdBack(page, 'query Viewer');
      await page.reload();
      await page.locator('.app-waiting').waitFor();
      const before = await heightOf();
      answer();
      await live(page);
      expect(await page.locator('.app-who').count()).toBe(1);
      expect({ width, height: await heightOf() }).toEqual({ width, height: before });
      await page.unroute('**/graphql');
    }
  });

  test('can be used with the keyboard: arrows between lanes and people, Enter opens, Escape goes back', async () => {
    const { as } = await board.createDay();
    const page = await board.open(as.admin);
    await page.locator('.bd-name').first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Ivy G.');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Harvest Dinner' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Ivy G.');
  });

  test('prints as a call sheet', async () => {
    const { as } = await board.createDay();
    const page = await board.open(as.admin);
    await card(page).waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('cell', { name: 'Ivy Green' }).waitFor();
    expect(await page.locator('.bd-tools').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await chip(page, 'Ivy G.').waitFor();
  });

  test('on a wall has no controls and moves on by itself', async () => {
    const { as, business } = await board.createDay();
    for (let number = 0; number < 8; number++)
      await board.service.createEvent(business, { start: wall(0), end: wall(2), timezone: zone });
    const page = await board.open(as.admin, '/board?wall=1');
    await card(page).waitFor();
    expect(await page.locator('.cb-header, .bd-tools').filter({ visible: true }).count()).toBe(0);
    await page.waitForFunction(() => scrollY > 0);
    await page.keyboard.press('Escape');
    await page.locator('.bd-tools').waitFor();
    expect(await search(page)).toBe('');
  });
});
