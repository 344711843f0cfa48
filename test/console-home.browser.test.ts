/// <reference lib="dom" />
import { expect, test } from '@jest/globals';
import { expectAccessible, expectNoOverflow, openConsole } from './support/console.ts';

/* The start page of an admin. */

const console = openConsole({ isDemo: true });

test('a new business is led to its first event by five steps, which tick themselves off', async () => {
  const { page, business, client, staff } = await console.openFresh();
  const done = page.locator('[data-done=true]');
  await page.getByRole('heading', { name: 'Ready for your first event in five steps' }).waitFor();
  // The business has a staff member already.
  expect(await done.allTextContents()).toEqual([expect.stringContaining('Add people')]);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await console.service.prisma.business.update({ where: { id: business.id }, data: { timezone: 'Europe/Berlin' } });
  const position = await console.service.createPosition(business, { defaultPayRate: '20' });
  const event = await console.service.createEvent(business, { clientId: client.id });
  const call = await console.service.createCallTime(event, { positionId: position.id });
  await page.reload();
  await done.nth(3).waitFor();
  expect(await done.count()).toBe(4);
  await console.service.createShift(event, staff, { callTimeId: call.id });
  await page.reload();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  expect(await done.count()).toBe(0);
});

test('a business whose zone really is UTC ticks the first step off by its first event', async () => {
  const { page, business } = await console.openFresh();
  const step = page.locator('[data-done=true]', { hasText: 'Say where your business is' });
  await page.getByText('Its time zone decides what today is.').waitFor();
  expect(await step.count()).toBe(0);
  await console.service.createEvent(business, { timezone: 'UTC' });
  await page.reload();
  await step.waitFor();
});

test('an admin sees today’s events, the open places and who has to answer, each with a way there', async () => {
  const page = await console.openAs('admin');
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByRole('link', { name: 'Show the open places' }).click();
  await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor();
  expect(await page.evaluate(() => location.search)).toBe('?span=week&show=open');
});
