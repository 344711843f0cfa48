/// <reference lib="dom" />
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { wall, zone } from './support/board-page.ts';
import { countClicks, expectAccessible, expectNoOverflow, openConsole, toast } from './support/console.ts';

const console = openConsole({ isAlone: true });
const refused = /Failed to load resource|409|412/;
const phone = { viewport: { width: 390, height: 844 }, timezoneId: zone, hasTouch: true, expected: refused };

/** A dinner in ten days with two bartenders needed and nobody assigned, where it is noon in the time zone of the business. */
async function createDinner(call: object = {}) {
  const { service } = console;
  const tenant = await service.createTenant();
  const { business } = tenant;
  const hour = new Date().getUTCHours();
  const noon = `Etc/GMT${hour > 12 ? '+' : '-'}${Math.abs(hour - 12)}`;
  await service.prisma.business.update({ where: { id: business.id }, data: { timezone: noon } });
  const position = await service.createPosition(business, { title: 'Bartender' });
  const times = { start: wall(240), end: wall(246) };
  const event = await service.createEvent(business, {
    ...{ title: 'Harvest Dinner', timezone: zone, venueName: 'The Old Granary', city: 'Madison', ...times },
  });
  const made = await service.createCallTime(event, { ...times, positionId: position.id, staffNeeded: 2, ...call });
  const people: Record<string, string> = {};
  for (const name of ['Ada Quill', 'Ivy Green', 'Max Busy', 'Theo Rossi'])
    people[name] = await service.tokenOf(await service.createUser(business, 'staff', { name }));
  const openPhone = (name: string) => console.open(people[name]!, '/app/my-shifts', phone);
  const openEvent = (query = '') =>
    console.open(tenant.as.admin, `/app/events/${event.uuid}${query}`, { expected: refused });
  return { ...tenant, event, call: made, openPhone, openEvent };
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const card = (page: Page, text: string) => page.locator('article', { hasText: text });
const asked = (page: Page, name: string) => page.locator('details .st-person', { hasText: name });

/** Chooses people in the panel and opens the dialog that asks them. */
async function choose(page: Page, names: readonly string[]) {
  await button(page, /^Fill/).click();
  for (const name of names) await page.getByRole('checkbox', { name }).click();
  await button(page, /^Ask/).click();
  await page.getByRole('dialog', { name: /^Ask/ }).waitFor();
}

test('an event is staffed from nothing to all confirmed by asking', async () => {
  const { openEvent, openPhone, call } = await createDinner();
  const page = await openEvent();
  await choose(page, ['Ada Quill', 'Ivy Green', 'Max Busy', 'Theo Rossi']);
  await page.getByLabel('Message').fill('Black shoes, please.');
  await page.getByLabel('Answer by').selectOption({ index: 4 });
  await expectAccessible(page);
  await expectNoOverflow(page);
  await button(page, 'Send').click();
  await toast(page, '4 people are asked.');
  await page.getByText('Asked: 4 not answered').click();
  await expectAccessible(page);

  const ada = await openPhone('Ada Quill');
  const text = await card(ada, 'Harvest Dinner').innerText();
  for (const wanted of [
    'Bartender',
    'The Old Granary',
    'Black shoes, please.',
    'Whoever accepts first',
    'Answer until',
  ])
    expect(text).toContain(wanted);
  expect(text).toMatch(/\d\d:00 – \d\d:00 E[SD]T/);
  await expectAccessible(ada);
  await expectNoOverflow(ada);
  const taps = await countClicks(ada, async () => {
    await button(ada, 'Accept: Harvest Dinner').click();
    await toast(ada, 'You have the place at Harvest Dinner.');
  });
  expect(taps).toBe(1);
  await card(ada, 'Harvest Dinner').getByText('Confirmed').waitFor();

  // By keyboard; the question comes with the focus on the harmless answer.
  const ivy = await openPhone('Ivy Green');
  await button(ivy, 'Decline: Harvest Dinner').focus();
  await ivy.keyboard.press('Enter');
  expect(await ivy.evaluate(() => document.activeElement?.textContent)).toBe('Keep it');
  await ivy.keyboard.press('Tab');
  await ivy.keyboard.press('Enter');
  await toast(ivy, 'You declined Harvest Dinner.');
  expect(await ivy.evaluate(() => document.activeElement?.tagName)).toBe('H1');

  const theo = await openPhone('Theo Rossi');
  const max = await openPhone('Max Busy');
  await button(theo, 'Accept: Harvest Dinner').click();
  await toast(theo, 'You have the place');
  // The stream tells Max, whose answer comes too late.
  await max.locator('summary').click();
  await button(max, 'Put me on the waitlist: Harvest Dinner').click();
  await max.getByText('You are number 1 on the waitlist', { exact: false }).first().waitFor();
  await expectAccessible(max);
  await expectNoOverflow(max);

  // The admin sees it without a reload.
  await asked(page, 'Max Busy').getByText('on the waitlist, number 1').waitFor();
  await asked(page, 'Ivy Green').getByText('declined').waitFor();

  // A place becomes free, and the waitlist moves up.
  await button(ada, 'Give it back: Harvest Dinner').click();
  await button(ada, 'Really give it back').click();
  await toast(ada, 'You gave Harvest Dinner back.');
  await card(max, 'Harvest Dinner').getByText('Confirmed').waitFor();
  for (const name of ['Theo Rossi', 'Max Busy'])
    await page.locator('[data-shift]', { hasText: name }).getByText('confirmed', { exact: true }).waitFor();
  const shifts = await console.service.prisma.workShift.findMany({
    where: { callTimeId: call.id, status: 'active', confirmed: true },
  });
  expect(shifts).toHaveLength(2);
});

test('an admin decides who of those who accept has the place, and takes the offer back from the others', async () => {
  const { openEvent, openPhone, as } = await createDinner({ staffNeeded: 1 });
  const page = await openEvent();
  await choose(page, ['Ada Quill', 'Ivy Green', 'Max Busy', 'Theo Rossi']);
  await page.getByLabel('Who has the place').selectOption('APPROVAL');
  await page.getByLabel('How many at a time').fill('0');
  await button(page, 'Send').click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.getByLabel('How many at a time').fill('3');
  await page.getByLabel('The next ones after').selectOption({ label: '2 h' });
  await button(page, 'Send').click();
  await toast(page, '3 people are asked, 1 later.');

  const ada = await openPhone('Ada Quill');
  await button(ada, 'Accept: Harvest Dinner').click();
  await card(ada, 'Harvest Dinner').getByText('You said yes. An admin decides').waitFor();
  await button(ada, 'Take it back: Harvest Dinner').click();
  await button(ada, 'Really take it back').click();
  await toast(ada, 'You do not wait for Harvest Dinner any more.');
  const ivy = await openPhone('Ivy Green');
  await button(ivy, 'Accept: Harvest Dinner').click();
  const max = await openPhone('Max Busy');
  await button(max, 'Accept: Harvest Dinner').click();

  const home = await console.open(as.admin, '/app');
  await home.getByRole('link', { name: 'Ivy Green: Bartender at Harvest Dinner' }).waitFor();
  await expectAccessible(home);
  // While a place is open: who is asked when all are taken is too late.
  await page.getByText(/^Asked:/).click();
  await asked(page, 'Ada Quill').getByText('declined').waitFor();
  await button(page, 'Ask again Ada Quill').click();
  await toast(page, 'Ada Quill asked again.');
  await button(page, 'Take back Ada Quill').click();
  await page.keyboard.type('Filled.');
  await button(page, 'Take back').click();
  await toast(page, 'Taken back from Ada Quill.');
  await asked(page, 'Ada Quill').getByText('taken back').waitFor();

  await button(page, 'Approve Max Busy').focus();
  await page.keyboard.press('Enter');
  await toast(page, 'Max Busy has the place.');
  await card(max, 'Harvest Dinner').getByText('Confirmed').waitFor();
  await button(page, 'Refuse Ivy Green').click();
  await page.keyboard.type('Next time.');
  await expectAccessible(page);
  await button(page, 'Refuse').click();
  await toast(page, 'Ivy Green refused.');
  await ivy.locator('summary').click();
  await card(ivy, 'Somebody else has the place').getByText('“Next time.”').waitFor();

  await expectAccessible(page);
  await expectNoOverflow(page);
});

test('staff take an open shift, and ask to give it back after the deadline', async () => {
  const { openEvent, openPhone, as } = await createDinner({ staffNeeded: 1 });
  const page = await openEvent('?tab=calls');
  await page.getByLabel('Staff can, row 1').selectOption('OPEN');
  await button(page, 'Save').click();
  await toast(page, '1 call time saved.');

  const ada = await openPhone('Ada Quill');
  await ada.getByRole('tab', { name: 'Open shifts' }).click();
  await card(ada, 'Harvest Dinner').getByText('1 open place: yours at once').waitFor();
  await expectAccessible(ada);
  await expectNoOverflow(ada);
  await button(ada, 'Take it: Harvest Dinner').click();
  await toast(ada, 'You have the place at Harvest Dinner.');
  await ada.getByText('No open shifts').waitFor();

  const settings = await console.open(as.admin, '/app/settings');
  await settings.getByLabel('Hours before the start until which staff give a shift back').fill('24');
  await button(settings, 'Save').click();
  await toast(settings, 'Saved.');
  await ada.reload();
  await ada.getByText(/^You can give it back until \w{3} \d+ \w{3}, \d\d:00\. After that/).waitFor();
  await settings.getByLabel('Hours before the start until which staff give a shift back').fill('720');
  const saved = settings.waitForResponse(
    (response) => response.request().postData()?.includes('UpdateBusiness') === true,
  );
  await button(settings, 'Save').click();
  await saved;
  // Settings come with the viewer, which a page reads when it is opened.
  await ada.reload();
  await ada.getByText('It starts in less than 720 h, so that an admin decides', { exact: false }).waitFor();
  await button(ada, 'Ask to give it back: Harvest Dinner').click();
  await ada.getByRole('button', { name: 'Ask to give it back' }).click();
  await ada.getByText('You asked to give it back. It stays yours until an admin decides.').waitFor();
  await expectAccessible(ada);

  await page.getByRole('tab', { name: 'Staffing' }).click();
  await page.locator('[data-shift]', { hasText: 'wants to give it back' }).waitFor();
  await button(page, 'Hold Ada Quill').click();
  await toast(page, 'Ada Quill keeps the shift.');
  await ada.getByText('It starts in less than 720 h', { exact: false }).waitFor();
});
