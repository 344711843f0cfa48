/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import { card, chip, live, openBoard, search, wall, zone } from './support/board-page.ts';

const board = openBoard();

describe('the board of an admin', () => {
  test('shows figures, the missing list, and each event with who confirmed, waits and is missing', async () => {
    const { as } = await board.createDay();
    const page = await board.open(as.admin);
    await card(page).waitFor();
    expect(await page.locator('.bd-figure').allInnerTexts()).toEqual([
      expect.stringMatching(/^1\s+open place$/),
      expect.stringMatching(/^1\s+waiting to confirm$/),
      expect.stringMatching(/^50 %\s+filled$/),
      expect.stringMatching(/^0\s+double bookings$/),
      expect.stringMatching(/^1\s+event$/),
    ]);
    expect(await card(page).innerText()).toMatch(/Harvest Dinner[^]*The Old Granary, Madison[^]*1 waiting · 1 open/);
    expect(await chip(page, 'Ivy G.').innerText()).toMatch(/^\? Ivy G\./);
    expect(await page.locator('.bd-chip.bd-open').count()).toBe(1);
    await page.locator('.bd-now').waitFor();
    expect(await page.getByRole('region', { name: 'Open places, soonest first' }).innerText()).toMatch(
      /1 × Bartender since 2 h/,
    );
    await live(page);
    expect(await page.locator('.bd-link-state').innerText()).toMatch(/^Live · as of \d\d:\d\d:\d\d$/);
  });

  test('counts as the coverage report does of what runs, also what began yesterday', async () => {
    const { as, business } = await board.createDay();
    const night = await board.service.createEvent(business, { start: wall(-30), end: wall(1), timezone: zone });
    await board.service.createCallTime(night, { start: wall(-30), end: wall(1), staffNeeded: 4 });
    const page = await board.open(as.admin);
    await card(page).waitFor();
    const [from, to] = await page.evaluate(() => {
      const now = new Date();
      return [0, 1].map((day) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + day).toISOString());
    });
    const { coverage } = await board.mutate(
      as.admin,
      'query ($from: DateTimeISO!, $to: DateTimeISO!) { coverage(from: $from, to: $to, groupBy: DAY, running: true) { total { open } } }',
      { from, to },
    );
    expect(coverage.total.open).toBe(5);
    expect(await page.locator('.bd-figure').first().innerText()).toMatch(/^5\s/);
  });

  test('pages through more events than one page has', async () => {
    const { as, business } = await board.createDay();
    for (let number = 0; number < 101; number++)
      await board.service.createEvent(business, { start: wall(0), end: wall(2), timezone: zone });
    const page = await board.open(as.admin);
    await card(page).waitFor();
    expect(await page.locator('.bd-card').count()).toBe(102);
  });

  test('shows a double booking, and its reason in the panel', async () => {
    const { as, business, ivy, event } = await board.createDay();
    const other = await board.service.createEvent(business, {
      title: 'Gala',
      start: wall(0),
      end: wall(4),
      timezone: zone,
    });
    await board.service.createShift(other, ivy, { start: wall(0), end: wall(4) });
    const page = await board.open(as.admin, `/board?show=clashes&event=${event.uuid}`);
    const panel = page.getByRole('dialog', { name: 'Harvest Dinner' });
    await panel.getByText('Double-booked: at “Gala” for 4 h of this time.').waitFor();
    await panel.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('.bd-chip.bd-clash').count()).toBe(2);
    await page.getByRole('region', { name: 'Double bookings' }).getByText('Harvest Dinner ↔ Gala').waitFor();
  });
});

describe('the address', () => {
  test('holds span, filters and panel over a reload, and back goes back', async () => {
    const { as } = await board.createDay();
    const page = await board.open(as.admin);
    await card(page).waitFor();
    await page.getByRole('radio', { name: 'Week' }).check({ force: true });
    await page.locator('.bd-day').nth(6).waitFor();
    await page.getByLabel('Search', { exact: true }).fill('harvest');
    await page.getByRole('button', { name: /open place/ }).click();
    await chip(page, 'Ivy G.').click();
    await page.getByRole('dialog').waitFor();
    expect(await search(page)).toMatch(/^\?span=week&text=harvest&show=open&event=[\w-]+&item=[\w-]+$/);
    await page.reload();
    await page.getByRole('dialog', { name: 'Harvest Dinner' }).waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await search(page)).toBe('?span=week&text=harvest&show=open');
    await page.goBack();
    await page.locator('.bd-figure[aria-pressed=true]').waitFor({ state: 'detached' });
    await page.getByLabel('Search', { exact: true }).fill('nothing like this');
    await page.getByRole('button', { name: 'Take the filters off' }).click();
    await card(page).waitFor();
  });
});
