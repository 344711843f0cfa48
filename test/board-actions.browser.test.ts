/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { card, chip, openBoard, wall, zone } from './support/board-page.ts';
import { countClicks, toast, undo } from './support/console.ts';

const board = openBoard({ isAlone: true });

describe('an admin', () => {
  test('confirms, calls off and takes both back', async () => {
    const { as } = await board.createDay();
    const page = await board.open(as.admin);
    await chip(page, 'Ivy G.').click();
    const panel = page.getByRole('dialog', { name: 'Harvest Dinner' });
    await panel.getByRole('button', { name: 'Confirm Ivy Green' }).click();
    await toast(page, 'Ivy Green confirmed.');
    await chip(page, '✓ Ivy G.').waitFor();
    await panel.getByRole('button', { name: 'Call off Ivy Green' }).click();
    await page.getByRole('button', { name: 'Call off', exact: true }).click();
    await toast(page, 'Ivy Green called off.');
    await chip(page, 'Ivy G.').waitFor({ state: 'detached' });
    // The place that was emptied is offered at once.
    expect(await panel.getByLabel('Search by name').evaluate((input) => input === document.activeElement)).toBe(true);
    await undo(page).click();
    await panel.getByRole('button', { name: 'Withdraw Ivy Green' }).click();
    await toast(page, 'No longer confirmed: Ivy Green.');
    await undo(page).click();
    await panel.getByRole('button', { name: 'Withdraw Ivy Green' }).waitFor();
  });

  test('assigns somebody who is free by three clicks, and takes it back', async () => {
    const { as, business } = await board.createDay();
    const page = await board.open(as.admin);
    const panel = page.getByRole('dialog');
    const clicks = await countClicks(page, async () => {
      await page.locator('.bd-chip.bd-open').click();
      await panel.getByRole('checkbox', { name: 'Theo Rossi' }).check();
      await panel.getByRole('button', { name: 'Assign', exact: true }).click();
      await toast(page, 'Theo Rossi assigned.');
    });
    expect(clicks).toBeLessThanOrEqual(3);
    await chip(page, 'Theo R.').waitFor({ state: 'attached' });
    expect(await page.locator('.bd-chip.bd-open').count()).toBe(0);
    await undo(page).click();
    await chip(page, 'Theo R.').waitFor({ state: 'detached' });
    expect(
      await board.service.prisma.workShift.count({
        where: { businessId: business.id, status: 'deleted', user: { lastName: 'Rossi' } },
      }),
    ).toBe(1);
  });

  test('sees what stands against an assignment before it is stored, and gives a reason', async () => {
    const { as, business, theo } = await board.createDay();
    const other = await board.service.createEvent(business, {
      title: 'Gala',
      start: wall(0),
      end: wall(4),
      timezone: zone,
    });
    await board.service.createShift(other, theo, { start: wall(0), end: wall(4) });
    const page = await board.open(as.admin);
    await page.locator('.bd-chip.bd-open').first().click();
    const panel = page.getByRole('dialog');
    await panel.getByLabel('Show everybody').check();
    await panel.getByRole('checkbox', { name: 'Theo Rossi' }).check();
    await panel.getByRole('status').getByText('Works at “Gala”').waitFor();
    expect(await board.service.prisma.workShift.count({ where: { userId: theo.id } })).toBe(1);
    await panel.getByLabel('Do it anyway, because').fill('Gala ends early');
    await panel.getByRole('button', { name: 'Assign anyway' }).click();
    await toast(page, 'Theo Rossi assigned.');
    await panel.getByText('Assigned all the same: Gala ends early').waitFor();
  });

  test('is told if somebody else was faster', async () => {
    const { as, ivy } = await board.createDay();
    const page = await board.open(as.admin);
    await chip(page, 'Ivy G.').click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('button', { name: 'Confirm Ivy Green' }).waitFor();
    // The page hears of nothing until it has sent its change.
    await page.route('**/graphql', async (route) => {
      const { query } = route.request().postDataJSON() as { query: string };
      if (query.startsWith('query')) return route.abort();
      return route.fallback();
    });
    expect(board.takeComplaints()).toEqual([]);
    const shift = await board.service.prisma.workShift.findFirstOrThrow({ where: { userId: ivy.id } });
    await board.mutate(
      as.key,
      'mutation ($id: ID!) { updateShift(id: $id, input: { payRate: "31.00" }) { shift { uuid } } }',
      {
        id: shift.uuid,
      },
    );
    await panel.getByRole('button', { name: 'Confirm Ivy Green' }).click();
    await toast(page, 'Ivy Green: Somebody else has changed this meanwhile.');
    await page.unroute('**/graphql');
    expect(board.takeComplaints().every((text) => /ERR_FAILED/.test(text))).toBe(true);
  });
});

describe('other roles', () => {
  test('staff see their own shifts, find where they answer, and ask for nothing that they may not read', async () => {
    const { as: _, ivy, event } = await board.createDay();
    await board.service.createShift(event, ivy, { start: wall(0), end: wall(1) });
    const page = await board.open(await board.service.tokenOf(ivy));
    const refused = watchRefusals(page);
    await page.getByRole('heading', { name: 'Your shifts' }).waitFor();
    await card(page).waitFor();
    expect(await page.getByText('Open places, soonest first').count()).toBe(0);
    await page.getByRole('region', { name: 'Waiting for your answer' }).getByRole('button').first().click();
    const panel = page.getByRole('dialog');
    await panel.getByText('Ivy Green').first().waitFor();
    expect(await panel.getByRole('button').count()).toBe(1);
    await panel.getByRole('link', { name: 'Answer in My shifts' }).click();
    await page.getByRole('button', { name: 'Confirm: Harvest Dinner' }).first().waitFor();
    expect(refused).toEqual([]);
  });

  test('a client sees its own events without pay and actions, and asks for nothing that it may not read', async () => {
    const { as, business } = await board.createDay();
    await board.service.createEvent(business, {
      title: 'Of another client',
      start: wall(0),
      end: wall(2),
      timezone: zone,
    });
    const page = await board.open(as.client);
    const refused = watchRefusals(page);
    await page.getByRole('heading', { name: 'Your events' }).waitFor();
    await chip(page, 'Ivy G.').click();
    const panel = page.getByRole('dialog');
    await panel.getByText('Ivy Green').waitFor();
    expect(await panel.getByRole('button').count()).toBe(1);
    expect(await page.getByText('Of another client').count()).toBe(0);
    expect(await panel.innerText()).not.toContain('$');
    expect(refused).toEqual([]);
  });

  /** Errors that the service answers to what the page asks. */
  const watchRefusals = (page: Page): string[] => {
    const refused: string[] = [];
    page.on('response', (response) => {
      if (!response.url().endsWith('/graphql') || !response.headers()['content-type']?.includes('json')) return;
      void response
        .text()
        .then((text) => text.includes('"errors"') && refused.push(text))
        .catch(() => undefined);
    });
    return refused;
  };
});

describe('the focus', () => {
  const focused = (page: Page) =>
    page.evaluate(() => {
      const at = document.activeElement;
      return at?.getAttribute('aria-label') ?? at?.textContent?.trim() ?? '';
    });

  test('is back where it was after the panel is closed, by Escape or its button', async () => {
    const { as } = await board.createDay();
    const page = await board.open(as.admin);
    const lane = page.locator('.bd-name').first();
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click(),
    ]) {
      await lane.focus();
      await page.keyboard.press('Enter');
      await page.getByLabel('Search by name').waitFor();
      await close();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await lane.evaluate((element) => element === document.activeElement)).toBe(true);
    }
  });

  test('is on the button of the place that was filled, and in the page after the message is put away', async () => {
    const { as } = await board.createDay();
    const page = await board.open(as.admin);
    await page.locator('.bd-chip.bd-open').click();
    await page.getByRole('checkbox', { name: 'Theo Rossi' }).press('Space');
    await page.keyboard.press('Enter');
    await toast(page, 'Theo Rossi assigned.');
    expect(await focused(page)).toBe('Assign one more: Bartender');
    await undo(page).press('Enter');
    await toast(page, 'Undone');
    expect(await focused(page)).toBe('Board');
  });

  test('is on the heading of a wall, and on its button again afterwards', async () => {
    const { as } = await board.createDay();
    const page = await board.open(as.admin);
    await page.getByRole('button', { name: 'Wall' }).press('Enter');
    await page.locator('html[data-wall]').waitFor();
    expect(await focused(page)).toBe('Board');
    await page.keyboard.press('Escape');
    await page.locator('html:not([data-wall])').waitFor();
    expect(await focused(page)).toBe('Wall');
  });
});

test('filters and screens offer the clients and positions of the business, and figures warn of too many people', async () => {
  const { as, business, call, ivy } = await board.createDay();
  await board.service.createPosition(business, { title: 'Zither player' });
  await board.service.createUser(business, 'client', { name: 'Absent Client' });
  for (let more = 0; more < 3; more += 1) {
    const user = await board.service.createUser(business, 'staff');
    const event = await board.service.prisma.event.findFirstOrThrow({
      where: { businessId: ivy.businessId, id: call.eventId },
    });
    await board.service.createShift(event, user, {
      positionId: call.positionId,
      callTimeId: call.id,
      start: wall(1),
      end: wall(2),
    });
  }
  const page = await board.open(as.admin);
  await page.getByRole('button', { name: /filled, \d too many/ }).waitFor();
  const filter = page.getByRole('group', { name: 'What is shown' });
  await filter.hover();
  await filter.getByLabel('Position').locator('option', { hasText: 'Zither player' }).waitFor({ state: 'attached' });
  await filter.getByLabel('Client').locator('option', { hasText: 'Absent Client' }).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Screens' }).click();
  const dialog = page.getByRole('dialog', { name: 'Screens' });
  await dialog.getByRole('button', { name: 'New screen' }).first().click();
  await dialog.getByLabel('Position').locator('option', { hasText: 'Zither player' }).waitFor({ state: 'attached' });
});
