/// <reference lib="dom" />
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { wall, zone } from './support/board-page.ts';
import { countClicks, expectAccessible, expectNoOverflow, openConsole } from './support/console.ts';

const console = openConsole({ isAlone: true });
const phone = { viewport: { width: 390, height: 844 }, timezoneId: zone, hasTouch: true };
const offline = /ERR_INTERNET_DISCONNECTED|Failed to load resource|Failed to fetch/;

/** A staff member with shifts: one that has ended, one in three hours, one of a canceled event, and one far away. */
async function createShifts(begun?: string) {
  const tenant = await console.service.createTenant();
  const { business, client, staff } = tenant;
  const { service } = console;
  const position = await service.createPosition(business, { title: 'Bartender' });
  const place = { venueName: 'The Old Granary', address: '12 Mill Lane', city: 'Madison', state: 'WI', zip: '53703' };
  const add = async (title: string, fromHour: number, event: object = {}) => {
    const times = { start: wall(fromHour), end: wall(fromHour + 5) };
    const created = await service.createEvent(business, {
      ...{ title, clientId: client.id, timezone: zone, privateNotes: 'Owes us money', ...place },
      ...times,
      ...event,
    });
    const call = { ...times, positionId: position.id, dressCode: 'All black', notesForStaff: 'Use the back door.' };
    const { id } = await service.createCallTime(created, call);
    await service.createShift(created, staff, { ...times, positionId: position.id, callTimeId: id });
  };
  await add('Yesterday’s Lunch', -30);
  if (begun) await add(begun, -1);
  await add('Harvest Dinner', 3);
  await add('Called-off Gala', 30, { status: 'canceled' });
  await add('Winter Ball', 24 * 50);
  return tenant;
}

const card = (page: Page, title: string) => page.locator('article', { hasText: title });

test('shows the next shift first, with all that is needed to be there', async () => {
  const { as } = await createShifts();
  const page = await console.open(as.staff, '/app', phone);
  const next = page.locator('article').first();
  await next.waitFor();
  const text = await next.innerText();
  for (const wanted of ['Next · in', 'Harvest Dinner', 'Bartender', 'All black', 'Use the back door.'])
    expect(text).toContain(wanted);
  const map = next.getByRole('link', { name: /^Map of The Old Granary/ });
  expect(await map.getAttribute('href')).toContain(encodeURIComponent('12 Mill Lane'));
  expect(await card(page, 'Called-off Gala').innerText()).toContain('The event is canceled');
  expect(await card(page, 'Called-off Gala').getByRole('button').count()).toBe(0);
  await card(page, 'Winter Ball').waitFor();
  expect(await page.getByText('2 shifts wait for your answer.').count()).toBe(1);
  expect(await page.content()).not.toContain('Owes us money');
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByRole('tab', { name: 'Past' }).click();
  await card(page, 'Yesterday’s Lunch').waitFor();
  expect(await page.locator('article').count()).toBe(1);
  await expectAccessible(page);
});

test('takes an answer by two taps at most, and takes a confirmation back', async () => {
  const { as } = await createShifts();
  const page = await console.open(as.staff, '/app/my-shifts', phone);
  const taps = await countClicks(page, async () => {
    await page.getByRole('button', { name: 'Confirm: Harvest Dinner' }).click();
    await page.getByText('You confirmed Harvest Dinner.').waitFor();
  });
  expect(taps).toBe(1);
  await card(page, 'Harvest Dinner').getByText('Confirmed').waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Harvest Dinner');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Confirm: Harvest Dinner' }).waitFor();
  // By keyboard: the question comes with the focus on the harmless answer.
  await page.getByRole('button', { name: 'Decline: Winter Ball' }).focus();
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Keep it');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await card(page, 'Winter Ball').getByText('You declined').waitFor();
});

test('offers of a shift that has begun what the service takes: a confirmation, and no giving back', async () => {
  const { as, staff } = await createShifts('Long Lunch');
  const page = await console.open(as.staff, '/app', phone);
  const begun = card(page, 'Long Lunch');
  await begun.getByRole('button', { name: 'Confirm: Long Lunch' }).waitFor();
  expect(await begun.getByRole('button', { name: /Decline|Swap/ }).count()).toBe(0);
  const shift = await console.service.prisma.workShift.findFirstOrThrow({
    where: { userId: staff.id, event: { title: 'Long Lunch' } },
  });
  const act = async (action: string) =>
    (await console.service.call('POST', `/v1/work_shifts/${shift.uuid}/actions/${action}`, { as: as.staff })).status;
  expect(await act('decline')).toBe(409);
  await begun.getByRole('button', { name: 'Confirm: Long Lunch' }).click();
  await page.getByText('You confirmed Long Lunch.').waitFor();
  // It can neither be taken back here nor by a call.
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  expect(await act('unconfirm')).toBe(409);
  await begun.getByRole('button', { name: /Confirm/ }).waitFor({ state: 'detached' });
});

test('shows that somebody is called off without being loaded anew', async () => {
  const { as, business } = await createShifts();
  const page = await console.open(as.staff, '/app/my-shifts', { ...phone, expected: offline });
  await page.getByRole('button', { name: 'Confirm: Harvest Dinner' }).waitFor();
  const { prisma } = console.service;
  const { uuid } = await prisma.workShift.findFirstOrThrow({
    where: { businessId: business.id, event: { title: 'Harvest Dinner' } },
  });
  const { status } = await console.service.call('POST', `/v1/work_shifts/${uuid}/actions/cancel`, { as: as.admin });
  expect(status).toBe(200);
  await card(page, 'Harvest Dinner').getByText('You are called off').waitFor();
  expect(await page.getByRole('button', { name: 'Confirm: Harvest Dinner' }).count()).toBe(0);
});

test('shows the last list without a connection, and nothing of it after the log-out', async () => {
  const { as } = await createShifts();
  const page = await console.open(as.staff, '/app/my-shifts', { ...phone, expected: offline });
  await card(page, 'Harvest Dinner').waitFor();
  const kept = async () =>
    page.evaluate(async () => {
      const cache = await caches.open('callboard-console');
      return (await cache.keys()).map(({ url }) => new URL(url).pathname);
    });
  await page.waitForFunction(async () => (await (await caches.open('callboard-console')).keys()).length > 3);
  const paths = await kept();
  expect(paths).toContain('/app');
  expect(paths.filter((path) => path !== '/app' && !path.startsWith('/assets/'))).toEqual([]);

  // What an older version left goes at the next load.
  await page.evaluate(async () => {
    const cache = await caches.open('callboard-console');
    await cache.put('/assets/older.js', new Response('old'));
  });
  await page.reload();
  await card(page, 'Harvest Dinner').waitFor();
  await page.waitForFunction(async () => !(await (await caches.open('callboard-console')).match('/assets/older.js')));

  await page.context().setOffline(true);
  await page.reload();
  await page.getByText('No connection. This is your list as of').waitFor();
  await card(page, 'Harvest Dinner').waitFor();
  expect(await page.getByRole('button', { name: /^Confirm/ }).count()).toBe(0);
  await expectNoOverflow(page);
  // It comes back by itself.
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Confirm: Harvest Dinner' }).waitFor();

  const stored = () => page.evaluate(() => localStorage.getItem('callboard:my-shifts'));
  expect(await stored()).toContain('Harvest Dinner');
  expect(await stored()).not.toContain('Owes us money');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
  expect(await stored()).toBeNull();
});

test('forgets the list when the credential is refused', async () => {
  const { as } = await createShifts();
  const page = await console.open(as.staff, '/app/my-shifts', { ...phone, expected: offline });
  await card(page, 'Harvest Dinner').waitFor();
  await console.service.call('DELETE', '/v1/tokens/personal/all', { as: as.staff });
  // The stream may ask to log in again before the button does.
  await page
    .getByRole('button', { name: 'Confirm: Harvest Dinner' })
    .click({ timeout: 5000 })
    .catch(() => undefined);
  await page.getByRole('heading', { name: /Log in again|logged out/i }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('callboard:my-shifts'))).toBeNull();
});

test('says so when there are no shifts', async () => {
  const { as } = await console.service.createTenant();
  const page = await console.open(as.staff, '/app/my-shifts', phone);
  await page.getByText('No shifts to come').waitFor();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Past' }).click();
  await page.getByText('No past shifts').waitFor();
});
