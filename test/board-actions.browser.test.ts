/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { card, chip, openBoard, wall, zone } from './support/board-page.ts';

const board = openBoard();

describe('an admin', () => {
  test('confirms, calls off and takes both back', async () => {
    const { as } = await board.createDay();
    const page = await board.open(as.admin);
    await chip(page, 'Ivy G.').click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('button', { name: 'Confirm Ivy Green' }).click();
    await panel.getByText('Ivy Green is confirmed.').waitFor();
    await panel.getByRole('button', { name: 'Withdraw the confirmation of Ivy Green' }).waitFor();
    await panel.getByRole('button', { name: 'Call off Ivy Green' }).click();
    await panel.getByText('Ivy Green is called off.').waitFor();
    await panel.getByRole('button', { name: 'Call off Ivy Green' }).waitFor({ state: 'detached' });
    await panel.getByRole('button', { name: 'Undo' }).click();
    await panel.getByRole('button', { name: 'Withdraw the confirmation of Ivy Green' }).click();
    await panel.getByText('The confirmation of Ivy Green is withdrawn.').waitFor();
    await panel.getByRole('button', { name: 'Undo' }).click();
    await panel.getByText('Ivy Green is confirmed.').waitFor();
  });

  test('assigns somebody who is free, and takes it back', async () => {
    const { as } = await board.createDay();
    const page = await board.open(as.admin);
    await page.locator('.bd-chip.bd-open').click();
    const panel = page.getByRole('dialog');
    await panel.getByLabel('Has worked as Bartender').uncheck();
    await panel.getByRole('searchbox', { name: 'Search people by name' }).fill('theo');
    await panel.getByRole('button', { name: 'Assign Theo Rossi' }).click();
    await panel.getByText('Theo Rossi is assigned.').waitFor();
    await chip(page, 'Theo R.').waitFor({ state: 'attached' });
    expect(await page.locator('.bd-chip.bd-open').count()).toBe(0);
    await panel.getByRole('button', { name: 'Undo' }).click();
    await chip(page, 'Theo R.').waitFor({ state: 'detached' });
    expect(
      await board.service.prisma.workShift.count({ where: { status: 'deleted', user: { lastName: 'Rossi' } } }),
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
    await panel.getByLabel('Has worked as Bartender').uncheck();
    await panel.getByLabel('Free at that time').uncheck();
    await panel.getByRole('button', { name: 'Assign Theo Rossi' }).click();
    await panel.getByText('Works at “Gala” for 240 minutes of this time.').waitFor();
    expect(await board.service.prisma.workShift.count({ where: { userId: theo.id } })).toBe(1);
    await panel.getByLabel('Assign anyway, because').fill('Gala ends early');
    await panel.getByRole('button', { name: 'Assign anyway' }).click();
    await panel.getByText('Theo Rossi is assigned.').waitFor();
    await panel.getByText('Assigned anyway: “Gala ends early”').waitFor();
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
      if (query.startsWith('query Board')) return route.abort();
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
    await panel.getByText('Somebody has changed this shift meanwhile.').waitFor();
    await page.unroute('**/graphql');
    expect(board.takeComplaints().every((text) => /ERR_FAILED/.test(text))).toBe(true);
  });
});

describe('other roles', () => {
  test('staff see their own shifts, confirm one and decline one, and ask for nothing that they may not read', async () => {
    const { as: _, ivy, event } = await board.createDay();
    await board.service.createShift(event, ivy, { start: wall(0), end: wall(1) });
    const page = await board.open(await board.service.tokenOf(ivy));
    const refused = watchRefusals(page);
    await page.getByRole('heading', { name: 'Your shifts' }).waitFor();
    await card(page).waitFor();
    expect(await page.getByText('Missing, soonest first').count()).toBe(0);
    await page.getByRole('region', { name: 'Waiting for your answer' }).getByRole('button').first().click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('button', { name: 'Confirm Harvest Dinner' }).click();
    await panel.getByText('Harvest Dinner is confirmed.').waitFor();
    await panel.getByRole('button', { name: 'Decline Harvest Dinner' }).click();
    await panel.getByRole('button', { name: 'Really decline Harvest Dinner' }).click();
    await panel.getByText('You declined Harvest Dinner.').waitFor();
    await page.locator('.bd-chip').nth(1).waitFor({ state: 'detached' });
    expect(await panel.getByRole('button', { name: 'Assign' }).count()).toBe(0);
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
      return at?.closest('.bd-notice') ? 'notice' : (at?.getAttribute('aria-label') ?? at?.textContent?.trim() ?? '');
    });

  test('is back where it was after the panel is closed, by Escape, its button or its backdrop', async () => {
    const { as } = await board.createDay();
    const page = await board.open(as.admin);
    const lane = page.locator('.bd-name').first();
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(5, 5),
    ]) {
      await lane.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await close();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await lane.evaluate((element) => element === document.activeElement)).toBe(true);
    }
  });

  test('is on what an action says, and stays in the panel when this is put away', async () => {
    const { as } = await board.createDay();
    const page = await board.open(as.admin);
    await page.locator('.bd-chip.bd-open').click();
    const panel = page.getByRole('dialog');
    await panel.getByLabel('Has worked as Bartender').uncheck();
    await panel.getByRole('button', { name: 'Assign Theo Rossi' }).press('Enter');
    await panel.getByText('Theo Rossi is assigned.').waitFor();
    expect(await focused(page)).toBe('notice');
    await panel.getByRole('button', { name: 'Undo' }).press('Enter');
    await panel.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('notice');
    await panel.getByRole('button', { name: 'Put this message away' }).press('Enter');
    expect(await panel.locator('h2').evaluate((element) => element === document.activeElement)).toBe(true);
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
  await filter.getByLabel('Position').locator('option', { hasText: 'Zither player' }).waitFor({ state: 'attached' });
  await filter.getByLabel('Client').locator('option', { hasText: 'Absent Client' }).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Screens' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Position').locator('option', { hasText: 'Zither player' }).waitFor({ state: 'attached' });
  await dialog.getByLabel('Client').locator('option', { hasText: 'Absent Client' }).waitFor({ state: 'attached' });
});
