/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { card, chip, live, openBoard, wall, zone } from './support/board-page.ts';
import { countClicks, expectAccessible, expectNoOverflow, toast, undo } from './support/console.ts';

/* The day of an event by the pages alone: who comes, what is approved, and what is paid. */

const board = openBoard({ isAlone: true });
const phone = { viewport: { width: 390, height: 844 }, timezoneId: zone, hasTouch: true };
const refused = /the server responded with a status of/;

/** The running event of the board with a rate, and Theo on it as well. */
async function createDay() {
  const day = await board.createDay();
  const { prisma } = board.service;
  const { business, event, call, theo } = day;
  await prisma.position.updateMany({ where: { businessId: business.id }, data: { defaultPayRate: '20.00' } });
  await prisma.callTime.updateMany({ where: { id: call.id }, data: { staffNeeded: 2 } });
  await prisma.user.updateMany({
    where: { businessId: business.id, id: theo.id },
    data: { phone: '+1 608 555 0142' },
  });
  const times = { start: wall(-2), end: wall(6), positionId: call.positionId };
  await board.service.createShift(event, theo, { ...times, callTimeId: call.id });
  return day;
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Harvest Dinner' });
const six = (page: Page) => page.getByText(/^\d{6}$/);

test('an admin checks people in and out on the board by two clicks, by keyboard, and takes it back', async () => {
  const { as } = await createDay();
  const page = await board.open(as.admin, '/app/board');
  await live(page);
  expect(await card(page).getByText('there').count()).toBe(0);
  const clicks = await countClicks(page, async () => {
    await chip(page, 'Ivy G.').click();
    await dialogOf(page).getByRole('button', { name: 'Check in Ivy Green' }).click();
    await toast(page, 'Ivy Green: checked in.');
  });
  expect(clicks).toBe(2);
  await chip(page, '● Ivy G.').waitFor();
  // Since somebody checks in, who has not come is missing.
  await chip(page, '‼ Theo R.').waitFor();
  await card(page).getByText('1 there · 1 missing').first().waitFor();
  await page.getByRole('region', { name: 'Late and missing, longest first' }).getByText('missing since 2 h').waitFor();
  // Who has come does not wait to confirm any more.
  const waiting = page.getByRole('region', { name: 'Waiting to confirm, longest first' });
  expect(await waiting.getByText('Ivy Green').count()).toBe(0);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await undo(page).click();
  await chip(page, '● Ivy G.').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');

  await card(page).locator('.bd-name').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const checkIn = dialogOf(page).getByRole('button', { name: /^Check in / });
  await checkIn.first().waitFor();
  await checkIn.first().focus();
  await page.keyboard.press('Enter');
  await card(page).getByText('1 there').first().waitFor();
  const checkOut = dialogOf(page).getByRole('button', { name: /^Check out / });
  await checkOut.focus();
  await page.keyboard.press('Enter');
  await card(page).getByText('0 there').first().waitFor();
  await undo(page).click();
  await card(page).getByText('1 there').first().waitFor();
});

test('a day is run from the first check-in to the approved payroll', async () => {
  const { as, ivy, event } = await createDay();
  const admin = await board.open(as.admin, '/app/settings/screens', { expected: refused });

  // A screen at the event shows its code.
  const screen = await board.open(null, '/board', { expected: refused });
  await screen.getByRole('button', { name: 'Use this browser as a screen' }).click();
  const pairing = screen.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  await pairing.waitFor();
  await admin.getByRole('button', { name: 'New screen' }).first().click();
  const form = admin.getByRole('dialog');
  await form.getByLabel('Code').fill(await pairing.innerText());
  await form.getByLabel('Name', { exact: true }).fill('Stage door');
  await form.getByLabel(/People check in at the event/).fill('Harvest');
  await form.getByRole('option', { name: /Harvest Dinner/ }).click();
  await form.getByRole('button', { name: 'Approve the screen' }).click();
  await six(screen).waitFor();
  await expectAccessible(screen);
  await expectNoOverflow(screen);
  expect(await screen.content()).not.toMatch(/555 ?0142/);

  // Staff check in with the code.
  const own = await board.open(await board.service.tokenOf(ivy), '/app/my-shifts', { ...phone, expected: refused });
  await own.getByRole('button', { name: 'Check in: Harvest Dinner' }).tap();
  const code = own.getByLabel('Code of the event');
  await code.fill('wrong');
  await own.getByRole('button', { name: 'Check in', exact: true }).tap();
  await own.getByText('is not the code of this event now').waitFor();
  expect(await code.evaluate((input) => input === document.activeElement)).toBe(true);
  await expectAccessible(own);
  await expectNoOverflow(own);
  await code.fill(await six(screen).innerText());
  await own.getByRole('button', { name: 'Check in', exact: true }).tap();
  await toast(own, 'You are checked in: Harvest Dinner.');
  await own.getByText('You are checked in since').waitFor();

  // Others do by name and phone number.
  await screen.getByLabel('Your name').fill('theo rossi');
  await screen.getByLabel('Last four digits of your phone number').fill('9999');
  await screen.getByRole('button', { name: 'Check in or out' }).click();
  await screen.getByText('belong to nobody who works here').waitFor();
  await screen.getByLabel('Last four digits of your phone number').fill('0142');
  await screen.keyboard.press('Enter');
  await screen.getByText('Welcome, Theo.').waitFor();
  await screen.locator('.bd-chip', { hasText: '● Theo R.' }).waitFor();

  // A printed code opens the page with the code in the fragment.
  const scanned = await board.open(
    await board.service.tokenOf(ivy),
    `/app/check-in#${event.uuid}.${await six(screen).innerText()}`,
    phone,
  );
  await scanned.getByText('You are checked in since').waitFor();
  await expectAccessible(scanned);
  await expectNoOverflow(scanned);
  await scanned.getByRole('button', { name: 'Check out', exact: true }).tap();
  await scanned.getByText('You were there from').waitFor();

  // The admin sets times, and approves.
  await admin.getByRole('banner').getByRole('link', { name: 'Attendance' }).first().click();
  await admin.getByText('Theo Rossi').waitFor();
  await expectAccessible(admin);
  await expectNoOverflow(admin);
  const setHour = async (name: string) => {
    await admin.getByRole('button', { name: `Change: ${name}` }).click();
    const [startDay = '', start = ''] = wall(-2).split(' ');
    const [, end = ''] = wall(-1).split(' ');
    await admin.getByLabel('Day', { exact: true }).fill(startDay);
    await admin.getByLabel('Came', { exact: true }).fill(start.slice(0, 5));
    await admin.getByLabel('Left', { exact: true }).fill(end.slice(0, 5));
    await admin.getByLabel('Breaks, in minutes').fill('10');
    await expectAccessible(admin);
    await admin.getByRole('button', { name: 'Save' }).click();
    await toast(admin, `Saved: ${name}.`);
  };
  await setHour('Theo Rossi');
  await admin.getByText('Nobody is late, missing or still there').waitFor();
  await admin.getByRole('tab', { name: 'To approve' }).click();
  await admin.getByText('Ivy Green').waitFor();
  await setHour('Ivy Green');
  await admin.getByRole('checkbox', { name: 'Select Ivy Green' }).check();
  await admin.getByRole('button', { name: 'Approve 1 selected' }).click();
  await toast(admin, '1 shift approved.');
  await admin.getByRole('button', { name: 'Approve all 1' }).click();
  await admin.getByText('Nothing waits for an approval').waitFor();

  await admin.getByRole('banner').getByRole('link', { name: 'Payroll' }).first().click();
  await admin.getByText('All shifts of these days are approved.').waitFor();
  const figures = await admin.locator('.at-figures').innerText();
  // Twice 50 minutes at 20.00, each rounded to cents.
  expect(figures).toContain('$320.00');
  expect(figures.match(/\$33\.34/g)).toHaveLength(2);
  await expectAccessible(admin);
  await expectNoOverflow(admin);
  const [file] = await Promise.all([
    admin.waitForEvent('download'),
    admin.getByRole('button', { name: 'Download as CSV' }).click(),
  ]);
  expect(readFileSync(await file.path(), 'utf8')).toContain('Theo,Rossi');

  // A correction needs a reason, and a new approval.
  await admin.goBack();
  await admin.getByRole('tab', { name: 'Approved' }).click();
  await admin.getByRole('button', { name: 'Change: Ivy Green' }).click();
  await admin.getByLabel('Breaks, in minutes').fill('0');
  await admin.getByRole('button', { name: 'Save' }).click();
  await admin.getByText('is required, because this is approved').waitFor();
  await admin.getByLabel('Why it is changed').fill('She worked through.');
  await admin.getByRole('button', { name: 'Save' }).click();
  await toast(admin, 'Saved: Ivy Green.');
  await admin.getByRole('tab', { name: 'To approve' }).click();
  await admin.getByRole('button', { name: 'Approve: Ivy Green' }).click();
  await toast(admin, '1 shift approved.');
  await admin.goto(`${board.origin}/app/events/${event.uuid}?tab=cost`);
  await admin.getByText('What was worked', { exact: true }).waitFor();
  expect(await admin.locator('.ev-figures').innerText()).toContain('$36.67');
});

test('the same time is approved twice for a reason only', async () => {
  const { as, event, ivy } = await createDay();
  const own = await board.service.prisma.workShift.findFirstOrThrow({ where: { eventId: event.id, userId: ivy.id } });
  const second = await board.service.createShift(event, ivy, {
    start: wall(-1),
    end: wall(2),
    positionId: own.positionId,
  });
  const noted = {
    checkedInAt: new Date(Date.now() - 7_200_000),
    checkedOutAt: new Date(Date.now() - 600_000),
    paidEarly: true,
  };
  for (const shift of [own, second]) await board.service.createAttendance(shift, noted);
  const admin = await board.open(as.admin, '/app/attendance');
  await admin.getByRole('tab', { name: 'To approve' }).click();
  await admin.getByRole('button', { name: 'Approve all 2' }).click();
  await admin.getByRole('dialog').getByText('This cannot be undone for all at once', { exact: false }).waitFor();
  await admin.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = admin.getByRole('dialog');
  await dialog.getByText('Harvest Dinner').first().waitFor();
  await dialog.getByLabel('Save anyway, because').fill('She ran both bars.');
  await dialog.getByRole('button', { name: 'Save anyway' }).click();
  await toast(admin, '2 shifts approved.');
});

test('what is not known yet is a dash, in the payroll and in the cost of the event', async () => {
  const { as, event } = await createDay();
  const admin = await board.open(as.admin, '/app/payroll');
  const actual = admin.locator('.at-figures > div', { hasText: 'Actual' });
  await actual.getByText('2 shifts without known hours').waitFor();
  expect((await actual.innerText()).split('\n')).toContain('–');
  await admin.goto(`${board.origin}/app/events/${event.uuid}?tab=cost`);
  const worked = admin.locator('.ev-figures > div', { hasText: 'What was worked' });
  await worked.waitFor();
  expect((await worked.innerText()).split('\n')).toContain('–');
});

test('somebody who sent too many wrong codes is told so, and an admin unlocks them', async () => {
  const { as, ivy } = await createDay();
  const own = await board.open(await board.service.tokenOf(ivy), '/app/my-shifts', phone);
  await own.getByRole('button', { name: 'Check in: Harvest Dinner' }).tap();
  for (let tries = 0; tries < 6; tries++) {
    await own.getByLabel('Code of the event').fill(`wrong ${tries}`);
    const answered = own.waitForResponse((response) => response.url().endsWith('/graphql'));
    await own.getByRole('button', { name: 'Check in', exact: true }).tap();
    await answered;
  }
  await own.getByText('ask an admin to unlock you').waitFor();
  const admin = await board.open(as.admin, '/app/attendance?view=all');
  await admin.getByRole('button', { name: 'Unlock codes: Ivy Green' }).click();
  await toast(admin, 'Ivy Green can enter codes again.');
  await admin.getByRole('button', { name: 'Did not come: Theo Rossi' }).click();
  await toast(admin, 'Theo Rossi: noted as not come.');
  await undo(admin).click();
  await admin.getByRole('button', { name: 'Did not come: Theo Rossi' }).waitFor();
});
