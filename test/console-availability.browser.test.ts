/// <reference lib="dom" />
import { expect, test } from '@jest/globals';
import { countClicks, expectAccessible, expectNoOverflow, openConsole } from './support/console.ts';

const console = openConsole({ isAlone: true });
const phone = { viewport: { width: 390, height: 844 }, timezoneId: 'America/New_York', hasTouch: true };

test('staff say when they can work with few taps, and see which bookings do not fit', async () => {
  const { as, business, staff } = await console.service.createTenant();
  const times = { start: '2031-03-07 18:00:00', end: '2031-03-07 23:00:00' };
  const event = await console.service.createEvent(business, { ...times, timezone: 'America/New_York', title: 'Gala' });
  await console.service.createShift(event, staff, times);
  const page = await console.open(as.staff, '/app/my-shifts', phone);
  await page
    .getByRole('button', { name: /^Account|^Menu/ })
    .or(page.locator('.cs-who'))
    .first()
    .click();
  await page.locator('#account-menu').getByRole('link', { name: 'When I can work' }).click();
  await page.getByRole('heading', { level: 1, name: 'When I can work' }).waitFor();
  // Of patterns and of exceptions.
  const nothing = page.getByText('Nothing is said yet.');
  await nothing.nth(1).waitFor();
  expect(await nothing.count()).toBe(2);
  const taps = await countClicks(page, async () => {
    await page.getByRole('button', { name: 'Thursday' }).click();
    await page.getByRole('button', { name: 'Friday' }).click();
    await page.getByRole('button', { name: 'Add' }).first().click();
    await page.getByText('Friday, 09:00–17:00').waitFor();
  });
  expect(taps).toBe(3);
  await page.getByText('One booking is at a time of “cannot work”:').waitFor();
  await page.getByRole('link', { name: 'Gala' }).waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page);
  // A week off, by keyboard.
  await page.getByLabel('First day').fill('2031-08-04');
  await page.getByLabel('Last day').fill('2031-08-10');
  await page.getByLabel('Note').fill('Holiday');
  await page.keyboard.press('Enter');
  await page.getByText('Cannot work · Holiday').waitFor();
  const [exception] = await console.service.prisma.availabilityException.findMany({ where: { userId: staff.id } });
  expect([exception?.startsAt.toISOString(), exception?.endsAt.toISOString()]).toEqual([
    '2031-08-04T04:00:00.000Z',
    '2031-08-11T04:00:00.000Z',
  ]);
  await page.getByRole('button', { name: 'Remove: Friday, 09:00–17:00' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Friday, 09:00–17:00').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Every week');
});

test('what is missing or wrong is said beside the field', async () => {
  const { as } = await console.service.createTenant();
  const page = await console.open(as.staff, '/app/availability', phone);
  await page.getByRole('button', { name: 'Add' }).first().click();
  await page.getByText('Choose at least one day.').waitFor();
  await page.getByRole('button', { name: 'Monday' }).click();
  await page.getByLabel('Until').fill('24:00');
  await page.keyboard.press('Enter');
  await page.getByText('must be a time of day as HH:MM').first().waitFor();
  await expectAccessible(page);
});

test('an admin does it for a person, on their page', async () => {
  const { as, staff } = await console.service.createTenant();
  const page = await console.open(as.admin, `/app/people/${staff.id}`);
  await page.getByRole('tab', { name: 'When they can work' }).click();
  await page.getByRole('button', { name: 'Sunday' }).click();
  await page.getByLabel('All day').check();
  await page.getByLabel('What holds').first().selectOption('UNAVAILABLE');
  await page.getByRole('button', { name: 'Add' }).first().click();
  await page.getByText('Sunday, All day').waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page);
});
