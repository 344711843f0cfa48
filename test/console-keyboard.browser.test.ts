/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFits, expectNoOverflow, openConsole, toast, zoomed } from './support/console.ts';

/* Jobs on events, people and one's own shifts by keyboard alone, and their pages at a zoom of 200 %. */

const console = openConsole();

/** A business with an event on 5 December 2026 that has a call time and one person. */
async function createScene() {
  const tenant = await console.service.createTenant();
  const { business, staff, client } = tenant;
  const position = await console.service.createPosition(business, { title: 'Bartender' });
  const event = await console.service.createEvent(business, { title: 'Harvest Dinner', clientId: client.id });
  const call = await console.service.createCallTime(event, { positionId: position.id });
  await console.service.createShift(event, staff, { positionId: position.id, callTimeId: call.id });
  return { ...tenant, event, call, path: `/app/events/${event.uuid}` };
}

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Goes forward by Tab until a control has the focus whose name begins so. */
async function tabTo(page: Page, name: string, most = 80): Promise<void> {
  const isThere = () =>
    page.evaluate((wanted) => {
      const { ariaLabel, textContent, id } = document.activeElement as HTMLInputElement;
      const label = id && document.querySelector(`label[for="${CSS.escape(id)}"]`)?.textContent;
      return [ariaLabel, label, textContent].some((each) => each?.trim().startsWith(wanted));
    }, name);
  for (let presses = 0; presses < most; presses++) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No Tab leads to “${name}”.`);
}

describe('an event', () => {
  test('is canceled, brought back, deleted by name and copied', async () => {
    const { as, business, path } = await createScene();
    const page = await console.open(as.admin, path);
    const choose = async (item: string) => {
      await tabTo(page, 'More');
      await press(page, 'Enter');
      await page.getByRole('menuitem', { name: item }).waitFor();
      for (let presses = 0; presses < 6; presses++) {
        if (await page.getByRole('menuitem', { name: item }).evaluate((it) => it === document.activeElement)) break;
        await press(page, 'ArrowDown');
      }
      await press(page, 'Enter');
      await page.getByRole('dialog').waitFor();
    };
    await choose('Copy…');
    await tabTo(page, 'Add the week after');
    await press(page, 'Enter');
    await expectAccessible(page);
    await expectNoOverflow(page);
    await tabTo(page, 'Make 2 copies');
    await press(page, 'Enter');
    await toast(page, '2 copies are made.');
    const events = await console.service.prisma.event.findMany({
      where: { businessId: business.id },
      orderBy: { startsAt: 'asc' },
      include: { callTimes: true },
    });
    const day = (date: Date) => date.toISOString().slice(0, 10);
    expect(events.map(({ status, startLocal, callTimes }) => [status, day(startLocal), callTimes.length])).toEqual([
      ['active', '2026-12-05', 1],
      ['draft', '2026-12-12', 1],
      ['draft', '2026-12-19', 1],
    ]);
    await choose('Cancel event…');
    await tabTo(page, 'Cancel event');
    await press(page, 'Enter');
    await toast(page, '“Harvest Dinner” is canceled.');
    await tabTo(page, 'Undo');
    await press(page, 'Enter');
    await toast(page, 'Undone.');
    await choose('Delete…');
    await tabTo(page, 'Type “Harvest Dinner”');
    await page.keyboard.type('Harvest Dinner');
    await press(page, 'Enter');
    await toast(page, '“Harvest Dinner” is deleted.');
    await page.getByRole('button', { name: 'Bring back' }).waitFor();
  });

  test('gets, copies and loses call times, and is moved with a reason', async () => {
    const { as, event, business, staff, path } = await createScene();
    const page = await console.open(as.admin, path);
    await tabTo(page, 'Staffing');
    await press(page, 'ArrowRight');
    await page.getByLabel('Position, row 2', { exact: true }).waitFor();
    await tabTo(page, 'Copy row 1');
    await press(page, 'Enter');
    await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Position, row 2');
    await press(page, 'Tab');
    await page.keyboard.type('4');
    await press(page, 'Enter');
    await page.keyboard.type('bar');
    await tabTo(page, 'Remove row 3');
    await press(page, 'Enter');
    await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Position, row 3');
    await press(page, 'Control+Enter');
    await toast(page, '1 call time saved.');
    expect(await console.service.prisma.callTime.count({ where: { eventId: event.id } })).toBe(2);

    const other = await console.service.createEvent(business, {
      title: 'Gala',
      start: '2026-12-06 16:00:00',
      end: '2026-12-06 23:00:00',
    });
    await console.service.createShift(other, staff, { start: '2026-12-06 16:00:00', end: '2026-12-06 23:00:00' });
    await page.getByRole('tab', { name: 'Call times' }).focus();
    await press(page, 'ArrowRight');
    await page.getByLabel('Date', { exact: true }).waitFor();
    await tabTo(page, 'Date');
    await page.keyboard.type('12062026');
    await press(page, 'Tab', 'Tab', 'Enter');
    const dialog = page.getByRole('dialog', { name: 'Before this is saved' });
    await dialog
      .getByText(/works at “Gala”|move along/)
      .first()
      .waitFor();
    await tabTo(page, 'Save');
    await press(page, 'Enter');
    await dialog.getByText(/works at “Gala”/).waitFor();
    await tabTo(page, 'Save anyway, because');
    await page.keyboard.type('Gala ends early');
    await tabTo(page, 'Save anyway');
    await dialog.getByRole('button', { name: 'Save anyway' }).focus();
    await press(page, 'Enter');
    await page.locator('.cs-toasts').getByText('Saved.', { exact: true }).waitFor();
    const shift = await console.service.prisma.workShift.findFirstOrThrow({ where: { eventId: event.id } });
    expect(shift.overrideReason).toBe('Gala ends early');
  });
});

test('a person is edited and removed, and the tabs are changed', async () => {
  const { as, business, staff } = await createScene();
  const page = await console.open(as.admin, `/app/people/${staff.id}`);
  await tabTo(page, 'Edit');
  await press(page, 'Enter');
  await tabTo(page, 'Phone');
  await page.keyboard.type('+1 608 555 0100');
  await press(page, 'Enter');
  await toast(page, 'Saved.');
  await tabTo(page, 'Shifts to come');
  await press(page, 'End');
  await page.getByText('+1 608 555 0100', { exact: false }).last().waitFor();
  await page.getByRole('heading', { level: 1 }).focus();
  await tabTo(page, 'Remove');
  await press(page, 'Enter');
  await tabTo(page, 'Call off');
  await press(page, 'Space');
  await tabTo(page, 'Type “');
  await page.keyboard.type(staff.name);
  await press(page, 'Enter');
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
  expect(
    (await console.service.prisma.user.findFirst({ where: { businessId: business.id, id: staff.id } }))?.deletedAt,
  ).not.toBeNull();
});

test('one’s own shift is confirmed, taken back, and looked for among the past ones', async () => {
  const { as, event, staff } = await createScene();
  await console.service.prisma.workShift.updateMany({
    where: { eventId: event.id },
    data: { startsAt: new Date(Date.now() + 3_600_000), endsAt: new Date(Date.now() + 7_200_000) },
  });
  const page = await console.open(as.staff, '/app/my-shifts');
  await page.getByRole('button', { name: 'Confirm: Harvest Dinner' }).waitFor();
  await tabTo(page, 'Confirm: Harvest Dinner');
  await press(page, 'Enter');
  await toast(page, 'You confirmed Harvest Dinner.');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Harvest Dinner');
  await tabTo(page, 'Undo');
  await press(page, 'Enter');
  await toast(page, 'Undone.');
  const { confirmed } = await console.service.prisma.workShift.findFirstOrThrow({
    where: { eventId: event.id, userId: staff.id },
  });
  expect(confirmed).toBe(false);
  await page.getByRole('tab', { name: 'To come' }).focus();
  await press(page, 'ArrowRight', 'ArrowRight');
  await page.getByText('No past shifts').waitFor();
});

test('nothing is cut off at a zoom of 200 %', async () => {
  const { as, path, staff } = await createScene();
  const addresses = {
    admin: [
      ...['/app', '/app/events/new', '/app/attendance?view=all', '/app/payroll', `/app/people/${staff.id}`],
      ...['month', 'week', 'list'].map((view) => `/app/events?view=${view}&day=2026-12-05`),
      ...['staffing', 'calls', 'details', 'cost', 'history'].map((tab) => `${path}?tab=${tab}`),
    ],
    staff: ['/app/my-shifts', path],
  };
  for (const role of ['admin', 'staff'] as const) {
    const page = await console.open(as[role], '/app', zoomed);
    for (const address of addresses[role]) {
      await page.goto(console.origin + address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.app-waiting').waitFor({ state: 'detached' });
      await expectFits(page);
    }
  }
});
