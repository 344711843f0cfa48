/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { countClicks, expectAccessible, expectFits, expectNoOverflow, openConsole, zoomed } from './support/console.ts';
import { password } from './support/factories.ts';

/* The settings: a list of sections, of which staff and clients have only their own account. */

const console = openConsole({ isDemo: true, isAlone: true });

const toast = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();

/** Opens the deletion of a row, types its name, and deletes it. */
async function confirmDanger(page: Page, name: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: action }).isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill(name);
  await page.keyboard.press('Enter');
}

describe('the sections', () => {
  test('are a list beside the page, on a phone before it, without barriers and in every width', async () => {
    const page = await console.openAs('admin', '/app/settings', { viewport: { width: 390, height: 844 } });
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Positions' }).click();
    await page.getByRole('heading', { level: 1, name: 'Positions' }).waitFor();
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('navigation', { name: 'Settings' }).isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
    await page.getByRole('navigation', { name: 'Settings' }).waitFor();
  });

  test('each have no barriers and fit every screen, empty and with data', async () => {
    const full = await console.openAs('admin', '/app/settings');
    const { page: fresh } = await console.openFresh('/app/settings');
    for (const page of [full, fresh]) {
      const links = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
      for (const name of await links.allTextContents()) {
        await links.filter({ hasText: name }).first().click();
        await page.getByRole('heading', { level: 1, name }).waitFor();
        await page.locator('.app-waiting').waitFor({ state: 'detached' });
        expect(await page.locator('.cs-bad').count()).toBe(0);
        await expectAccessible(page);
        await expectNoOverflow(page);
      }
    }
  });

  test('fit a screen at 200 %, with the dialogs of new items', async () => {
    const page = await console.openAs('admin', '/app/settings', zoomed);
    await expectFits(page);
    const links = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
    for (const name of await links.allTextContents()) {
      await links.filter({ hasText: name }).first().click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.locator('.app-waiting').waitFor({ state: 'detached' });
      await expectFits(page);
      const add = page.getByRole('button', { name: /^New / }).first();
      if ((await add.count()) > 0) {
        await add.click();
        await page.getByRole('dialog').waitFor();
        await expectFits(page);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
    }
  });

  test('of 500 rows each have those in sight only; long and right-to-left names fit', async () => {
    const { prisma } = console.service;
    const { business, admin, as } = await console.service.createTenant();
    const names = Array.from({ length: 500 }, (_, index) =>
      index === 0 ? 'W'.repeat(100) : index === 1 ? 'مساعد رئيسي للقاعة الكبرى' : `Name ${index}`,
    );
    const businessId = business.id;
    const createdAt = new Date();
    await prisma.position.createMany({ data: names.map((title) => ({ businessId, title, defaultPayRate: 20 })) });
    await prisma.skillLevel.createMany({ data: names.map((name) => ({ businessId, name })) });
    await prisma.customField.createMany({
      data: names.slice(0, 100).map((name, sort) => ({ businessId, name, sort, type: 'text' as const, options: [] })),
    });
    await prisma.apiKey.createMany({
      data: names.map((name, at) => ({
        ...{
          businessId,
          name,
          createdAt,
          publicId: `${businessId}-${at}`,
          secretHash: Buffer.alloc(32),
          lastFour: 'abcd',
        },
        createdById: admin.id,
      })),
    });
    await prisma.screen.createMany({
      data: names.map((name, at) => ({
        ...{ businessId, name, names: 'short' as const, claimableUntil: createdAt, claimedAt: createdAt },
        ...{ createdById: admin.id, publicId: `${businessId}-${at}`, secretHash: Buffer.alloc(32) },
      })),
    });
    const page = await console.open(as.admin, '/app/settings');
    for (const section of ['positions', 'skill-levels', 'api-keys', 'screens']) {
      await page.goto(`${console.origin}/app/settings/${section}`);
      // The business has a key of its own beside the 500.
      await page.locator('table:is([aria-rowcount="501"], [aria-rowcount="502"])').waitFor();
      expect(await page.getByRole('row').count()).toBeLessThan(60);
      await expectAccessible(page);
      await expectNoOverflow(page);
    }
    await page.goto(`${console.origin}/app/settings/custom-fields`);
    await page.getByText('W'.repeat(100)).waitFor();
    await expectNoOverflow(page);
  });

  test.each(['staff', 'client'] as const)('%s have only their own account', async (role) => {
    const page = await console.openAs(role, '/app/settings/api-keys');
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    await page.getByText('This log-in').waitFor();
    expect(await page.getByRole('navigation', { name: 'Settings' }).count()).toBe(0);
    await expectAccessible(page);
    await expectNoOverflow(page);
  });
});

test('an admin changes the business; what somebody else changes meanwhile stays', async () => {
  const { page, business, as } = await console.openFresh('/app/settings/business');
  const other = await console.open(as.admin, '/app/settings/business');
  await page.getByLabel('Time zone').selectOption('Europe/Berlin');
  await other.getByLabel('First day of the week').selectOption('SUNDAY');
  await other.getByRole('button', { name: 'Save' }).click();
  await toast(other, 'Saved.');
  await page.getByLabel('Name').fill('Night & Day');
  await page.getByLabel('Name').press('Enter');
  await toast(page, 'Saved.');
  expect(await console.service.prisma.business.findUniqueOrThrow({ where: { id: business.id } })).toMatchObject({
    name: 'Night & Day',
    timezone: 'Europe/Berlin',
    weekStart: 'sunday',
  });
  await page.getByRole('banner').getByText('Night & Day').waitFor();
});

describe('a catalogue', () => {
  test('a position is added, changed and deleted by keyboard, and the focus returns', async () => {
    const { page } = await console.openFresh('/app/settings/positions');
    await page.getByText('No positions yet').waitFor();
    await page.getByRole('button', { name: 'New position' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Bartender');
    await page.keyboard.press('Tab');
    await page.keyboard.type('22,50');
    await page.keyboard.press('Enter');
    await toast(page, 'Bartender is saved.');
    await page.getByRole('cell', { name: '22.50 an hour' }).waitFor();
    const edit = page.getByRole('button', { name: 'Edit Bartender' });
    await edit.focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Rate').fill('24');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: '24.00 an hour' }).waitFor();
    expect(await edit.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: 'Delete Bartender' }).press('Enter');
    await confirmDanger(page, 'Bartender', 'Delete');
    await page.getByText('No positions yet').waitFor();
  });

  test('a rate of a later day is announced, and taken back', async () => {
    const { page, business } = await console.openFresh('/app/settings/positions');
    await console.service.createPosition(business, { title: 'Bartender' });
    await page.reload();
    const edit = page.getByRole('button', { name: 'Edit Bartender' });
    await edit.press('Enter');
    await page.getByRole('button', { name: 'Announce a rate' }).press('Enter');
    await page.getByLabel('First day').fill('2099-01-01');
    await page.getByLabel('Rate', { exact: true }).last().fill('27.50');
    await expectAccessible(page);
    await expectNoOverflow(page);
    await page.getByLabel('Rate', { exact: true }).last().press('Enter');
    await page.getByText('from Jan 1, 2099: $27.50 an hour').waitFor();
    await edit.press('Enter');
    await page.getByRole('button', { name: 'Delete announced rate 1' }).press('Enter');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('from Jan 1, 2099').waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: '$20.00 an hour' }).waitFor();
  });

  test('a position says what clients pay, and no longer does when it is empty', async () => {
    const { page, business } = await console.openFresh('/app/settings/positions');
    await console.service.createPosition(business, { title: 'Bartender' });
    await page.reload();
    await page.getByRole('cell', { name: 'Not known' }).waitFor();
    const edit = page.getByRole('button', { name: 'Edit Bartender' });
    await edit.click();
    await page.getByLabel('Clients pay', { exact: true }).fill('310,50');
    await page.getByLabel('Clients pay by').selectOption('DAY');
    await expectAccessible(page);
    await expectNoOverflow(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: '$310.50 a day' }).waitFor();
    await edit.click();
    await page.getByLabel('Clients pay', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Not known' }).waitFor();
  });

  test('a position in use stays and says why; of two changes at once, the later one is refused', async () => {
    const page = await console.openAs('admin', '/app/settings/positions');
    const name = (await page.getByRole('row').nth(1).getByRole('cell').first().textContent())!;
    await page.getByRole('button', { name: `Delete ${name}`, exact: true }).click();
    await confirmDanger(page, name, 'Delete');
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
    const other = await console.openAs('admin', '/app/settings/positions');
    await other.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
    await other.getByLabel('Rate').fill('31');
    await other.getByRole('button', { name: 'Save' }).click();
    await toast(other, `${name} is saved.`);
    await page.getByLabel('Rate').fill('32');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await page.getByLabel('Rate').inputValue()).toBe('32');
  });

  test('a skill level needs three clicks, and a lost network loses nothing', async () => {
    const { as } = await console.service.createTenant();
    const page = await console.open(as.admin, '/app/settings/skill-levels', { expected: /ERR_INTERNET_DISCONNECTED/ });
    await page.getByRole('button', { name: 'New skill level' }).waitFor();
    await page.context().setOffline(true);
    const clicks = await countClicks(page, async () => {
      await page.getByRole('button', { name: 'New skill level' }).click();
      await page.getByLabel('Name').fill('مساعد رئيسي');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').filter({ hasText: 'Not saved' }).waitFor();
      await page.context().setOffline(false);
      await page.getByRole('button', { name: 'Save' }).click();
      await toast(page, 'مساعد رئيسي is saved.');
    });
    expect(clicks).toBeLessThanOrEqual(3);
    await expectNoOverflow(page);
  });
});

describe('custom fields', () => {
  test('a field with options is made by keyboard alone, and its options are renamed and put in order', async () => {
    const { page, business } = await console.openFresh('/app/settings/custom-fields');
    const read = () => console.service.prisma.customField.findFirst({ where: { businessId: business.id } });
    await page.getByRole('button', { name: 'New field' }).press('Enter');
    await page.keyboard.type('Menu');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Choice');
    for (const option of ['Fish', 'Meat', 'Vegan']) {
      await page.getByRole('button', { name: 'Add an option' }).press('Enter');
      await page
        .getByRole('textbox', { name: /^Option/ })
        .last()
        .and(page.locator(':focus'))
        .waitFor();
      await page.keyboard.type(option);
    }
    await page.getByRole('button', { name: 'Move Vegan up' }).press('Enter');
    await page.getByRole('button', { name: 'Move Vegan up' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    await expectNoOverflow(page);
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await toast(page, 'Menu is saved.');
    expect(await read()).toMatchObject({ name: 'Menu', options: ['Vegan', 'Fish', 'Meat'] });
    await page.getByRole('button', { name: 'Edit Menu' }).press('Enter');
    await page.getByLabel('Option 2').fill('Seafood');
    await page.getByRole('button', { name: 'Delete Meat' }).press('Enter');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await read()).toMatchObject({ options: ['Vegan', 'Seafood'] });
  });

  test('fields are put in order by a key, and deleted by their name', async () => {
    const { page, business } = await console.openFresh('/app/settings/custom-fields');
    for (const [sort, name] of ['One', 'Two', 'Three'].entries())
      await console.service.createCustomField(business, { name, sort });
    await page.reload();
    const rows = page.getByRole('list', { name: 'Custom fields' }).getByRole('listitem');
    const down = page.getByRole('button', { name: 'Move One down' });
    await down.press('Enter');
    await page.locator('[aria-disabled]').first().waitFor({ state: 'detached' });
    expect(await down.evaluate((element) => element === document.activeElement)).toBe(true);
    const up = page.getByRole('button', { name: 'Move Three up' });
    for (const place of [1, 0]) {
      await up.press('Enter');
      await rows.nth(place).getByText('Three').waitFor();
      await page.locator('[aria-disabled]').first().waitFor({ state: 'detached' });
    }
    const names = async () =>
      (
        await console.service.prisma.customField.findMany({
          where: { businessId: business.id },
          orderBy: { sort: 'asc' },
        })
      ).map(({ name }) => name);
    expect(await names()).toEqual(['Three', 'Two', 'One']);
    await page.getByRole('button', { name: 'Delete Two' }).click();
    await confirmDanger(page, 'Two', 'Delete');
    await toast(page, 'Two is deleted.');
    expect(await names()).toEqual(['Three', 'One']);
  });
});

describe('what programs use', () => {
  test('an API key is made in four clicks, shown once, and revoked by its name', async () => {
    const { page, business } = await console.openFresh('/app/settings/api-keys');
    const clicks = await countClicks(page, async () => {
      await page.getByRole('button', { name: 'New API key' }).click();
      await page.getByLabel('Name').fill('Payroll');
      await page.getByLabel('staff events').check();
      await expectAccessible(page);
      await expectNoOverflow(page);
      await page.getByRole('button', { name: 'Make the key' }).click();
      await page.getByText('This key is shown now and never again.').waitFor();
    });
    expect(clicks).toBeLessThanOrEqual(4);
    const key = (await page.getByRole('dialog').locator('code').textContent())!;
    expect((await console.service.call('GET', '/v1/viewer', { as: key })).status).toBe(200);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    expect(await page.content()).not.toContain(key);
    const stored = () =>
      console.service.prisma.apiKey.findFirstOrThrow({ where: { businessId: business.id, name: 'Payroll' } });
    expect((await stored()).scopes).toEqual(['read', 'staffing:write']);
    await page.getByRole('button', { name: 'Revoke Payroll' }).press('Enter');
    await confirmDanger(page, 'Payroll', 'Revoke');
    await toast(page, 'Payroll is revoked.');
    expect((await console.service.call('GET', '/v1/viewer', { as: key })).status).toBe(401);
  });

  test('a webhook is made, tested, paused and deleted; its log shows and repeats messages', async () => {
    const { page, business } = await console.openFresh('/app/settings/webhooks');
    const { prisma } = console.service;
    await page.getByRole('button', { name: 'New webhook' }).press('Enter');
    await page.getByLabel('Address').fill('example.com/in');
    await page.getByLabel('Purpose').fill('Payroll');
    await page.getByLabel('Purpose').press('Enter');
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.getByLabel('Address').fill('https://example.com/in');
    await expectAccessible(page);
    await expectNoOverflow(page);
    await page.getByLabel('Address').press('Enter');
    await page.getByText('The signing secret is shown now and never again.').waitFor();
    await page.keyboard.press('Escape');
    const act = async (name: string) => {
      await page.getByRole('button', { name: 'Actions' }).press('ArrowDown');
      await page.getByRole('menuitem', { name }).press('Enter');
    };
    await act('Send a test message');
    await page.getByRole('cell', { name: 'Webhook test' }).waitFor();
    await prisma.webhookMessage.updateMany({
      where: { businessId: business.id },
      data: { status: 'failed', nextAttemptAt: null },
    });
    await page.getByRole('button', { name: 'Read again' }).press('Enter');
    await page.getByRole('cell', { name: 'Failed' }).waitFor();
    await page.getByRole('button', { name: 'Details' }).press('Enter');
    await page.getByLabel('Content').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Send again', exact: true }).press('Enter');
    await toast(page, 'One message is sent again.');
    await page.getByRole('cell', { name: 'Waiting' }).waitFor();
    await expectAccessible(page);
    await expectNoOverflow(page);
    await act('Pause');
    await page.getByText(/^Paused since/).waitFor();
    await act('Resume');
    await page.getByText(/^Paused since/).waitFor({ state: 'detached' });
    await act('Delete');
    await confirmDanger(page, 'Payroll', 'Delete');
    await page.getByText('No webhooks yet').waitFor();
    expect(await prisma.webhookEndpoint.count({ where: { businessId: business.id } })).toBe(0);
  });

  test('a screen is approved by its code and revoked by its name', async () => {
    const { page } = await console.openFresh('/app/settings/screens');
    const made = await console.service.call('POST', '/graphql', {
      body: { query: 'mutation { createScreenCode { code } }' },
    });
    await page.getByRole('button', { name: 'New screen' }).press('Enter');
    await page.getByLabel('Code').fill('WRONG');
    await page.getByLabel('Name', { exact: true }).fill('Stage door');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await expectAccessible(page);
    await expectNoOverflow(page);
    await page.getByLabel('Code').fill(made.body.data.createScreenCode.code as string);
    await page.keyboard.press('Enter');
    await toast(page, 'Stage door is approved.');
    await page.getByRole('cell', { name: 'Has yet to start' }).waitFor();
    await page.getByRole('button', { name: 'Revoke Stage door' }).press('Enter');
    await confirmDanger(page, 'Stage door', 'Revoke');
    await page.getByText('No screens yet').waitFor();
  });
});

test('each list is exported as CSV', async () => {
  const page = await console.openAs('admin', '/app/settings/export');
  for (const button of await page.getByRole('button', { name: /^Download CSV/ }).all()) {
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(download.suggestedFilename()).toMatch(/^\w+-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.split('\r\n').length).toBeGreaterThan(2);
  }
});

describe('the account', () => {
  test('a password is changed by keyboard, and faults are named', async () => {
    const { page, admin } = await console.openFresh('/app/settings/account');
    await page.getByLabel('Current password').fill('wrong password');
    await page.getByLabel('New password', { exact: true }).fill('a longer password');
    await page.getByLabel('New password again').fill('a longer passwort');
    await page.keyboard.press('Enter');
    await page.getByText('This differs from the new password.').waitFor();
    await page.getByLabel('New password again').fill('a longer password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Current password').fill(password);
    await page.keyboard.press('Enter');
    await toast(page, 'Your password is changed.');
    const mutation = `mutation { login(email: "${admin.email}", password: "a longer password") { accessToken } }`;
    const { body } = await console.service.call('POST', '/graphql', { body: { query: mutation } });
    expect(body.data.login.accessToken).toEqual(expect.any(String));
  });

  test('other log-ins are ended, one and all', async () => {
    const first = await console.openAs('staff', '/app/settings/account');
    await console.logInToDemo('staff');
    await console.logInToDemo('staff');
    await first.reload();
    const ends = first.getByRole('button', { name: /^End the log-in/ });
    await ends.first().waitFor();
    const count = await ends.count();
    expect(count).toBeGreaterThanOrEqual(2);
    await ends.first().press('Enter');
    await toast(first, 'has ended');
    await first.getByRole('button', { name: 'End all others' }).press('Enter');
    await ends.first().waitFor({ state: 'detached' });
    expect(await ends.count()).toBe(0);
    await first.getByText('This log-in').waitFor();
  });
});
