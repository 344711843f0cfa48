/// <reference lib="dom" />
import { expect, test } from '@jest/globals';
import { expectAccessible, expectNoOverflow, openConsole } from './support/console.ts';

/* Calendar feeds, on one page for all kinds. */

const console = openConsole({ isDemo: true, isAlone: true });

test('staff add their shifts to their calendar, give it a new address, and revoke it', async () => {
  await console.service.prisma.feed.deleteMany();
  const page = await console.openAs('staff', '/app/my-shifts', { viewport: { width: 390, height: 844 } });
  await page.getByRole('link', { name: 'Add to my calendar' }).click();
  await page.getByText('No calendars yet').waitFor();
  await page.getByRole('button', { name: 'New calendar' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Enter');
  const address = page.locator('.cs-secret');
  await address.waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page);
  const first = (await address.textContent())!;
  expect(await page.getByRole('link', { name: 'Open it' }).getAttribute('href')).toBe(
    first.replace('http:', 'webcal:'),
  );
  expect(await (await fetch(first)).text()).toContain('X-WR-CALNAME:My shifts');
  await page.keyboard.press('Escape');
  await page
    .getByText('Not read yet')
    .or(page.getByText(/^Last read/))
    .waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByRole('button', { name: 'New address for My shifts' }).click();
  await address.waitFor();
  const second = (await address.textContent())!;
  expect(second).not.toBe(first);
  await page.keyboard.press('Escape');
  await page.getByText(/^The address before works too/).waitFor();
  await page.getByRole('button', { name: 'Revoke My shifts' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('My shifts');
  await page.keyboard.press('Enter');
  await page.getByText('No calendars yet').waitFor();
  for (const url of [first, second]) expect((await fetch(url)).status).toBe(404);
});

test('admins make the calendar of an event from its page, and clients that of their events', async () => {
  const { uuid, title } = await console.service.prisma.event.findFirstOrThrow({
    where: { status: 'active', business: { name: 'Aurora Events' } },
  });
  const admin = await console.openAs('admin', `/app/events/${uuid}`);
  await admin.getByRole('button', { name: 'More', exact: true }).click();
  await admin.getByRole('menuitem', { name: 'Calendar feed…' }).click();
  await admin.getByRole('button', { name: 'New calendar' }).click();
  expect(await admin.getByLabel('Name', { exact: true }).inputValue()).toBe(title);
  await admin.keyboard.press('Enter');
  const ofEvent = (await admin.locator('.cs-secret').textContent())!;
  expect(await (await fetch(ofEvent)).text()).toContain('BEGIN:VCALENDAR');
  const client = await console.openAs('client', '/app/events');
  await client.getByRole('link', { name: 'Add to my calendar' }).click();
  await client.getByRole('button', { name: 'New calendar' }).click();
  await client.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  expect((await fetch((await client.locator('.cs-secret').textContent())!)).status).toBe(200);
});
