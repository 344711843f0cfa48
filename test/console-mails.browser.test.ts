/// <reference lib="dom" />
import { mkdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { mailEnv } from './support/config.ts';
import { until } from './support/webhooks.ts';
import { expectAccessible, expectNoOverflow, openConsole } from './support/console.ts';

/* The pages behind the links in mails, on a phone, without a log-in. */

const console = openConsole({ env: mailEnv(), isAlone: true });
const refused = /Failed to load resource/;
const phone = { viewport: { width: 390, height: 844 }, expected: refused };
const shots = process.env['TEST_SCREENSHOTS'];

async function look(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoOverflow(page);
  await page.setViewportSize(phone.viewport);
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: `${shots}/${name}.png` });
}

/** An offer to a staff member, and the secret of the link in its mail. */
async function offer() {
  const { service } = console;
  const tenant = await service.createTenant();
  const event = await service.createEvent(tenant.business, {
    start: '2990-01-05 08:00:00',
    end: '2990-01-05 18:00:00',
    venueName: 'Harbour Hall',
    city: 'Chicago',
  });
  const callTime = await service.createCallTime(event, { start: '2990-01-05 08:00:00', end: '2990-01-05 18:00:00' });
  const made = await service.createOffer(callTime, { message: 'Black shoes, please.' });
  const { id } = await service.createRecipient(made, tenant.staff);
  return { tenant, event, secret: await service.createMail(tenant.staff, 'offer', id) };
}

test('an offer is accepted by two taps, and the link is over then', async () => {
  const { event, secret } = await offer();
  const page = await console.open(null, `/app/answer#${secret}`, phone);
  await page.getByRole('heading', { name: event.title }).waitFor();
  await look(page, 'answer');
  await page.getByRole('button', { name: 'Yes, I work' }).click();
  await page.getByText('The shift is yours').waitFor();
  await look(page, 'answered');
  const again = await console.open(null, `/app/answer#${secret}`, phone);
  await again.getByText('This link no longer works').waitFor();
  await look(again, 'answer-over');
});

test('an offer is declined', async () => {
  const { secret } = await offer();
  const page = await console.open(null, `/app/answer#${secret}`, phone);
  await page.getByRole('button', { name: 'No, I cannot' }).click();
  await page.getByText('You have declined').waitFor();
});

test('whoever has forgotten a password asks for a link, and sets a new one by it', async () => {
  const { tenant } = await offer();
  const start = await console.open(null, '/app', phone);
  await start.getByRole('link', { name: 'Forgot your password?' }).click();
  await start.getByRole('heading', { level: 1, name: 'Forgotten password' }).waitFor();
  await start.getByLabel('E-mail').fill('no address');
  await start.keyboard.press('Enter');
  await start.locator('[aria-invalid=true]').waitFor();
  await start.getByLabel('E-mail').fill(tenant.staff.email);
  await look(start, 'forgotten');
  await start.keyboard.press('Enter');
  await start.getByText('a mail is on its way').waitFor();
  const secret = await console.service.createMail(tenant.staff, 'password');
  const page = await console.open(null, `/app/new-password#${secret}`, phone);
  await page.getByLabel('Password', { exact: true }).fill('three quiet bartenders');
  await look(page, 'new-password');
  await page.getByRole('button', { name: 'Set the password and log in' }).click();
  await page.getByRole('heading', { level: 1, name: 'My shifts' }).waitFor();
  const again = await console.open(null, `/app/new-password#${secret}`, phone);
  await again.getByLabel('Password', { exact: true }).fill('another quiet bartender');
  await again.keyboard.press('Enter');
  await again.getByText('This link no longer works').waitFor();
});

test('mails are switched off by a link, and on again in the settings', async () => {
  const { tenant } = await offer();
  const { businessId, id: userId } = tenant.staff;
  const page = await console.open(
    null,
    `/app/unsubscribe#${console.service.offToken({ businessId, userId, kind: 'reminder' })}`,
    phone,
  );
  await look(page, 'unsubscribe');
  await page.getByRole('button', { name: 'Send me no more of them' }).click();
  await page.getByText('You get no more reminders').waitFor();
  const settings = await console.open(tenant.as.staff, '/app/settings/account', phone);
  const reminders = settings.getByLabel('Reminders before a shift');
  await reminders.waitFor();
  expect(await reminders.isChecked()).toBe(false);
  await look(settings, 'settings');
  await reminders.click();
  await until(async () => {
    const { mailOff } = await console.service.prisma.user.findFirstOrThrow({ where: { businessId, id: userId } });
    return mailOff.length === 0;
  });
});
