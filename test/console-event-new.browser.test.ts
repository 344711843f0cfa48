/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { countClicks, expectAccessible, expectNoOverflow, openConsole, toast } from './support/console.ts';

const console = openConsole({ isAlone: true });

/** A business with positions. */
async function createBusiness() {
  const tenant = await console.service.createTenant();
  const { business } = tenant;
  await console.service.prisma.business.update({ where: { id: business.id }, data: { timezone: 'America/New_York' } });
  const [bartender, server] = [
    await console.service.createPosition(business, { title: 'Bartender' }),
    await console.service.createPosition(business, { title: 'Banquet Server', defaultPayRate: '24.50' }),
  ];
  return { ...tenant, bartender, server };
}

const cell = (page: Page, column: string, row: number) => page.getByLabel(`${column}, row ${row}`, { exact: true });
const storedCalls = (eventId: number) =>
  console.service.prisma.callTime.findMany({
    where: { eventId },
    orderBy: { id: 'asc' },
    include: { position: true },
  });
const findEvent = (businessId: number, title: string) =>
  console.service.prisma.event.findFirstOrThrow({ where: { businessId, title } });
const local = (date: Date) => date.toISOString().slice(0, 16).replace('T', ' ');

describe('a new event', () => {
  test('with five call times takes at most 20 keys beyond what is typed', async () => {
    const { business, as } = await createBusiness();
    const page = await console.open(as.admin, '/app/events/new?day=2026-12-05');
    let keys = 0;
    const press = async (key: string) => {
      keys += 1;
      await page.keyboard.press(key);
    };
    const type = (text: string) => page.keyboard.type(text);
    await page.getByLabel('Title').waitFor();
    await type('Winter Ball');
    await press('Tab');
    await type('12052026');
    // The button of the calendar stands between the date and the next field.
    await press('Tab');
    await press('Tab');
    await type('18');
    await press('Tab');
    await type('1am');
    // Month, day, year and button of the last day.
    for (let i = 0; i < 5; i++) await press('Tab');
    for (const [index, [position, staff]] of [
      ['Bartender', '3'],
      ['Banquet Server', '8'],
      ['Bartender', '2'],
      ['banq', '1'],
      ['bar', '4'],
    ].entries()) {
      await type(position!);
      await press('Tab');
      await type(staff!);
      await press(index === 4 ? 'Control+Enter' : 'Enter');
    }
    await page.getByRole('heading', { level: 1, name: 'Winter Ball' }).waitFor();
    expect(keys).toBeLessThanOrEqual(20);
    const event = await findEvent(business.id, 'Winter Ball');
    expect([local(event.startLocal), local(event.endLocal)]).toEqual(['2026-12-05 18:00', '2026-12-06 01:00']);
    const calls = await storedCalls(event.id);
    expect(
      calls.map((call) => [call.position.title, call.staffNeeded, local(call.startLocal), local(call.endLocal)]),
    ).toEqual(
      [
        ['Bartender', 3],
        ['Banquet Server', 8],
        ['Bartender', 2],
        ['Banquet Server', 1],
        ['Bartender', 4],
      ].map(([title, staff]) => [title, staff, '2026-12-05 18:00', '2026-12-06 01:00']),
    );
  });

  test('with three call times takes at most 12 clicks, from the calendar on', async () => {
    const { business, as } = await createBusiness();
    const page = await console.open(as.admin, '/app/events/new');
    const clicks = await countClicks(page, async () => {
      await page.getByLabel('Title').fill('Gala');
      await page.getByLabel('Start', { exact: true }).click();
      await page.keyboard.type('18');
      await page.getByLabel('End', { exact: true }).click();
      await page.keyboard.type('23');
      for (const row of [1, 2, 3]) {
        await cell(page, 'Position', row).click();
        await page.keyboard.type('Bartender');
        await cell(page, 'Staff', row).click();
        await page.keyboard.type('2');
      }
      await page.getByRole('button', { name: 'Create event' }).click();
      await page.getByRole('heading', { level: 1, name: 'Gala' }).waitFor();
    });
    // One for the button in the calendar, and one for another day.
    expect(clicks + 2).toBeLessThanOrEqual(12);
    const event = await findEvent(business.id, 'Gala');
    expect((await storedCalls(event.id)).map(({ staffNeeded }) => staffNeeded)).toEqual([2, 2, 2]);
    expect(event.status).toBe('active');
  });

  test('takes rows of a spreadsheet, and says what is wrong with them before anything is stored', async () => {
    const { business, as } = await createBusiness();
    const page = await console.open(as.admin, '/app/events/new?day=2026-12-05');
    await page.getByLabel('Title').fill('Fair');
    await page.getByLabel('Start', { exact: true }).fill('9');
    await page.getByLabel('End', { exact: true }).fill('5pm');
    await paste(
      page,
      'Position\tStart\tEnd\tStaff\tNotes for staff\r\nBartender\t8:00 AM\t12:30\t3\t"Bring\nID"\r\nJuggler\t9\t5pm\tmany\t\r\n',
    );
    await page.getByText('2 rows pasted, 1 with faults.').waitFor();
    await page.getByText('Position: Choose one of your positions.').waitFor();
    await page.getByText('Staff: A whole number from 1 to 10,000.').waitFor();
    await expectAccessible(page);
    await expectNoOverflow(page);
    await page.getByRole('button', { name: 'Create event' }).click();
    await page.getByText('1 row has faults. Nothing was stored.').waitFor();
    expect(await console.service.prisma.event.count({ where: { businessId: business.id } })).toBe(0);
    await page.getByRole('button', { name: 'Remove row 2' }).click();
    await page.getByRole('button', { name: 'Create event' }).click();
    await page.getByRole('heading', { level: 1, name: 'Fair' }).waitFor();
    const [call] = await storedCalls((await findEvent(business.id, 'Fair')).id);
    expect(call).toMatchObject({ staffNeeded: 3, notesForStaff: 'Bring\nID' });
    expect([local(call!.startLocal), local(call!.endLocal)]).toEqual(['2026-12-05 08:00', '2026-12-05 12:30']);
  });

  test('names the columns of a paste that it left out, and keeps a word that it does not know as a fault', async () => {
    const { business, as } = await createBusiness();
    const page = await console.open(as.admin, '/app/events/new?day=2026-12-05');
    await page.getByLabel('Title').fill('Fair');
    await page.getByLabel('Start', { exact: true }).fill('9');
    await page.getByLabel('End', { exact: true }).fill('17');
    await paste(page, 'Position\tQty\tRate\tPer\tStaff can\tRoom\nBartender\t6\t250\tdaily\tperhaps\tB 12\n');
    await page
      .getByText('1 row pasted, 1 with faults. Not taken, because no column here is named so: “Room”.')
      .waitFor();
    await page.getByText('Staff can: Choose “take it” or “ask for it”, or leave it empty.').waitFor();
    expect(await cell(page, 'Staff can', 1).inputValue()).toBe('perhaps');
    await expectAccessible(page);
    await expectNoOverflow(page);
    await cell(page, 'Staff can', 1).selectOption('ask for it');
    await page.getByRole('button', { name: 'Create event' }).click();
    await page.getByRole('heading', { level: 1, name: 'Fair' }).waitFor();
    const [call] = await storedCalls((await findEvent(business.id, 'Fair')).id);
    expect(call).toMatchObject({ staffNeeded: 6, payUnit: 'day', claims: 'approval' });
  });

  test('loses nothing without a network or by a reload, and is stored once', async () => {
    const { business, as } = await createBusiness();
    const page = await console.open(as.admin, '/app/events/new?day=2026-12-05', { expected: /ERR_FAILED/ });
    await page.getByLabel('Title').fill('Picnic');
    await cell(page, 'Position', 1).fill('Bartender');
    await page.route('**/graphql', async (route) => {
      // The service gets it, and its answer is lost.
      if (/createEvent/.test(route.request().postData() ?? '')) await route.fetch();
      return route.abort();
    });
    await page.getByRole('button', { name: 'Create event' }).click();
    await page.getByText('What you typed is kept.').waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Create event' }).click();
    await page.getByRole('heading', { level: 1, name: 'Picnic' }).waitFor();
    expect(await console.service.prisma.event.count({ where: { businessId: business.id } })).toBe(1);
    await page.goto(`${console.origin}/app/events/new`);
    await page.getByLabel('Title').fill('Second picnic');
    await cell(page, 'Position', 1).fill('Bartender');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    expect(await page.getByLabel('Title').inputValue()).toBe('Second picnic');
    expect(await cell(page, 'Position', 1).inputValue()).toBe('Bartender');
  });

  test('has a client, a place, and the fields of the business', async () => {
    const { business, client, as } = await createBusiness();
    const field = await console.service.createCustomField(business, {
      name: 'Parking',
      type: 'select',
      options: ['North', 'South'],
    });
    const page = await console.open(as.admin, '/app/events/new?day=2026-12-05');
    await page.getByLabel('Title').fill('Wedding');
    await page.getByLabel('Parking').selectOption('South');
    await page.getByLabel('City').fill('Madison');
    await page.getByRole('combobox', { name: 'Client' }).fill(client.firstName);
    await page.getByRole('option', { name: `${client.firstName} ${client.lastName}` }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('chicago');
    await page.getByRole('option', { name: 'America/Chicago' }).click();
    await page.getByLabel('Create as').selectOption('DRAFT');
    await page.getByRole('button', { name: 'Create event' }).click();
    await page.getByRole('heading', { level: 1, name: 'Wedding' }).waitFor();
    const event = await findEvent(business.id, 'Wedding');
    expect(event).toMatchObject({
      clientId: client.id,
      city: 'Madison',
      status: 'draft',
      timezone: 'America/Chicago',
      startTbd: true,
    });
    const [value] = await console.service.prisma.customFieldValue.findMany({ where: { eventId: event.id } });
    expect([value?.customFieldId, value?.value]).toEqual([field.id, 'South']);
  });

  test('asks for a reason where a call time is on another day, then and later', async () => {
    const { business, as } = await createBusiness();
    const page = await console.open(as.admin, '/app/events/new?day=2026-12-05');
    const dialog = page.getByRole('dialog', { name: 'Before this is saved' });
    await page.getByLabel('Title').fill('Expo');
    await page.getByLabel('Start', { exact: true }).fill('9');
    await page.getByLabel('End', { exact: true }).fill('17');
    await page.getByLabel('Show dates').check();
    await cell(page, 'Position', 1).fill('Bartender');
    await cell(page, 'Date', 1).fill('2026-12-03');
    await page.getByRole('button', { name: 'Create event' }).click();
    await dialog.getByText('A call time would be on another day than the event.').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Save anyway, because').fill('Set-up');
    await dialog.getByRole('button', { name: 'Save anyway' }).click();
    await page.getByRole('heading', { level: 1, name: 'Expo' }).waitFor();
    await page.getByRole('tab', { name: 'Call times' }).click();
    await cell(page, 'Position', 2).fill('Banquet Server');
    await cell(page, 'Date', 2).fill('2026-12-08');
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByLabel('Save anyway, because').fill('Tear-down');
    await dialog.getByRole('button', { name: 'Save anyway' }).click();
    await toast(page, '1 call time saved.');
    const calls = await storedCalls((await findEvent(business.id, 'Expo')).id);
    expect(calls.map((call) => [local(call.startLocal), local(call.endLocal), call.overrideReason])).toEqual([
      ['2026-12-03 09:00', '2026-12-03 17:00', 'Set-up'],
      ['2026-12-08 09:00', '2026-12-08 17:00', 'Tear-down'],
    ]);
  });

  test('says what is missing, and leads to the first field at fault', async () => {
    const { as } = await createBusiness();
    const page = await console.open(as.admin, '/app/events/new');
    await page.getByRole('button', { name: 'Create event' }).click();
    await page.getByText('Give the event a title.').waitFor();
    expect(await page.getByLabel('Title').evaluate((field) => field === document.activeElement)).toBe(true);
    await expectAccessible(page);
  });

  test('of a business without positions says what to do first', async () => {
    const { page } = await console.openFresh('/app/events/new');
    await page.getByRole('link', { name: 'Add a position' }).waitFor();
    await expectAccessible(page);
    await expectNoOverflow(page);
  });
});

/** Pastes into the first cell, as a spreadsheet does. */
async function paste(page: Page, text: string): Promise<void> {
  await cell(page, 'Position', 1).focus();
  await page.evaluate((copied) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', copied);
    document.activeElement!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
}
