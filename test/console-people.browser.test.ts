/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { countClicks, expectAccessible, expectFits, expectNoOverflow, openConsole, zoomed } from './support/console.ts';
import type { Tenant } from './support/factories.ts';

/* People in the console: the list, the import, and the page of one person. */

const console = openConsole({ isAlone: true });
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const people = (tenant: Tenant) =>
  console.service.prisma.user.findMany({
    where: {
      businessId: tenant.business.id,
      deletedAt: null,
      id: { notIn: [tenant.admin.id, tenant.staff.id, tenant.client.id] },
    },
    orderBy: { id: 'asc' },
    select: { name: true, email: true, phone: true, role: true },
  });
const fill = async (page: Page, values: Readonly<Record<string, string>>) => {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
};
/** E-mail addresses are unique among all businesses. */
const addressOf = (tenant: Tenant, name: string) => `${name}@${tenant.business.id}.example`;
const adaOf = (tenant: Tenant) => ({ 'Full name': 'Ada Lovelace', 'E-mail': addressOf(tenant, 'ada') });

describe('the list', () => {
  test('finds people by name, role and position, and keeps the filters in the address', async () => {
    const tenant = await console.service.createTenant();
    const user = await console.service.createUser(tenant.business, 'staff', {
      name: 'Zoë Ångström',
      phone: '+1 504 555-0107 x12',
    });
    const event = await console.service.createEvent(tenant.business);
    const position = await console.service.createPosition(tenant.business, { title: 'Bartender' });
    await console.service.createShift(event, user, { positionId: position.id });
    const page = await console.open(tenant.as.admin, '/app/people');
    await page.getByText('4 people').waitFor();
    expect(await link(page, '+1 504 555-0107 x12').getAttribute('href')).toBe('tel:+15045550107;ext=12');
    await page.getByLabel('Search by name or e-mail').fill('zoe ang');
    await page.getByText('1 person').waitFor();
    await link(page, 'Zoë Ångström').waitFor();
    await page.getByLabel('Search by name or e-mail').fill('nobody at all');
    await page.getByText('Nobody here').waitFor();
    await expectAccessible(page);
    await button(page, 'Clear filters').click();
    await page.getByLabel('Role').selectOption('Client');
    await page.getByText('1 person').waitFor();
    await link(page, tenant.client.name).waitFor();
    await page.getByLabel('Has worked as').selectOption('Bartender');
    await link(page, 'Zoë Ångström').waitFor();
    await page.reload();
    await link(page, 'Zoë Ångström').waitFor();
    expect(await page.getByLabel('Role').inputValue()).toBe('STAFF');
    await link(page, 'Zoë Ångström').click();
    await page.getByRole('heading', { level: 1, name: 'Zoë Ångström' }).waitFor();
  });

  test('of 2,000 people has rows in sight only, and no barriers', async () => {
    const tenant = await console.service.createTenant();
    await console.service.prisma.user.createMany({
      data: Array.from({ length: 1997 }, (_, index) => ({
        businessId: tenant.business.id,
        name:
          index === 0
            ? 'W'.repeat(200)
            : index === 1
              ? 'عبد الرحمن بن يوسف'
              : `Person ${String(index).padStart(4, '0')}`,
        firstName: 'Person',
        lastName: String(index),
        email: `${index}@${tenant.business.id}.example`,
        emailKey: `${index}@${tenant.business.id}.example`,
        role: 'staff' as const,
      })),
    });
    const page = await console.open(tenant.as.admin, '/app/people');
    await page.getByText('2,000 people').waitFor();
    await page.locator('table[aria-rowcount="2001"]').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    await page.keyboard.press('End');
    await link(page, 'W'.repeat(200)).waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    await expectAccessible(page);
    await expectNoOverflow(page);
  });
});

test('list, dialog, import and page of a person fit a screen at 200 %', async () => {
  const tenant = await console.service.createTenant();
  const user = await console.service.createUser(tenant.business, 'staff', { name: `${'W'.repeat(60)} عبد الرحمن` });
  const page = await console.open(tenant.as.admin, '/app/people', zoomed);
  await link(page, user.name).waitFor();
  await expectFits(page);
  await button(page, 'Add a person').click();
  await expectFits(page);
  for (const path of ['/app/people?import', `/app/people/${user.id}`]) {
    await page.goto(console.origin + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectFits(page);
  }
});

describe('a person is added', () => {
  test('and invited with at most four clicks, by a link that is copied', async () => {
    const tenant = await console.service.createTenant();
    const page = await console.open(tenant.as.admin, '/app/people', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const clicks = await countClicks(page, async () => {
      await button(page, 'Add a person').click();
      await fill(page, adaOf(tenant));
      await button(page, 'Add and invite').click();
      await button(page, 'Copy').click();
      await page.getByText('Copied.').waitFor();
    });
    expect(clicks).toBeLessThanOrEqual(4);
    expect(await people(tenant)).toMatchObject([
      { name: 'Ada Lovelace', email: addressOf(tenant, 'ada'), role: 'staff' },
    ]);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^http.*\/app\/invitation#.+/);
    expect(await page.getByRole('dialog').locator('code').textContent()).toBe(copied);
    await expectAccessible(page);
    await expectNoOverflow(page);
    await page.keyboard.press('Escape');
    await link(page, 'Ada Lovelace').waitFor();
    expect(await button(page, 'Add a person').evaluate((each) => each === document.activeElement)).toBe(true);
  });

  test('by keyboard alone; a refused e-mail is said at its field', async () => {
    const tenant = await console.service.createTenant();
    const page = await console.open(tenant.as.admin, '/app/people', { expected: /40[09]|422/ });
    await button(page, 'Add a person').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Full name').focus();
    await page.keyboard.type('Ada Lovelace');
    await page.keyboard.press('Tab');
    await page.keyboard.type(tenant.client.email);
    await page.keyboard.press('Enter');
    await page.locator('[aria-invalid=true]').waitFor();
    const focusedLabel = () =>
      page.evaluate(() => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent);
    expect(await focusedLabel()).toBe('E-mail');
    await expectAccessible(page);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(addressOf(tenant, 'ada'));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').locator('code').waitFor();
    expect(await people(tenant)).toHaveLength(1);
  });

  test('once, although the answer is lost; what was typed stays', async () => {
    const tenant = await console.service.createTenant();
    const page = await console.open(tenant.as.admin, '/app/people', { expected: /ERR_/ });
    await button(page, 'Add a person').click();
    await fill(page, adaOf(tenant));
    // The service does it, but the answer never comes.
    await page.route('**/graphql', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await button(page, 'Add without an invitation').click();
    await page.getByText('Not saved', { exact: false }).waitFor();
    await page.unroute('**/graphql');
    expect(await page.getByLabel('Full name').inputValue()).toBe('Ada Lovelace');
    await button(page, 'Add without an invitation').click();
    await page.getByText('Ada Lovelace is added.').waitFor();
    expect(await people(tenant)).toHaveLength(1);
  });
});

describe('an import', () => {
  const choose = (page: Page, text: string | Buffer) =>
    page.getByLabel('File').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const openImport = (tenant: Tenant, expected = /none/) =>
    console.open(tenant.as.admin, '/app/people?import', { expected });

  test('shows every row and its faults, and stores nothing before they are left out', async () => {
    const tenant = await console.service.createTenant();
    const page = await openImport(tenant);
    await choose(
      page,
      [
        'sep=;',
        'First Name;Surname;Mail;Mobile;Type;Password',
        `Ada;Lovelace;${addressOf(tenant, 'ada')};+44 20 555;crew;secret`,
        `Grace;Hopper;${addressOf(tenant, 'grace')};;;secret`,
        `Grace;Again;${addressOf(tenant, 'GRACE')};;staff;`,
        `Known;Person;${tenant.client.email.toUpperCase()};;;`,
        ';;no address;call me;boss;',
        `حسن;علي;${addressOf(tenant, 'hasan')};;client;`,
      ].join('\r\n'),
    );
    await page.getByText('3 rows are right, 3 rows have faults.').waitFor();
    await page.getByText('The column “Password” is ignored', { exact: false }).waitFor();
    expect(await page.getByLabel('First name is in').inputValue()).toBe('0');
    const faults = await page.locator('.pp-fault').allTextContents();
    expect(faults).toEqual([
      'The e-mail is in an earlier row, too.',
      'Somebody in your business has this e-mail.',
      'The name is missing. The e-mail is not an address. The phone number must have at least three digits, and besides digits only spaces, + - ( ) . and an extension such as x12. The role is none of admin, staff and client.',
    ]);
    await expectAccessible(page);
    await expectNoOverflow(page);
    expect(await button(page, 'Import 3 people').isDisabled()).toBe(true);
    expect(await people(tenant)).toEqual([]);
    await page.getByLabel('Leave out 3 rows with faults').check();
    await button(page, 'Import 3 people').click();
    await page.getByText('3 people are imported.', { exact: false }).waitFor();
    expect(await people(tenant)).toEqual([
      { name: 'Ada Lovelace', email: addressOf(tenant, 'ada'), phone: '+44 20 555', role: 'staff' },
      { name: 'Grace Hopper', email: addressOf(tenant, 'grace'), phone: null, role: 'staff' },
      { name: 'حسن علي', email: addressOf(tenant, 'hasan'), phone: null, role: 'client' },
    ]);
  });

  test('makes invitation links for all at once, in one list to copy or download', async () => {
    const tenant = await console.service.createTenant();
    const page = await console.open(tenant.as.admin, '/app/people?import', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const rows = Array.from({ length: 120 }, (_, index) => `Person ${index},p${index}@${tenant.business.id}.example`);
    await choose(page, ['name,email', ...rows].join('\n'));
    await button(page, 'Import 120 people').click();
    await page.getByText('120 people are imported.', { exact: false }).waitFor();
    await button(page, 'Make invitation links for all 120 people').press('Enter');
    await page.getByText('These links are shown now and never again.', { exact: false }).waitFor();
    await page.locator('table[aria-rowcount="121"]').waitFor();
    await expectAccessible(page);
    await expectNoOverflow(page);
    await button(page, 'Copy the list').press('Enter');
    await page.getByText('120 links are copied', { exact: false }).waitFor();
    const copied = (await page.evaluate(() => navigator.clipboard.readText())).trim().split('\n');
    expect(copied).toHaveLength(121);
    const [name, email, link] = copied[120]!.split('\t');
    expect([name, email]).toEqual(['Person 119', `p119@${tenant.business.id}.example`]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download the list as CSV').click(),
    ]);
    expect(download.suggestedFilename()).toBe('invitations.csv');
    const claimed = await console.service.call('POST', '/v1/invitations/claims', {
      body: { secret: link!.split('#')[1], password: 'the first of mine' },
    });
    expect(claimed).toMatchObject({ status: 200, body: { data: { email } } });
    expect(await console.service.prisma.invitation.count({ where: { businessId: tenant.business.id } })).toBe(119);
  });

  test('lets columns be chosen that no name tells', async () => {
    const tenant = await console.service.createTenant();
    const page = await openImport(tenant);
    await choose(page, `Wer,Wohin\nAda Lovelace,${addressOf(tenant, 'ada')}\n`);
    await page.getByText('0 rows are right, 1 row has faults.').waitFor();
    await page.getByLabel('Full name is in').selectOption('Wer');
    await page.getByLabel('E-mail is in').selectOption('Wohin');
    await page.getByText('1 row, all right.').waitFor();
    await page.getByLabel('Role of rows without one').selectOption('Client');
    await button(page, 'Import 1 person').click();
    await page.getByText('1 person is imported.', { exact: false }).waitFor();
    expect(await people(tenant)).toMatchObject([{ name: 'Ada Lovelace', role: 'client' }]);
  });

  test('says only of a stored row that its e-mail belongs to another business, and keeps that row', async () => {
    const [tenant, other] = [await console.service.createTenant(), await console.service.createTenant()];
    const page = await openImport(tenant);
    await choose(page, `name,email\nAda Lovelace,${other.staff.email}\nGrace Hopper,${addressOf(tenant, 'grace')}\n`);
    await page.getByText('2 rows, all right.').waitFor();
    await button(page, 'Import 2 people').click();
    await page.getByText('1 row was refused.', { exact: false }).waitFor();
    await page.getByText('1 person is imported.', { exact: false }).waitFor();
    expect(await page.locator('.pp-fault').allTextContents()).toEqual([expect.stringContaining('taken')]);
    expect(await people(tenant)).toMatchObject([{ name: 'Grace Hopper' }]);
  });

  test('of 250 people goes on after a lost network, and makes nobody twice', async () => {
    const tenant = await console.service.createTenant();
    const page = await openImport(tenant, /ERR_/);
    const rows = Array.from({ length: 250 }, (_, index) => `Person ${index},p${index}@${tenant.business.id}.example`);
    await choose(page, ['name,email', ...rows].join('\n'));
    await page.getByText('250 rows, all right.').waitFor();
    let calls = 0;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('createUsers') || ++calls !== 2) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await button(page, 'Import 250 people').click();
    await page.getByText('100 people are imported.', { exact: false }).waitFor();
    await page.getByText('Not saved', { exact: false }).waitFor();
    await button(page, 'Import 150 people').click();
    await page.getByText('250 people are imported.', { exact: false }).waitFor();
    expect(await people(tenant)).toHaveLength(250);
  });
});

describe('the page of a person', () => {
  async function createWorker() {
    const tenant = await console.service.createTenant();
    const { service } = console;
    const position = await service.createPosition(tenant.business, { title: 'Bartender' });
    const at = async (start: string, end: string, title: string) => {
      const event = await service.createEvent(tenant.business, { title, start, end, status: 'active' });
      return service.createShift(event, tenant.staff, { positionId: position.id, start, end });
    };
    const past = await at('2020-01-05 18:00:00', '2020-01-05 23:30:00', 'Past gala');
    const coming = await at('2040-01-05 18:00:00', '2040-01-05 22:00:00', 'Coming gala');
    const open = (expected?: RegExp) =>
      console.open(tenant.as.admin, `/app/people/${tenant.staff.id}`, expected && { expected });
    return { tenant, past, coming, open };
  }

  test('shows shifts to come and past with their hours, and what was changed', async () => {
    const { open } = await createWorker();
    const page = await open();
    await link(page, 'Coming gala').waitFor();
    await page.getByText('4 h planned in 1 shift').waitFor();
    await page.getByText('No answer yet').waitFor();
    await page.getByText('Bartender (2)').waitFor();
    await expectAccessible(page);
    await expectNoOverflow(page);
    await page.getByRole('tab', { name: 'Past shifts' }).click();
    await link(page, 'Past gala').waitFor();
    await page.getByText('5.5 h planned in 1 shift').waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('Nothing has changed yet.').or(page.locator('.cs-history')).waitFor();
    await expectAccessible(page);
  });

  test('two admins edit at once: the second is told, loses nothing, and does not undo the first', async () => {
    const { tenant, open } = await createWorker();
    const page = await open(/412/);
    await button(page, 'Edit').click();
    await page.getByLabel('Phone').fill('+1 555');
    await console.service.graphql('mutation ($id: ID!) { updateUser(id: $id, input: { name: "New Name" }) { id } }', {
      as: tenant.as.admin,
      variables: { id: String(tenant.staff.id) },
    });
    await button(page, 'Save').click();
    await page.getByText('Somebody else has changed this person meanwhile.', { exact: false }).waitFor();
    expect(await page.getByLabel('Phone').inputValue()).toBe('+1 555');
    await page.getByRole('dialog', { name: 'Edit New Name' }).waitFor();
    expect(await page.getByLabel('Full name').inputValue()).toBe('New Name');
    await button(page, 'Save').click();
    await page.getByText('Saved.').waitFor();
    const stored = () => console.service.prisma.user.findFirstOrThrow({ where: { id: tenant.staff.id } });
    expect(await stored()).toMatchObject({ name: 'New Name', phone: '+1 555' });
    await button(page, 'Undo').click();
    await page.getByText('Undone.').waitFor();
    expect(await stored()).toMatchObject({ name: 'New Name', phone: tenant.staff.phone });
    await page.getByRole('tab', { name: 'History' }).click();
    await page.locator('.cs-history dt').getByText('Phone').first().waitFor();
  });

  test('asks by name before somebody is removed, and what becomes of shifts that have not ended', async () => {
    const { tenant, coming, open } = await createWorker();
    const page = await open(/409/);
    await button(page, 'Remove').press('Enter');
    const dialog = page.getByRole('dialog');
    await expectAccessible(page);
    await dialog.getByRole('textbox').fill(tenant.staff.name);
    await page.keyboard.press('Enter');
    await dialog.getByText('They have 1 shift that has not ended', { exact: false }).waitFor();
    await dialog.getByLabel('Call off 1 shift that has not ended').press('Space');
    await dialog.getByRole('button', { name: 'Remove' }).press('Enter');
    await page.getByText(`${tenant.staff.name} is removed.`).waitFor();
    await page.getByText('2 people').waitFor();
    expect(
      await console.service.prisma.workShift.findFirstOrThrow({
        where: { businessId: tenant.business.id, id: coming.id },
        select: { status: true },
      }),
    ).toEqual({ status: 'canceled' });
  });

  test('offers an invitation until there is a password', async () => {
    const tenant = await console.service.createTenant();
    const { userId } = await console.service.createInvitation(tenant.business);
    const page = await console.open(tenant.as.admin, `/app/people/${userId}`);
    await button(page, 'Invite').waitFor();
    await page.goto(`${console.origin}/app/people/${tenant.staff.id}`);
    await button(page, 'Edit').waitFor();
    expect(await button(page, 'Invite').count()).toBe(0);
  });

  test('that is not there says so', async () => {
    const { tenant } = await createWorker();
    const page = await console.open(tenant.as.admin, '/app/people/999999999', { expected: /404/ });
    await page.getByText('There is no such person in your business', { exact: false }).waitFor();
    await expectAccessible(page);
  });
});
