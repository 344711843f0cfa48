/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { countClicks, expectAccessible, expectNoOverflow, openConsole } from './support/console.ts';
import type { Tenant } from './support/factories.ts';

/* The calendar of events in the console. */

const console = openConsole({ isAlone: true });

/** A business of Berlin whose weeks begin on Sunday. */
async function createBerlin(): Promise<Tenant> {
  const tenant = await console.service.createTenant();
  const { id } = tenant.business;
  await console.service.prisma.business.update({
    where: { id },
    data: { timezone: 'Europe/Berlin', weekStart: 'sunday' },
  });
  return tenant;
}

const timezone = 'Europe/Berlin';
const createEvent = (tenant: Tenant, title: string, day: string, more: object = {}) =>
  console.service.createEvent(tenant.business, {
    title,
    timezone,
    start: `${day} 18:00:00`,
    end: `${day} 23:00:00`,
    status: 'active',
    ...more,
  });

const openMonth = (tenant: Tenant, search = 'view=month&day=2026-12-05') =>
  console.open(tenant.as.admin, `/app/events?${search}`);
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name });
const dayName = (page: Page) => page.evaluate(() => document.activeElement?.id);
const statusOf = async ({ id, businessId }: { id: number; businessId: number }) =>
  (await console.service.prisma.event.findUniqueOrThrow({ where: { businessId_id: { businessId, id } } })).status;

describe('the month', () => {
  test('begins its weeks and days as the business does, whatever the zone of the browser', async () => {
    const tenant = await createBerlin();
    await createEvent(tenant, 'Early in Auckland', '2026-12-06', {
      timezone: 'Pacific/Auckland',
      start: '2026-12-06 09:00:00',
      end: '2026-12-06 12:00:00',
    });
    await createEvent(tenant, 'Night shift', '2026-12-10', {
      start: '2026-12-10 20:00:00',
      end: '2026-12-11 04:00:00',
    });
    await createEvent(tenant, 'Trade fair', '2026-12-14', { start: '2026-12-14 08:00:00', end: '2026-12-16 18:00:00' });
    await createEvent(tenant, 'Some time', '2026-12-20', { start: '2026-12-20 00:00:00', startTbd: true });
    const page = await console.open(tenant.as.admin, '/app/events?view=month&day=2026-12-05', {
      timezoneId: 'Asia/Tokyo',
    });
    await link(page, /Early in Auckland/).waitFor();
    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      'Sun',
      'Mon',
      'Tue',
      'Wed',
      'Thu',
      'Fri',
      'Sat',
    ]);
    const daysOf = (title: string) =>
      page.evaluate(
        (text) =>
          [...document.querySelectorAll('td')]
            .filter((cell) => cell.textContent?.includes(text))
            .map((cell) => cell.querySelector('a')?.id),
        title,
      );
    expect(await daysOf('Early in Auckland')).toEqual(['day-2026-12-05']);
    expect(await daysOf('Night shift')).toEqual(['day-2026-12-10']);
    expect(await daysOf('Trade fair')).toEqual(['day-2026-12-14', 'day-2026-12-15', 'day-2026-12-16']);
    expect(await daysOf('Some time')).toEqual(['day-2026-12-20']);
    expect(await link(page, /Some time/).textContent()).toContain('TBD');
  });

  test('is done by keyboard: arrows go by day, Page Up and Down by month, Enter opens the day', async () => {
    const tenant = await createBerlin();
    const event = await createEvent(tenant, 'Spring gala', '2027-01-13');
    const page = await openMonth(tenant);
    await page.locator('#day-2026-12-05').focus();
    const seen: (string | undefined)[] = [];
    for (const key of ['ArrowRight', 'ArrowDown', 'Home', 'PageDown', 'ArrowLeft', 'End', 'PageUp', 'PageDown']) {
      await page.keyboard.press(key);
      seen.push(await dayName(page));
    }
    expect(seen).toEqual(
      ['12-06', '12-13', '12-13', '01-13', '01-12', '01-16', '12-16', '01-16'].map(
        (day) => `day-${day.startsWith('01') ? 2027 : 2026}-${day}`,
      ),
    );
    expect(page.url()).toContain('view=month&day=2027-01-16');
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('ArrowLeft');
    await link(page, /Spring gala/).waitFor();
    // The event of the selected day is two Tabs away, behind the link that makes a new one.
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(
      '/app/events/new?day=2027-01-13',
    );
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(`/app/events/${event.uuid}`);
    await page.locator('#day-2027-01-13').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Wednesday, 13 January 2027' }).waitFor();
    await page.getByRole('table').getByRole('link', { name: 'Spring gala' }).waitFor();
  });

  test('of 500 events shows the first of each day and leads to all of them, and the list has rows in sight only', async () => {
    const tenant = await createBerlin();
    for (let number = 0; number < 500; number++)
      await createEvent(tenant, `Show ${number}`, `2026-12-${String((number % 25) + 1).padStart(2, '0')}`);
    const page = await openMonth(tenant);
    await link(page, '+18 more').first().waitFor();
    expect(await page.locator('td a').count()).toBeLessThan(42 * 6);
    await link(page, /^Saturday, 5 December 2026: 20 events$/).waitFor();
    await page
      .locator('td', { has: page.locator('#day-2026-12-05') })
      .getByText('+18 more')
      .click();
    await page.getByRole('heading', { name: 'Saturday, 5 December 2026' }).waitFor();
    expect(await page.getByRole('checkbox', { name: /^Choose Show/ }).count()).toBe(20);
    await link(page, 'List').click();
    await page.locator('table[aria-rowcount="501"]').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    await page.getByRole('checkbox', { name: 'Choose all events shown' }).check();
    await page.getByText('500 events chosen').waitFor();
  });

  test('has no barriers and fits every screen, with long words, right-to-left titles and without events', async () => {
    const tenant = await createBerlin();
    await createEvent(tenant, 'W'.repeat(200), '2026-12-05', { venueName: 'V'.repeat(200), status: 'draft' });
    await createEvent(tenant, 'حفل الربيع السنوي', '2026-12-05', { status: 'canceled' });
    const page = await openMonth(tenant);
    await link(page, /WWW/).first().waitFor();
    for (const view of ['Month', 'Week', 'List', 'Day']) {
      await page.getByRole('navigation', { name: 'View' }).getByRole('link', { name: view }).click();
      await page.getByText('Canceled', { exact: true }).locator('visible=true').first().waitFor();
      await page.getByText('Draft', { exact: true }).locator('visible=true').first().waitFor();
      await expectAccessible(page);
      await expectNoOverflow(page);
    }
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByText('Nothing in these days').waitFor();
    await expectAccessible(page);
    await expectNoOverflow(page);
  });
});

test('filters stand in the address, and a search that finds nothing offers all days', async () => {
  const tenant = await createBerlin();
  await createEvent(tenant, 'Winter market', '2026-12-05', { clientId: tenant.client.id });
  await createEvent(tenant, 'Concert', '2026-12-05', { status: 'draft' });
  const staffed = await createEvent(tenant, 'Rehearsal', '2026-12-06');
  await console.service.createCallTime(staffed, { staffNeeded: 3 });
  await createEvent(tenant, 'Summer fair', '2027-07-05');
  const page = await openMonth(tenant, 'view=list&day=2026-12-05');
  const titles = () => page.locator('td .cal-name').allTextContents();
  await link(page, 'Winter market').waitFor();
  await page.getByLabel('Status').selectOption('Draft');
  await page.waitForURL(/status=draft/);
  await link(page, 'Winter market').waitFor({ state: 'detached' });
  await link(page, 'Concert').waitFor();
  expect(await titles()).toEqual(['Concert']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await link(page, 'Winter market').waitFor();
  await page.getByLabel('With open places').check();
  await link(page, 'Concert').waitFor({ state: 'detached' });
  expect(await titles()).toEqual(['Rehearsal']);
  await page.getByText('3 open').locator('visible=true').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await link(page, 'Concert').waitFor();
  await page.getByLabel('Client').click();
  await page.getByRole('option', { name: tenant.client.name }).click();
  await link(page, 'Concert').waitFor({ state: 'detached' });
  expect(await titles()).toEqual(['Winter market']);
  // A link with the filters shows the same.
  const again = await console.open(tenant.as.admin, new URL(page.url()).pathname + new URL(page.url()).search);
  await link(again, 'Winter market').waitFor();
  expect(await again.getByLabel('Client').inputValue()).toBe(tenant.client.name);
  await again.getByRole('button', { name: 'Clear filters' }).click();
  await link(again, 'Month').click();
  await again.getByLabel('Search').fill('summer');
  await again.getByText('No event in these days matches the filters.').waitFor();
  await link(again, 'Search all days').click();
  await again.getByRole('heading', { name: '1 event' }).waitFor();
  await link(again, 'Summer fair').waitFor();
});

describe('drafts', () => {
  const openList = (tenant: Tenant) => openMonth(tenant, 'view=list&day=2026-12-05');

  test('are published one by one, and taken back', async () => {
    const tenant = await createBerlin();
    const event = await createEvent(tenant, 'Concert', '2026-12-05', { status: 'draft' });
    const page = await openList(tenant);
    const clicks = await countClicks(page, async () => {
      await page.getByRole('button', { name: 'Publish Concert' }).click();
      await page.getByText('1 event is published.').waitFor();
    });
    expect(clicks).toBe(1);
    expect(await statusOf(event)).toBe('active');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 event is a draft again.').waitFor();
    expect(await statusOf(event)).toBe('draft');
  });

  test('are published many at once by keyboard; one that somebody has changed meanwhile is named', async () => {
    const tenant = await createBerlin();
    const events = [];
    for (const title of ['Breakfast', 'Concert', 'Dinner'])
      events.push(await createEvent(tenant, title, '2026-12-05', { status: 'draft' }));
    const active = await createEvent(tenant, 'Exhibition', '2026-12-06');
    const page = await openList(tenant);
    await page.getByRole('checkbox', { name: 'Choose all events shown' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('4 events chosen').waitFor();
    // Another admin renames one of them, which this page does not know yet.
    await console.service.graphql(
      'mutation ($id: ID!) { updateEvent(id: $id, input: { title: "Late dinner" }) { event { title } } }',
      { as: tenant.as.admin, variables: { id: events[2]!.uuid } },
    );
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('2 events are published.').waitFor();
    await page.getByRole('alert').getByText('Dinner was not published', { exact: false }).waitFor();
    expect(await Promise.all([...events, active].map(statusOf))).toEqual(['active', 'active', 'draft', 'active']);
  });
});

test('an event is copied to another day, and the focus returns when the dialog is closed', async () => {
  const tenant = await createBerlin();
  const event = await createEvent(tenant, 'Concert', '2026-12-05');
  await console.service.createCallTime(event, { start: '2026-12-05 17:00:00', end: '2026-12-05 23:00:00' });
  const page = await openMonth(tenant, 'view=day&day=2026-12-05');
  const copy = page.getByRole('button', { name: 'Copy Concert' });
  await copy.click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  expect(await copy.evaluate((button) => button === document.activeElement)).toBe(true);
  await copy.click();
  expect(await page.getByLabel('Date 1', { exact: true }).inputValue()).toBe('2026-12-12');
  await page.getByLabel('Date 1', { exact: true }).fill('2026-12-24');
  await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
  await page.waitForURL((url) => url.pathname.startsWith('/app/events/') && !url.pathname.endsWith(event.uuid));
  const copied = await console.service.prisma.event.findFirstOrThrow({
    where: { businessId: tenant.business.id, id: { not: event.id } },
  });
  expect([copied.status, copied.startLocal.toISOString()]).toEqual(['draft', '2026-12-24T18:00:00.000Z']);
  expect(page.url()).toContain(copied.uuid);
});

test('a client sees the own events that are published, and nothing to change them', async () => {
  const tenant = await createBerlin();
  const own = { clientId: tenant.client.id };
  await createEvent(tenant, 'Own concert', '2026-12-05', own);
  await createEvent(tenant, 'Own canceled dinner', '2026-12-06', { ...own, status: 'canceled' });
  await createEvent(tenant, 'Own draft', '2026-12-07', { ...own, status: 'draft' });
  await createEvent(tenant, 'Dinner of others', '2026-12-05');
  const page = await console.open(tenant.as.client, '/app/events?view=list&day=2026-12-01');
  await link(page, 'Own concert').waitFor();
  expect(await page.locator('td .cal-name').allTextContents()).toEqual(['Own concert', 'Own canceled dinner']);
  expect(await page.locator('main button').allTextContents()).toEqual(['‹', 'Today', '›']);
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(await page.locator('a[href*="/events/new"]').count()).toBe(0);
  await expectAccessible(page);
  await page.getByLabel('Search').fill('dinner');
  await link(page, 'Own concert').waitFor({ state: 'detached' });
  expect(await page.locator('td .cal-name').allTextContents()).toEqual(['Own canceled dinner']);
});

test('a read that fails says why, and is repeated', async () => {
  const tenant = await createBerlin();
  await createEvent(tenant, 'Concert', '2026-12-05');
  const page = await console.open(tenant.as.admin, '/app/people', { expected: /ERR_FAILED|Failed to load/ });
  await page.route('**/graphql', (route) => route.abort());
  await page.evaluate(() => {
    history.pushState(null, '', '/app/events?view=list&day=2026-12-05');
  });
  await page.getByRole('alert').waitFor();
  await expectAccessible(page);
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).click();
  await link(page, 'Concert').waitFor();
});
