/// <reference lib="dom" />
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { chip, live, openBoard, wall, zone } from './support/board-page.ts';
import { drag, expectAccessible, expectNoOverflow, toast, undo } from './support/console.ts';

/* People are moved and exchanged on the board, between its events. */

const board = openBoard({ isAlone: true });

/** The day with another event, where one of two servers is needed still: Ada is one. */
async function createTwo() {
  const day = await board.createDay();
  const { service } = board;
  const ada = await service.createUser(day.business, 'staff', { name: 'Ada Quill' });
  const position = await service.createPosition(day.business, { title: 'Server' });
  const times = { start: wall(8), end: wall(10) };
  const gala = await service.createEvent(day.business, { title: 'Gala', timezone: zone, ...times });
  const server = await service.createCallTime(gala, { ...times, positionId: position.id, staffNeeded: 2 });
  await service.createShift(gala, ada, { ...times, callTimeId: server.id, positionId: position.id });
  const findPeople = async (eventId: number) => {
    const where = { eventId, status: 'active' } as const;
    const shifts = await service.prisma.workShift.findMany({ where, include: { user: true }, orderBy: { id: 'asc' } });
    return shifts.map(({ user }) => user.name).sort();
  };
  return { ...day, ada, gala, server, findPeople };
}

const lane = (page: Page, position: string) => page.locator('.bd-lane', { hasText: position });
const open = async (as: string, path = '/board?span=3days', options = {}) => {
  const page = await board.open(as, path, options);
  await live(page);
  await page.locator('.bd-cards').hover();
  await page.locator('.bd-moving').waitFor({ state: 'attached' });
  return page;
};

test.each(['/board?span=3days', '/app/board?span=3days'])(
  'somebody is dragged to the place of another event at %s, with a reason, and the emptied place is offered',
  async (path) => {
    const { as, event, gala, findPeople } = await createTwo();
    const page = await open(as.admin, path);
    await drag(page, chip(page, 'Ivy G.'), lane(page, 'Server').locator('.bd-name'));
    await page.getByRole('dialog', { name: /^Move Ivy Green to Gala: Server/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.type('Guests came early');
    await page.keyboard.press('Enter');
    await toast(page, 'Ivy Green moved to Gala: Server');
    await lane(page, 'Server').locator('.bd-chip', { hasText: 'Ivy G.' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.matches('.bd-open'));
    const moved = await board.service.prisma.workShift.findFirstOrThrow({
      where: { eventId: gala.id, user: { lastName: 'Green' }, status: 'active' },
    });
    expect(moved.moveReason).toBe('Guests came early');
    // Enter on the place that was emptied fills it.
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox', { name: 'Theo Rossi' }).waitFor();
    await page.keyboard.press('Escape');
    await undo(page).click();
    await lane(page, 'Bartender').locator('.bd-chip', { hasText: 'Ivy G.' }).waitFor();
    expect([await findPeople(event.id), await findPeople(gala.id)]).toEqual([['Ivy Green'], ['Ada Quill']]);
  },
);

test('somebody is picked up, carried and dropped by keyboard, in a full place by exchange, and all is undone', async () => {
  const { as, event, gala, server, findPeople } = await createTwo();
  await board.service.prisma.callTime.updateMany({ where: { uuid: server.uuid }, data: { staffNeeded: 1 } });
  const page = await open(as.admin);
  const said = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
  await lane(page, 'Bartender').locator('.bd-name').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('m');
  await said('Ivy Green is picked up.');
  await page.keyboard.press('Enter');
  await said('Ivy Green cannot be dropped here.');
  await page.keyboard.press('ArrowDown');
  await said('Enter drops Ivy Green here.');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await said('Ivy Green stays.');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Ivy G.');
  await page.keyboard.press('m');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Exchange Ivy Green and Ada Quill' }).waitFor();
  await page.keyboard.press('Enter');
  await toast(page, 'Ivy Green and Ada Quill exchanged.');
  await lane(page, 'Bartender').locator('.bd-chip', { hasText: 'Ada Q.' }).waitFor();
  expect([await findPeople(event.id), await findPeople(gala.id)]).toEqual([['Ada Quill'], ['Ivy Green']]);
  await undo(page).press('Enter');
  await toast(page, 'Undone');
  expect([await findPeople(event.id), await findPeople(gala.id)]).toEqual([['Ivy Green'], ['Ada Quill']]);
});

test('what stands against a move is said before it is stored, and lifted by the reason', async () => {
  const { as, business, gala, server, ivy, findPeople } = await createTwo();
  const other = await board.service.createEvent(business, {
    title: 'Late',
    start: wall(9),
    end: wall(11),
    timezone: zone,
  });
  await board.service.createShift(other, ivy, { start: wall(9), end: wall(11) });
  await board.service.prisma.callTime.updateMany({ where: { uuid: server.uuid }, data: { staffNeeded: 1 } });
  const page = await open(as.admin, '/board?span=3days', { expected: /409/ });
  await drag(
    page,
    lane(page, 'Bartender').locator('.bd-chip', { hasText: 'Ivy G.' }),
    lane(page, 'Server').locator('.bd-name'),
  );
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByText('The call time has 1 person for 1 place.').waitFor();
  await page.getByText('Ivy Green works at “Late” for 1 h of this time.').waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page);
  expect(await findPeople(gala.id)).toEqual(['Ada Quill']);
  await page.getByLabel('Do it anyway, because').fill('Both agreed');
  await page.getByRole('button', { name: 'Move anyway' }).click();
  await toast(page, 'Ivy Green moved to Gala');
  expect(await findPeople(gala.id)).toEqual(['Ada Quill', 'Ivy Green']);
});

test('staff, clients and walls move nobody', async () => {
  const { as, ivy } = await createTwo();
  for (const [who, path] of [
    [await board.service.tokenOf(ivy), '/board'],
    [as.client, '/board'],
    [as.admin, '/board?wall=1'],
  ] as const) {
    const page = await board.open(who, path);
    await chip(page, 'Ivy G.').first().waitFor();
    await chip(page, 'Ivy G.').first().hover();
    await page.keyboard.press('m');
    expect(await page.locator('[draggable=true], .st-carried').count()).toBe(0);
  }
});
