/// <reference lib="dom" />
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { countClicks, expectAccessible, openConsole } from './support/console.ts';
import { password } from './support/factories.ts';

/* A business from nothing to a staffed event, by its pages alone, as the people in it do it one after the other. */

const console = openConsole();

/** Clicks and taps of each job, and the most that it may take. */
const counted: { job: string; clicks: number; most: number }[] = [];
const count = async (page: Page, job: string, most: number, act: () => Promise<void>) =>
  counted.push({ job, most, clicks: await countClicks(page, act) });

const click = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const go = (page: Page, name: string) => page.getByRole('banner').getByRole('link', { name }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const toast = (page: Page, text: string) => page.locator('.cs-toasts').getByText(text).waitFor();
const call = (page: Page, position: string) => page.getByRole('group', { name: position });
const person = (page: Page, position: string, name: string) =>
  call(page, position).locator('.st-person', { hasText: name });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const doneSteps = (page: Page) => page.locator('[data-done=true]');

test('a new business is set up, makes an event, staffs it, and its people answer', async () => {
  const { service } = console;
  const business = await service.createBusiness();
  const { email } = await service.createUser(business, 'admin', { name: 'Grace Okafor' });

  // The admin of a business that has nothing logs in.
  const page = await console.open(null, '/app', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await click(page, 'Log in');
  await heading(page, 'Home');
  await page.getByRole('heading', { name: 'Ready for your first event in five steps' }).waitFor();
  expect(await doneSteps(page).count()).toBe(0);

  await count(page, 'the time zone is set', 4, async () => {
    await page.getByRole('link', { name: 'Business settings' }).click();
    await page.getByLabel('Time zone').selectOption('America/New_York');
    await click(page, 'Save');
    await toast(page, 'Saved.');
  });
  await go(page, 'Home');
  await doneSteps(page).nth(0).waitFor();

  await page.getByRole('link', { name: 'Positions' }).click();
  for (const [title, rate] of [
    ['Bartender', '26'],
    ['Server', '22.50'],
  ] as const)
    await count(page, 'a position is added', 3, async () => {
      await click(page, 'New position');
      await page.keyboard.type(title);
      await page.keyboard.press('Tab');
      await page.keyboard.type(rate);
      await click(page, 'Save');
      await toast(page, `${title} is saved.`);
    });

  const invitations: Record<string, string> = {};
  await go(page, 'People');
  for (const [name, short] of [
    ['Ada Quill', 'ada'],
    ['Ivy Green', 'ivy'],
    ['Theo Rossi', 'theo'],
  ] as const) {
    await count(page, 'a person is invited', 4, async () => {
      await click(page, 'Add a person');
      await page.getByLabel('Full name', { exact: true }).fill(name);
      await page.getByLabel('E-mail', { exact: true }).fill(`${short}@${business.id}.example`);
      await click(page, 'Add and invite');
      await click(page, 'Copy');
      await page.getByText('Copied.').waitFor();
    });
    invitations[short] = await page.evaluate(() => navigator.clipboard.readText());
    await page.keyboard.press('Escape');
  }

  await go(page, 'Home');
  await doneSteps(page).nth(2).waitFor();
  await count(page, 'an event with three call times is made', 12, async () => {
    await page.getByRole('link', { name: 'New event' }).first().click();
    await page.getByLabel('Title').fill('Winter Ball');
    // Today it might be over.
    await page.getByLabel('Date', { exact: true }).fill(inDays(3));
    await page.getByRole('textbox', { name: 'Start', exact: true }).click();
    await page.keyboard.type('18');
    await page.getByRole('textbox', { name: 'End', exact: true }).click();
    await page.keyboard.type('23');
    for (const [row, position] of ['Bartender', 'Server', 'Server'].entries()) {
      await page.getByLabel(`Position, row ${row + 1}`, { exact: true }).click();
      await page.keyboard.type(position);
      await page.keyboard.press('Tab');
      await page.keyboard.type('1');
    }
    await click(page, 'Create event');
    await heading(page, 'Winter Ball');
  });

  const places = page.getByRole('button', { name: /^Fill 1 open place/ });
  for (const name of ['Ada Quill', 'Ivy Green']) {
    await places.first().waitFor();
    const left = await places.count();
    await count(page, 'a gap is filled', 3, async () => {
      await places.first().click();
      await page.getByRole('checkbox', { name: new RegExp(`^${name}`) }).click();
      await click(page, 'Assign');
      await toast(page, `${name} assigned.`);
    });
    await places.nth(left - 1).waitFor({ state: 'detached' });
  }
  await person(page, 'Bartender', 'Ada Quill').waitFor();
  await count(page, 'somebody is moved', 3, async () => {
    await click(page, 'Move Ivy Green');
    await page
      .getByRole('radio', { name: /^Server/ })
      .first()
      .click();
    await click(page, 'Move');
    await toast(page, 'Ivy Green moved to');
  });
  await count(page, 'somebody is called off with a reason', 3, async () => {
    await click(page, 'Call off Ada Quill');
    await page.keyboard.type('The bar opens later.');
    await click(page, 'Call off');
    await toast(page, 'Ada Quill called off.');
  });
  while ((await places.count()) > 0) {
    await places.first().waitFor();
    const left = await places.count();
    await places.first().click();
    await page
      .getByRole('checkbox', { name: left === 2 ? /^Theo Rossi/ : /^Ada Quill/ })
      .first()
      .click();
    await click(page, 'Assign');
    await places.nth(left - 1).waitFor({ state: 'detached' });
  }
  await expectAccessible(page);

  // The invited set a password and answer from their phones.
  for (const link of Object.values(invitations)) {
    const phone = await console.open(null, link.replace(/^https?:\/\/[^/]+/, ''), {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    await phone.getByLabel('Password', { exact: true }).fill('three quiet bartenders');
    await click(phone, 'Set the password and log in');
    await heading(phone, 'My shifts');
    await count(phone, 'a shift is confirmed', 1, async () => {
      await click(phone, 'Confirm: Winter Ball');
      await phone.getByText('You confirmed Winter Ball.').waitFor();
    });
  }

  await page.reload();
  for (const name of ['Ada Quill', 'Ivy Green', 'Theo Rossi'])
    await page.locator('.st-person', { hasText: name }).getByText('confirmed', { exact: true }).waitFor();
  await go(page, 'Home');
  await page.getByText('Nobody has yet to answer.').waitFor();

  const event = await service.prisma.event.findFirstOrThrow({
    where: { businessId: business.id },
    include: { workShifts: { where: { status: 'active', confirmed: true } } },
  });
  expect([event.title, event.status, event.workShifts.length]).toEqual(['Winter Ball', 'active', 3]);
  expect(counted.filter(({ clicks, most }) => clicks > most)).toEqual([]);
  // 3 people, 2 positions, 2 gaps, 3 answers, and one of each other job.
  expect(counted).toHaveLength(14);
});
