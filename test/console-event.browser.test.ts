/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { password } from './support/factories.ts';
import { borrowPage, returnPage, until, untrustedHost } from './support/browser.ts';
import { expectAccessible, expectNoOverflow, openConsole, toast } from './support/console.ts';

const console = openConsole();

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

/** A business with an event on 5 December 2026, 18:00 to 23:00, that has a call time and one person. */
async function createEvent() {
  const tenant = await createBusiness();
  const { business, staff, bartender } = tenant;
  const event = await console.service.createEvent(business, { title: 'Harvest Dinner' });
  const call = await console.service.createCallTime(event, { positionId: bartender.id });
  await console.service.createShift(event, staff, { positionId: bartender.id, callTimeId: call.id, confirmed: true });
  return { ...tenant, event, call, path: `/app/events/${event.uuid}` };
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

describe('an event that is there', () => {
  test('shows its people, call times, details, cost and history, on every screen', async () => {
    const { as, path, business } = await createEvent();
    await console.service.prisma.user.updateMany({
      where: { businessId: business.id, role: 'staff' },
      data: { firstName: 'نورا', lastName: 'w'.repeat(120) },
    });
    await console.service.prisma.event.updateMany({
      where: { businessId: business.id },
      data: { title: `Dinner ${'x'.repeat(150)}`, venueName: 'y'.repeat(200) },
    });
    const page = await console.open(as.admin, path);
    for (const [tab, text] of [
      ['Staffing', '1 open place'],
      ['Call times', 'Notes for staff'],
      ['Details', 'Dress code'],
      ['Cost', 'When all places are filled'],
      ['History', 'created the event'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByText(text).first().waitFor();
      await expectAccessible(page);
      await expectNoOverflow(page);
    }
  });

  test('changes rows of call times, adds one and removes one in one go', async () => {
    const { as, admin, event, path, server } = await createEvent();
    const extra = await console.service.createCallTime(event, { positionId: server.id });
    const page = await console.open(as.admin, `${path}?tab=calls`);
    await cell(page, 'Staff', 1).fill('5');
    await page.getByRole('button', { name: 'Copy row 1' }).click();
    await cell(page, 'Start', 2).fill('1730');
    await page.getByRole('button', { name: 'Remove row 3' }).click();
    await page.getByText('Goes when you save').waitFor();
    await page.getByText('3 rows changed').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, '3 call times saved.');
    const calls = await storedCalls(event.id);
    expect(calls.some(({ id }) => id === extra.id)).toBe(false);
    expect(calls.map((call) => [call.staffNeeded, local(call.startLocal)])).toEqual([
      [5, '2026-12-05 16:00'],
      [5, '2026-12-05 17:30'],
    ]);
    // A copied rate that is that of the position follows the position.
    expect(calls[1]!.payRate).toBeNull();
    await page.getByText('rows changed').waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText(`${admin.firstName} ${admin.lastName} added the call time Bartender.`).waitFor();
    await expectAccessible(page);
  });

  test('has rates that clients pay beside those of people, and shows what is left', async () => {
    const { as, business, bartender, event, path } = await createEvent();
    await console.service.prisma.position.update({
      where: { businessId_id: { businessId: business.id, id: bartender.id } },
      data: { billRate: '35.00' },
    });
    const page = await console.open(as.admin, `${path}?tab=calls`);
    expect(await cell(page, 'Billed', 1).getAttribute('placeholder')).toBe('35.00');
    await cell(page, 'Billed', 1).fill('x');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Billed: An amount such as 25 or 25.50.').waitFor();
    await cell(page, 'Billed', 1).fill('$400');
    await cell(page, 'Billed', 1).press('Tab');
    await cell(page, 'Bill per', 1).selectOption('FLAT');
    await expectAccessible(page);
    await expectNoOverflow(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, '1 call time saved.');
    expect(await storedCalls(event.id)).toMatchObject([{ billUnit: 'flat', payRate: null }]);
    await page.getByRole('tab', { name: 'Cost' }).click();
    await page.getByRole('row', { name: 'Planned $400.00' }).waitFor();
    await page.getByText('0 shifts by the plan, and 1 of what was worked').waitFor();
    await expectAccessible(page);
    await expectNoOverflow(page);
  });

  test('stores none of the rows where one is refused, and says why', async () => {
    const { as, event, path } = await createEvent();
    const page = await console.open(as.admin, `${path}?tab=calls`);
    await page.getByRole('button', { name: 'Remove row 1' }).click();
    await cell(page, 'Position', 2).fill('Banquet Server');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.ev-fault').getByText('The call time has active shifts (1)').waitFor();
    await expectAccessible(page);
    expect((await storedCalls(event.id)).map(({ position }) => position.title)).toEqual(['Bartender']);
    expect(await page.getByText('2 rows changed').count()).toBe(1);
    await page.getByRole('button', { name: 'Keep row 1 after all' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, '1 call time saved.');
  });

  test('keeps the requirements of a call time in its copy, and when its removal is taken back', async () => {
    const { as, business, event, path, server } = await createEvent();
    const { service } = console;
    const { id: callTimeId } = await service.createCallTime(event, { positionId: server.id, notesForStaff: 'Gate B' });
    const aid = await service.prisma.qualification.create({ data: { businessId: business.id, name: 'First aid' } });
    const businessId = business.id;
    await service.prisma.requirement.create({
      data: { businessId, eventId: event.id, callTimeId, qualificationId: aid.id, minLevel: 2 },
    });
    const page = await console.open(as.admin, `${path}?tab=calls`);
    const stored = async () =>
      (await storedCalls(event.id)).filter(({ notesForStaff }) => notesForStaff === 'Gate B').map(({ id }) => id);
    const required = () => service.prisma.requirement.findMany({ where: { businessId, minLevel: 2 } });
    await page.getByRole('button', { name: 'Copy row 2' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, '1 call time saved.');
    expect((await required()).map((each) => each.callTimeId).sort()).toEqual((await stored()).sort());
    await page.getByRole('button', { name: 'Remove row 2' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await until(async () => (await required()).length === 1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Undone. Offers of it stay ended, and people who were asked to confirm anew still are.');
    expect(await required()).toHaveLength(2);
  });

  test('takes back what was saved of call times and details, unless somebody has changed it since', async () => {
    const { as, business, event, path, server } = await createEvent();
    const extra = await console.service.createCallTime(event, { positionId: server.id, notesForStaff: 'Gate B' });
    const page = await console.open(as.admin, `${path}?tab=calls`);
    const before = (await storedCalls(event.id)).map(({ staffNeeded, notesForStaff }) => [staffNeeded, notesForStaff]);
    const undo = () => page.getByRole('button', { name: 'Undo' });
    await cell(page, 'Staff', 1).fill('9');
    await page.getByRole('button', { name: 'Remove row 2' }).click();
    await cell(page, 'Position', 3).fill('Bartender');
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, '3 call times saved.');
    expect((await storedCalls(event.id)).map(({ staffNeeded }) => staffNeeded)).toEqual([9, 1]);
    await undo().click();
    await toast(page, 'Undone.');
    const after = await storedCalls(event.id);
    expect(after.map(({ staffNeeded, notesForStaff }) => [staffNeeded, notesForStaff])).toEqual(before);
    expect(after[1]).toMatchObject({ positionId: extra.positionId, startLocal: extra.startLocal });

    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByLabel('Venue').fill('The Barn');
    await page.getByLabel('Date', { exact: true }).fill('2026-12-06');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved.');
    const stored = () => findEvent(business.id, 'Harvest Dinner');
    expect(local((await stored()).startLocal)).toBe('2026-12-06 18:00');
    // By keyboard: the focus is on the button after some Tabs, wherever it was.
    await undo().focus();
    await page.keyboard.press('Enter');
    await toast(page, 'Undone.');
    expect(await stored()).toMatchObject({ venueName: event.venueName, startLocal: event.startLocal });
    expect(local((await storedCalls(event.id))[0]!.startLocal)).toBe('2026-12-05 16:00');

    await page.getByLabel('City').fill('Madison');
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved.');
    await console.service.graphql(
      'mutation ($id: ID!) { updateEvent(id: $id, input: { city: "Chicago" }) { event { version } } }',
      { as: as.admin, variables: { id: event.uuid } },
    );
    await undo().click();
    await toast(page, 'Not undone: somebody else has changed it since.');
    expect((await stored()).city).toBe('Chicago');
  });

  test('stores a change of call times once, although its answer was lost', async () => {
    const { as, event, path } = await createEvent();
    const page = await console.open(as.admin, `${path}?tab=calls`, { expected: /ERR_FAILED/ });
    await cell(page, 'Staff', 1).fill('5');
    await cell(page, 'Position', 2).fill('Banquet Server');
    await page.route('**/graphql', async (route) => {
      if (/changeCallTimes/.test(route.request().postData() ?? '')) await route.fetch();
      return route.abort();
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('What you typed is kept.').waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, '2 call times saved.');
    expect((await storedCalls(event.id)).map(({ staffNeeded }) => staffNeeded)).toEqual([5, 1]);
  });

  test('has rows of 400 call times in sight only, and reaches the others by keyboard', async () => {
    const { as, event, path, bartender } = await createEvent();
    for (let number = 0; number < 399; number++)
      await console.service.createCallTime(event, { positionId: bartender.id, staffNeeded: number + 1 });
    const page = await console.open(as.admin, `${path}?tab=calls`);
    await page.locator('table[aria-rowcount="402"]').waitFor();
    const rows = page.locator('.ev-edit').getByRole('row');
    expect(await rows.count()).toBeLessThan(60);
    await cell(page, 'Staff', 1).focus();
    for (let presses = 0; presses < 30; presses++) await page.keyboard.press('Alt+ArrowDown');
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Staff, row 31');
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await cell(page, 'Position', 401).fill('Bartender');
    await page.getByText('1 row changed').waitFor();
    expect(await rows.count()).toBeLessThan(60);
  });

  test('shows what moves along before it is saved, and asks for a reason where people are booked twice', async () => {
    const { as, business, staff, event, path } = await createEvent();
    const other = await console.service.createEvent(business, {
      title: 'Gala',
      start: '2026-12-06 18:00:00',
      end: '2026-12-06 23:00:00',
    });
    await console.service.createShift(other, staff, { start: '2026-12-06 18:00:00', end: '2026-12-06 23:00:00' });
    const page = await console.open(as.admin, `${path}?tab=details`);
    await page.getByLabel('Date', { exact: true }).fill('2026-12-06');
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Before this is saved' });
    await dialog.getByText('1 call time and 1 shift move along.').waitFor();
    await expectAccessible(page);
    await expectNoOverflow(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/works at “Gala” for \d+ h( \d+ min)? of this time/).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save anyway' }).click();
    await dialog.getByText('Give a reason.').waitFor();
    await dialog.getByLabel('Save anyway, because').fill('Gala ends early');
    await dialog.getByRole('button', { name: 'Save anyway' }).click();
    await toast(page, 'Saved.');
    const shift = await console.service.prisma.workShift.findFirstOrThrow({ where: { eventId: event.id } });
    expect([shift.overrideReason, local(shift.startLocal!)]).toEqual(['Gala ends early', '2026-12-06 16:00']);
    const [call] = await storedCalls(event.id);
    expect(local(call!.startLocal)).toBe('2026-12-06 16:00');
  });

  test('is published, canceled, brought back and deleted by name, with undo', async () => {
    const { as, business, event, path } = await createEvent();
    await console.service.prisma.event.updateMany({ where: { businessId: business.id }, data: { status: 'draft' } });
    const page = await console.open(as.admin, path);
    const status = async () =>
      (await console.service.prisma.event.findFirstOrThrow({ where: { id: event.id, businessId: business.id } }))
        .status;
    await page.getByRole('button', { name: 'Publish' }).click();
    await toast(page, '“Harvest Dinner” is published.');
    expect(await status()).toBe('active');
    await page.getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Undone.');
    expect(await status()).toBe('draft');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Cancel event…' }).click();
    await page.getByText('1 person is assigned').waitFor();
    await page.getByRole('button', { name: 'Cancel event' }).click();
    await toast(page, '“Harvest Dinner” is canceled.');
    await page.getByRole('button', { name: 'Bring back' }).click();
    await toast(page, '“Harvest Dinner” is back.');
    expect(await status()).toBe('active');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    const confirm = page.getByRole('button', { name: 'Delete event' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel('Type “Harvest Dinner” to go on').fill('Harvest Dinner');
    await expectAccessible(page);
    await confirm.click();
    await toast(page, '“Harvest Dinner” is deleted.');
    expect(await status()).toBe('deleted');
    await page.getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Undone.');
    expect(await status()).toBe('active');
  });
});

describe('two people at one event', () => {
  test('the second one is told what the first has saved, and takes it over or overwrites it', async () => {
    const { as, business, admin, event, path } = await createEvent();
    const page = await console.open(as.admin, `${path}?tab=details`);
    await page.getByLabel('Venue').fill('The Granary');
    await page.getByLabel('City').fill('Madison');
    const change = async (input: object) => {
      const { body } = await console.service.graphql(
        'mutation ($id: ID!, $input: UpdateEventInput!) { updateEvent(id: $id, input: $input) { event { version } } }',
        { as: as.admin, variables: { id: event.uuid, input } },
      );
      expect(body.errors).toBeUndefined();
    };
    await change({ venueName: 'The Barn', title: 'Harvest Supper' });
    await page.getByRole('button', { name: 'Save' }).click();
    const notice = page.getByRole('alert');
    await notice.getByText(`${admin.firstName} ${admin.lastName} has changed this event`).waitFor();
    expect(await notice.getByRole('listitem').allTextContents()).toEqual([
      'Title: now “Harvest Supper”',
      'Venue: now “The Barn”, yours “The Granary”',
    ]);
    await expectAccessible(page);
    await expectNoOverflow(page);
    await notice.getByRole('button', { name: 'Take theirs over' }).click();
    expect(await page.getByLabel('Venue').inputValue()).toBe('The Barn');
    expect(await page.getByLabel('City').inputValue()).toBe('Madison');
    await page.getByLabel('Venue').fill('The Granary');
    await change({ venueName: 'The Hall' });
    await page.getByRole('button', { name: 'Save' }).click();
    await notice.getByRole('button', { name: 'Overwrite with mine' }).click();
    await toast(page, 'Saved.');
    expect(
      await console.service.prisma.event.findFirstOrThrow({ where: { id: event.id, businessId: business.id } }),
    ).toMatchObject({
      title: 'Harvest Supper',
      venueName: 'The Granary',
      city: 'Madison',
    });
  });

  test('a row of call times that both have changed shows both', async () => {
    const { as, event, call, path } = await createEvent();
    const page = await console.open(as.admin, `${path}?tab=calls`);
    await cell(page, 'Staff', 1).fill('7');
    const { body } = await console.service.graphql(
      'mutation ($id: ID!) { updateCallTime(id: $id, input: { staffNeeded: 4, notesForStaff: "Gate B" }) { callTime { version } } }',
      { as: as.admin, variables: { id: call.uuid } },
    );
    expect(body.errors).toBeUndefined();
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText('Somebody else has changed this call time meanwhile: Staff 2 → 4, Notes for staff – → Gate B')
      .waitFor();
    expect(await cell(page, 'Notes for staff', 1).inputValue()).toBe('Gate B');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Take theirs' }).click();
    expect(await cell(page, 'Staff', 1).inputValue()).toBe('4');
    await cell(page, 'Staff', 1).fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, '1 call time saved.');
    expect((await storedCalls(event.id))[0]).toMatchObject({ staffNeeded: 7, notesForStaff: 'Gate B' });
  });
});

describe('who is no admin', () => {
  test('sees the event without what is for admins, and asks for nothing that it may not read', async () => {
    const { as, event, business, client, path } = await createEvent();
    await console.service.prisma.event.updateMany({
      where: { id: event.id, businessId: business.id },
      data: { clientId: client.id, privateNotes: 'Owes money', description: 'A dinner' },
    });
    for (const credential of [as.staff, as.client]) {
      const page = await console.open(credential, path);
      await page.getByText('A dinner').waitFor();
      await page.getByRole('heading', { name: 'Bartender' }).waitFor();
      expect(await page.getByText('Owes money').count()).toBe(0);
      expect(await page.getByRole('tab').count()).toBe(0);
      expect(await page.getByRole('alert').count()).toBe(0);
      await expectAccessible(page);
      await expectNoOverflow(page);
    }
  });

  test('an event that is not there says so', async () => {
    const { as } = await createEvent();
    const page = await console.open(as.admin, '/app/events/00000000-0000-4000-8000-000000000000');
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
  });
});

test('without HTTPS, an event is changed and the log-in is not kept', async () => {
  const { admin, event, path } = await createEvent();
  const page = await borrowPage();
  await page.goto(`${console.origin.replace('127.0.0.1', untrustedHost)}${path}?tab=calls`);
  expect(await page.evaluate(() => [isSecureContext, typeof crypto.randomUUID])).toEqual([false, 'undefined']);
  await page.getByLabel('E-mail', { exact: true }).fill(admin.email!);
  await page.getByLabel('Password', { exact: true }).fill(password);
  // The cookie of a kept log-in would not be taken.
  expect(await page.getByLabel('Stay logged in on this device').count()).toBe(0);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await cell(page, 'Staff', 1).fill('5');
  await page.getByRole('button', { name: 'Copy row 1' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await toast(page, '2 call times saved.');
  expect((await storedCalls(event.id)).map(({ staffNeeded }) => staffNeeded)).toEqual([5, 5]);
  await returnPage(page);
});
