/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectAccessible, expectNoOverflow, openConsole } from './support/console.ts';

const console = openConsole({ isAlone: true });
const day = '2026-12-05';
const place = { venueName: 'The Old Granary', address: '12 Mill Lane', city: 'Madison', state: 'WI', zip: '53703' };
const names = ['أحمد بن عبد الله الفارسي', 'נועה לוי', 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3), '王小明'];

/** A day with an event of so many people, one without anybody, and one of the day after. */
async function createDay(people: number) {
  const tenant = await console.service.createTenant();
  const { service } = console;
  const { business, client } = tenant;
  await service.prisma.business.update({
    where: { id: business.id },
    data: { timezone: 'America/New_York', printedCodes: true },
  });
  const position = await service.createPosition(business, { title: 'Bartender' });
  const add = (title: string, more: object = {}) =>
    service.createEvent(business, { title, clientId: client.id, dressCode: 'All black', ...place, ...more });
  const event = await add('Harvest Dinner', { description: 'Use the back door.' });
  await add('Quiet Night');
  await add('Brunch', { start: '2026-12-06 10:00:00', end: '2026-12-06 14:00:00' });
  const calls = [];
  for (const start of [`${day} 16:00:00`, `${day} 17:30:00`])
    calls.push(
      await service.createCallTime(event, {
        ...{ start, end: `${day} 23:30:00`, positionId: position.id, staffNeeded: 100, notesForStaff: 'Bring a pen.' },
      }),
    );
  for (let index = 0; index < people; index++) {
    const name = names[index] ?? `Robin Fields${index}`;
    const user = await service.createUser(business, 'staff', { name, phone: `+1 555 0${1000 + index}` });
    const { id, startLocal } = calls[index % 2]!;
    const start = startLocal.toISOString().slice(0, 19).replace('T', ' ');
    const times = { start, end: `${day} 23:30:00`, positionId: position.id, callTimeId: id };
    await service.createShift(event, user, times);
  }
  return { ...tenant, event };
}

const paper = { A4: [210, 297], Letter: [215.9, 279.4] } as const;
const marginMm = 12;

/** Prints the page. Returns the number of its pages, and what is wider than the paper. */
async function print(page: Page, format: keyof typeof paper) {
  const pdf = await page.pdf({ format, preferCSSPageSize: false });
  const pages = pdf.toString('latin1').match(/\/Type \/Page\b/g)!.length;
  const size = page.viewportSize()!;
  const width = Math.floor(((paper[format][0] - 2 * marginMm) / 25.4) * 96);
  await page.setViewportSize({ width, height: 1000 });
  await page.emulateMedia({ media: 'print' });
  const cut = await page.evaluate(
    (most) =>
      [...document.querySelectorAll('.sheet, .sheet *')]
        .filter((element) => element.getBoundingClientRect().right > most + 1 || element.scrollWidth > most + 1)
        .map((element) => element.outerHTML.slice(0, 80)),
    width,
  );
  const colours = await page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.querySelector('.sheet h2')!);
    return [color, backgroundColor, getComputedStyle(document.body).backgroundColor];
  });
  const isShown = await page.locator('.cb-header, .cs-title, .sheet-bar').filter({ visible: true }).count();
  await page.emulateMedia({ media: null });
  await page.setViewportSize(size);
  return { pages, cut, colours, isShown };
}

const onPaper = { cut: [], colours: ['rgb(29, 36, 48)', 'rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)'], isShown: 0 };
const sheet = (page: Page, name: string) => page.getByRole('region', { name });

describe('call sheets', () => {
  test('of a day have one page for each event, on A4 and on Letter, also in the dark', async () => {
    const { as } = await createDay(4);
    const page = await console.open(as.admin, `/app/call-sheet?day=${day}`);
    await sheet(page, 'Harvest Dinner').getByRole('img', { name: 'QR code' }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const format of ['A4', 'Letter'] as const) expect(await print(page, format)).toEqual({ ...onPaper, pages: 2 });
    expect(await page.locator('.sheet').count()).toBe(2);
    const text = await sheet(page, 'Harvest Dinner').innerText();
    for (const wanted of [
      'Sat 5 Dec 2026, 18:00–23:00',
      'America/New_York',
      '12 Mill Lane',
      'All black',
      '16:00–23:30',
    ])
      expect(text).toContain(wanted);
    for (const wanted of [
      'Use the back door.',
      'Bring a pen.',
      '2 of 100 people',
      '+1 555 01000',
      'Printed ',
      ...names,
    ])
      expect(text).toContain(wanted);
    expect(await sheet(page, 'Quiet Night').innerText()).toContain('Nobody is assigned.');
    await page.getByRole('checkbox', { name: 'With phone numbers' }).uncheck();
    expect(await sheet(page, 'Harvest Dinner').innerText()).not.toContain('555');
    await expectAccessible(page);
    await expectNoOverflow(page);
  });

  test('of 200 people go over pages with the head of the table on each, and cut no row', async () => {
    const { as, event } = await createDay(200);
    const page = await console.open(as.admin, `/app/call-sheet?event=${event.uuid}`);
    await sheet(page, 'Harvest Dinner').getByRole('img', { name: 'QR code' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(203);
    for (const format of ['A4', 'Letter'] as const) {
      const { pages, ...rest } = await print(page, format);
      expect(rest).toEqual(onPaper);
      // At least 15 people fit on a page, and at most 40.
      expect(pages).toBeGreaterThanOrEqual(5);
      expect(pages).toBeLessThanOrEqual(14);
    }
    const style = (selector: string, name: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, key) => getComputedStyle(element).getPropertyValue(key), name);
    await page.emulateMedia({ media: 'print' });
    expect(await style('.sheet thead', 'display')).toBe('table-header-group');
    expect(await style('.sheet tbody tr', 'break-inside')).toBe('avoid');
  });
  test('of one person have all that they need on that day', async () => {
    const { as, event } = await createDay(1);
    const { userId } = await console.service.prisma.workShift.findFirstOrThrow({ where: { eventId: event.id } });
    const user = await console.service.prisma.user.findFirstOrThrow({ where: { id: userId } });
    const page = await console.open(as.admin, `/app/people/${user.id}`);
    await page.getByRole('link', { name: 'Call sheet' }).click();
    const own = sheet(page, names[0]!);
    for (const wanted of ['Sat 5 Dec 2026', 'Harvest Dinner', '16:00 – 23:30', 'Bartender', '12 Mill Lane'])
      expect(await own.innerText()).toContain(wanted);
    expect(await print(page, 'A4')).toEqual({ ...onPaper, pages: 1 });
    await expectAccessible(page);
    await expectNoOverflow(page);
    await page.getByLabel('Day', { exact: true }).fill('2026-12-06');
    await page.getByText('No shift begins on this day.').waitFor();

    const theirs = await console.open(await console.service.tokenOf(user), '/app/my-shifts');
    await theirs.getByRole('link', { name: 'Call sheet' }).click();
    await theirs.getByLabel('Day', { exact: true }).fill(day);
    await sheet(theirs, names[0]!).getByText('Harvest Dinner').waitFor();
  });

  test('are reached from the event and its day; clients and staff see no phone numbers and no code', async () => {
    const { as, event, staff } = await createDay(2);
    const page = await console.open(as.admin, `/app/events?view=day&day=${day}`);
    await page.getByRole('link', { name: 'Call sheets' }).click();
    await sheet(page, 'Quiet Night').waitFor();
    await page.goto(`${console.origin}/app/events/${event.uuid}`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Call sheet' }).click();
    await sheet(page, 'Harvest Dinner').getByText('555 01000').waitFor();
    await page.goto(`${console.origin}/app/board?day=${day}`);
    await page.getByRole('link', { name: 'Call sheets' }).click();
    await sheet(page, 'Quiet Night').waitFor();
    await page.goto(`${console.origin}/app/call-sheet?day=2026-12-04`);
    await page.getByText('Nothing to print').waitFor();
    await expectAccessible(page);

    await console.service.createShift(event, staff, { start: `${day} 18:00:00`, end: `${day} 23:00:00` });
    for (const [credential, seen] of [[as.client, names[0]!] as const, [as.staff, staff.lastName] as const]) {
      const other = await console.open(credential, `/app/events/${event.uuid}`);
      await other.getByRole('link', { name: 'Call sheet' }).click();
      await sheet(other, 'Harvest Dinner').getByText(seen).waitFor();
      expect(await other.content()).not.toMatch(/555 0|QR code|With phone numbers/);
    }
    const client = await console.open(as.client, '/app/call-sheet');
    await client.getByText('Open an event: its call sheet is there.').waitFor();
  });
});
