/// <reference lib="dom" />
import { mkdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { wall, zone } from './support/board-page.ts';
import { countClicks, expectAccessible, expectNoOverflow, openConsole, toast } from './support/console.ts';

/* Swaps and handovers: staff on a phone, and admins beside the people of the event. */

const console = openConsole({ isAlone: true });
const refused = /Failed to load resource|409|412/;
const phone = { viewport: { width: 390, height: 844 }, timezoneId: zone, hasTouch: true, expected: refused };
const shots = process.env['TEST_SCREENSHOTS'];

/** A dinner and a lunch, at which Ada and Ivy work as bartenders. Max works nowhere yet. */
async function createShifts(settings: object = {}) {
  const { service } = console;
  const tenant = await service.createTenant();
  const { business } = tenant;
  await service.prisma.business.update({ where: { id: business.id }, data: settings });
  const { id: positionId } = await service.createPosition(business, { title: 'Bartender' });
  const tokens: Record<string, string> = {};
  const add = async (title: string, name: string, fromHour: number) => {
    const times = { start: wall(fromHour), end: wall(fromHour + 5) };
    const event = await service.createEvent(business, {
      title,
      timezone: zone,
      venueName: 'The Old Granary',
      ...times,
    });
    const { id: callTimeId } = await service.createCallTime(event, { ...times, positionId, staffNeeded: 2 });
    const user = await service.createUser(business, 'staff', { name });
    tokens[name] = await service.tokenOf(user);
    const more = { ...times, positionId, callTimeId, confirmed: true, confirmedAt: new Date() };
    return { event, shift: await service.createShift(event, user, more) };
  };
  const dinner = await add('Harvest Dinner', 'Ada Quill', 240);
  const lunch = await add('Winter Lunch', 'Ivy Green', 290);
  tokens['Max Busy'] = await service.tokenOf(await service.createUser(business, 'staff', { name: 'Max Busy' }));
  const openPhone = (name: string) => console.open(tokens[name]!, '/app/my-shifts', phone);
  const holderOf = async ({ shift }: typeof dinner) =>
    (
      await service.prisma.workShift.findFirstOrThrow({
        where: { id: shift.id, businessId: business.id },
        include: { user: true },
      })
    ).user.name;
  const openEvent = () => console.open(tenant.as.admin, `/app/events/${dinner.event.uuid}`, { expected: refused });
  return { ...tenant, dinner, lunch, openPhone, openEvent, holderOf };
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const card = (page: Page, text: string) => page.locator('article', { hasText: text });

async function look(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  await expectNoOverflow(page);
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
}

test('a shift is handed over to a colleague by name, who takes it by one tap', async () => {
  const { openPhone, dinner, holderOf } = await createShifts({ approvesSwaps: false });
  const ada = await openPhone('Ada Quill');
  const max = await openPhone('Max Busy');
  await max.getByText('No shifts to come').waitFor();
  await button(ada, 'Swap or hand over: Harvest Dinner').click();
  await ada.getByLabel('Who is to take it').fill('max');
  await ada.getByRole('option', { name: 'Max Busy' }).click();
  await ada.getByLabel('Message').fill('I have an exam.');
  await look(ada, 'ask');
  await button(ada, 'Send').click();
  await toast(ada, 'Max Busy is asked.');
  await ada.getByText('You asked Max Busy to take it. It stays yours until then.').waitFor();
  // What is under a swap can be neither dropped nor declined.
  expect(await button(ada, 'Give it back: Harvest Dinner').count()).toBe(0);
  await look(ada, 'asked');

  // The stream tells Max.
  await max.getByText('Ada Quill asks you to take it', { exact: false }).waitFor();
  expect(await card(max, 'Harvest Dinner').innerText()).toContain('I have an exam.');
  await look(max, 'colleague');
  const taps = await countClicks(max, async () => {
    await button(max, 'Take it: Harvest Dinner').click();
    await toast(max, 'Harvest Dinner is yours.');
  });
  expect(taps).toBe(1);
  await card(max, 'Harvest Dinner').getByText('Confirmed').waitFor();
  expect(await holderOf(dinner)).toBe('Max Busy');
  await ada.locator('summary', { hasText: '1 swap is over' }).click();
  await card(ada, 'Harvest Dinner').getByText('Max Busy has taken it').waitFor();
  await look(ada, 'done');
});

test('two shifts are swapped by keyboard once an admin approves', async () => {
  const { openPhone, openEvent, dinner, lunch, holderOf, as } = await createShifts();
  const ada = await openPhone('Ada Quill');
  await button(ada, 'Swap or hand over: Harvest Dinner').focus();
  await ada.keyboard.press('Enter');
  await ada.getByRole('combobox', { name: 'Who is to take it' }).focus();
  await ada.keyboard.type('ivy');
  await ada.getByRole('option', { name: /^Ivy Green, for Bartender, Winter Lunch, / }).waitFor();
  await ada.keyboard.press('ArrowDown');
  await ada.keyboard.press('Enter');
  await button(ada, 'Send').focus();
  await ada.keyboard.press('Enter');
  await ada.getByText('You asked Ivy Green to take it.', { exact: false }).waitFor();

  const ivy = await openPhone('Ivy Green');
  await card(ivy, 'Harvest Dinner').getByText('Ada Quill takes yours instead: Bartender, Winter Lunch').waitFor();
  await button(ivy, 'Take it: Harvest Dinner').focus();
  await ivy.keyboard.press('Enter');
  await toast(ivy, 'You said yes to Harvest Dinner. An admin decides.');
  await card(ivy, 'Winter Lunch').getByText('You agreed to swap it with Ada Quill. An admin decides.').waitFor();
  await card(ada, 'Harvest Dinner').getByText('Ivy Green wants to take it.', { exact: false }).waitFor();
  await look(ivy, 'waits');
  expect(await holderOf(dinner)).toBe('Ada Quill');

  const home = await console.open(as.admin, '/app');
  await home.getByRole('link', { name: 'Ada Quill to Ivy Green: Bartender at Harvest Dinner' }).waitFor();
  await look(home, 'home');
  const page = await openEvent();
  await page.getByText('Ivy Green wants to take it · in exchange for Bartender, Winter Lunch').waitFor();
  await look(page, 'event');
  await button(page, 'Approve swap: Ada Quill').focus();
  await page.keyboard.press('Enter');
  await toast(page, 'The swap of Ada Quill is done.');
  await page.locator('[data-shift]', { hasText: 'Ivy Green' }).getByText('confirmed', { exact: true }).waitFor();
  await card(ivy, 'Harvest Dinner').getByText('Confirmed').waitFor();
  await card(ada, 'Winter Lunch').getByText('Confirmed').waitFor();
  expect([await holderOf(dinner), await holderOf(lunch)]).toEqual(['Ivy Green', 'Ada Quill']);
});

test('a handover to anybody stands under the open shifts, and an admin refuses it with a reason', async () => {
  const { openPhone, openEvent, dinner, holderOf } = await createShifts();
  const ada = await openPhone('Ada Quill');
  await button(ada, 'Swap or hand over: Harvest Dinner').click();
  await button(ada, 'Send').click();
  await toast(ada, 'Whoever can work then sees it.');
  const page = await openEvent();
  await page.getByText('asks anybody to take it').waitFor();
  expect(await button(page, 'Approve swap: Ada Quill').count()).toBe(0);
  const max = await openPhone('Max Busy');
  await max.getByRole('tab', { name: 'Open shifts' }).click();
  await card(max, 'Harvest Dinner').getByText('Ada Quill looks for somebody to take it').waitFor();
  await look(max, 'anybody');
  await button(max, 'Take it: Harvest Dinner').click();
  await max.getByRole('tab', { name: 'To come' }).click();
  await card(max, 'Harvest Dinner').getByText('You said yes. An admin decides').waitFor();
  await button(page, 'Refuse swap: Ada Quill').click();
  await page.keyboard.type('Too few bartenders.');
  await look(page, 'refuse');
  await button(page, 'Refuse').click();
  await toast(page, 'The swap of Ada Quill is refused.');
  await max.locator('summary').click();
  await card(max, 'Harvest Dinner').getByText('“Too few bartenders.”').waitFor();
  await button(ada, 'Give it back: Harvest Dinner').waitFor();
  expect(await holderOf(dinner)).toBe('Ada Quill');
});

test('a request is declined by two taps, and another one is taken back', async () => {
  const { openPhone } = await createShifts();
  const ada = await openPhone('Ada Quill');
  const ivy = await openPhone('Ivy Green');
  const ask = async () => {
    await button(ada, 'Swap or hand over: Harvest Dinner').click();
    await ada.getByLabel('Who is to take it').fill('ivy');
    await ada.getByRole('option', { name: 'Ivy Green', exact: true }).click();
    await button(ada, 'Send').click();
    await button(ivy, 'Decline: Harvest Dinner').waitFor();
  };
  await ask();
  await button(ivy, 'Decline: Harvest Dinner').click();
  await button(ivy, 'Really decline').click();
  await toast(ivy, 'You declined Harvest Dinner.');
  await button(ada, 'Swap or hand over: Harvest Dinner').waitFor();
  await ask();
  await button(ada, 'Take it back: Harvest Dinner').click();
  await toast(ada, 'You keep Harvest Dinner.');
  await button(ivy, 'Decline: Harvest Dinner').waitFor({ state: 'detached' });
});

test('the settings say whether an admin approves', async () => {
  const { as, business } = await createShifts();
  const page = await console.open(as.admin, '/app/settings');
  const field = page.getByLabel('An admin approves swaps');
  expect(await field.isChecked()).toBe(true);
  await field.click();
  await button(page, 'Save').click();
  await toast(page, 'Saved.');
  const { approvesSwaps } = await console.service.prisma.business.findUniqueOrThrow({ where: { id: business.id } });
  expect(approvesSwaps).toBe(false);
});
