/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFits, expectNoOverflow, openConsole } from './support/console.ts';

const console = openConsole({ isDemo: true });

/** Pages by who opens them, and the start of their headings. */
const pages = [
  ['admin', '/app', 'Home'],
  ['admin', '/app/events', 'Events'],
  ['admin', '/app/events/new', 'Event'],
  ['admin', '/app/people', 'People'],
  ['admin', '/app/people/999999999', 'Nobody here'],
  ['admin', '/app/board', 'Board'],
  ['admin', '/app/call-sheet', 'Call sheets'],
  ['admin', '/app/attendance', 'Attendance'],
  ['admin', '/app/attendance?view=approve', 'Attendance'],
  ['admin', '/app/payroll', 'Payroll'],
  ['admin', '/app/settings', 'Settings'],
  ['admin', '/app/parts', 'Parts'],
  ['staff', '/app', 'My shifts'],
  ['staff', '/app/availability', 'When I can work'],
  ['staff', '/app/check-in', 'Check in'],
  ['staff', '/app/payroll', 'Not for your role'],
  ['staff', '/app/board', 'Your shifts'],
  ['client', '/app', 'Events'],
  ['client', '/app/board', 'Your events'],
  ['client', '/app/people', 'Not for your role'],
  ['admin', '/app/nowhere/at/all', 'Page not found'],
] as const;

test.each(pages)('%s opens %s: no barriers, and it fits every screen', async (role, path, heading) => {
  const page = await console.openAs(role, path);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page);
});

const sections = [
  'positions',
  'qualifications',
  'custom-fields',
  'api-keys',
  'webhooks',
  'screens',
  'feeds',
  'export',
  'account',
];
const tabs = ['calls', 'details', 'cost', 'history'];

const addresses = {
  admin: [
    ...['', '/events', '/events/new', '/events/:id', '/people', '/people?import', '/people/:id', '/board', '/parts'],
    ...['/call-sheet', '/call-sheet?event=:id', '/attendance', '/attendance?view=approve', '/payroll'],
    ...['/invitation', '/settings', ...sections.map((section) => `/settings/${section}`)],
    ...tabs.map((tab) => `/events/:id?tab=${tab}`),
  ],
  staff: ['/call-sheet', '/check-in', '/my-shifts', '/availability', '/settings/feeds', '/board'],
  client: ['/events'],
};

test.each(['admin', 'staff', 'client'] as const)(
  'each page of %s first loads at most 130 KB of scripts and styles',
  async (role) => {
    const { prisma } = console.service;
    const { business, id } = await prisma.user.findUniqueOrThrow({
      where: { emailKey: 'staff@aurora.example' },
      include: { business: true },
    });
    const { uuid } = await prisma.event.findFirstOrThrow({ where: { businessId: business.id, status: 'active' } });
    // What a service worker has stored is no longer compressed.
    const page = await console.open(await console.logInToDemo(role), '/app', {
      serviceWorkers: 'block',
      expected: /Service Worker/,
    });
    // What is fetched ahead does not come first.
    await page.addInitScript(() => void (globalThis.requestIdleCallback = () => 0));
    const sizes: [string, number][] = [];
    for (const path of addresses[role]) {
      await page.goto(`${console.origin}/app${path.replace('/people/:id', `/people/${id}`).replace(':id', uuid)}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForFunction(() => !document.querySelector('.app-waiting'));
      // Compressed, as they came over the wire now or earlier.
      const bytes = await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map((entry) => entry as PerformanceResourceTiming)
          .filter(({ name }) => name.includes('/assets/'))
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      );
      sizes.push([path, bytes]);
    }
    expect(sizes.filter(([, bytes]) => bytes <= 10_000 || bytes > 130_000)).toEqual([]);
  },
);

describe('the navigation', () => {
  test('changes pages without loading anew, and moves title, focus, scroll and history along', async () => {
    const page = await console.openAs('admin');
    await page.evaluate(() => Object.assign(globalThis, { isSameLoad: true }));
    const navigation = page.getByRole('banner').getByRole('navigation').first();
    for (const name of ['Events', 'People', 'Board', 'Attendance', 'Payroll', 'Settings', 'Home']) {
      await navigation.getByRole('link', { name }).click();
      const heading = page.getByRole('heading', { level: 1, name });
      await heading.waitFor();
      expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(await page.title()).toBe(`${name} · Aurora Events`);
      expect(await navigation.locator('[aria-current=page]').textContent()).toBe(name);
      expect(await page.evaluate(() => scrollY)).toBe(0);
    }
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(await page.evaluate(() => (globalThis as { isSameLoad?: boolean }).isSameLoad)).toBe(true);
  });

  test('shows a link to another day of the board on that day', async () => {
    const page = await console.openAs('admin', '/app/board');
    await page.evaluate(() => history.pushState(null, '', '/app/board?day=2027-01-21'));
    await page.locator('input[type=date][value="2027-01-21"]').waitFor({ state: 'attached' });
  });

  test('is in the menu on a phone, under a header of one line', async () => {
    for (const width of [390, 320]) {
      const page = await console.openAs('admin', '/app/events', { viewport: { width, height: 640 }, hasTouch: true });
      expect((await page.getByRole('banner').boundingBox())!.height).toBeLessThanOrEqual(60);
      await page.getByRole('button', { name: /^Account of / }).tap();
      await expectAccessible(page);
      await page.getByRole('link', { name: 'People' }).tap();
      await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
      await page.getByRole('button', { name: 'Log out' }).waitFor({ state: 'hidden' });
    }
  });

  test('is done by keyboard: skip link, every page, and the menu that gives the focus back', async () => {
    const page = await console.openAs('admin');
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
    const names: (string | undefined)[] = [];
    for (let i = 0; i < 11; i++) {
      await page.keyboard.press('Tab');
      names.push(await focused());
    }
    expect(names.slice(0, 9)).toEqual([
      'Skip to the content',
      'Aurora Events',
      'Home',
      'Events',
      'People',
      'Board',
      'Attendance',
      'Payroll',
      'Settings',
    ]);
    const account = page.getByRole('button', { name: /^Account of / });
    await account.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'API reference' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await account.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe('who is not logged in', () => {
  test('logs in at the address that was asked for, and out again', async () => {
    const page = await console.open(null, '/app/people');
    await page.getByRole('button', { name: 'Log in to Aurora Events as admin' }).click();
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    await page.getByRole('button', { name: /^Account of / }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Run your events' }).waitFor();
    await expectAccessible(page);
    await expectNoOverflow(page);
  });

  test('opens an invitation', async () => {
    const page = await console.open(null, '/app/invitation');
    await page.getByRole('heading', { level: 1, name: 'Your invitation' }).waitFor();
    await expectAccessible(page);
  });
});

test('loads anew what an older version no longer finds, and keeps the header where that does not help', async () => {
  const page = await console.open(await console.logInToDemo('admin'), '/app', {
    expected: /Failed to load resource|dynamically imported/,
  });
  // The script of the next page is gone, and comes back with the load.
  let isGone = true;
  let loads = 0;
  await page.route('**/assets/*.js', (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()));
  page.on('request', (request) => {
    if (!request.isNavigationRequest()) return;
    loads++;
    isGone = false;
  });
  await page.getByRole('banner').getByRole('link', { name: 'Settings' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  expect(loads).toBe(1);
  isGone = true;
  await page.getByRole('banner').getByRole('link', { name: 'People' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'This page cannot be shown' }).waitFor();
  await page.getByRole('banner').getByRole('link', { name: 'Home' }).first().waitFor();
  expect(loads).toBe(1);
});

describe('a part that cannot be fetched', () => {
  /** An event whose parts are fetched only when they are shown. */
  async function openEvent() {
    const tenant = await console.service.createTenant();
    const { uuid } = await console.service.createEvent(tenant.business, { title: 'Harvest Dinner' });
    const page = await console.open(tenant.as.admin, '/app', { expected: /ERR_|Failed to|404|dynamically imported/ });
    await page.addInitScript(() => void (globalThis.requestIdleCallback = () => 0));
    await page.goto(`${console.origin}/app/events/${uuid}`);
    await page.getByRole('heading', { level: 1, name: 'Harvest Dinner' }).waitFor();
    return page;
  }
  const missing = (page: Page) => page.getByText('This part of the page could not be fetched', { exact: false });
  const tab = (page: Page, name: string) => page.getByRole('tab', { name });

  test('leaves the page and what was typed as it is, without a network, and comes when there is one', async () => {
    const page = await openEvent();
    await tab(page, 'Details').click();
    await page.getByLabel('Title').fill('Harvest Supper');
    await page.context().setOffline(true);
    await tab(page, 'History').click();
    await missing(page).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Harvest Dinner' }).waitFor();
    await expectAccessible(page);
    await expectNoOverflow(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await missing(page).waitFor();
    await tab(page, 'Details').click();
    expect(await page.getByLabel('Title').inputValue()).toBe('Harvest Supper');
    await tab(page, 'History').click();
    await missing(page).waitFor();
    await page.context().setOffline(false);
    await page.locator('.cs-history').or(page.getByText('Nothing has changed yet.')).first().waitFor();
    await tab(page, 'Details').click();
    expect(await page.getByLabel('Title').inputValue()).toBe('Harvest Supper');
  });

  test('as a dialog is told over the page, and loads anew only once the service answers', async () => {
    const page = await openEvent();
    let loads = 0;
    page.on('request', (request) => request.isNavigationRequest() && loads++);
    let state: 'away' | 'newer' = 'away';
    await page.route('**', (route) => {
      if (state === 'away') return route.abort();
      return /\/assets\/copy-dialog.*js/.test(route.request().url())
        ? route.fulfill({ status: 404 })
        : route.continue();
    });
    const openCopy = async () => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Copy…' }).click();
    };
    await openCopy();
    await missing(page).waitFor();
    await expectFits(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await missing(page).waitFor({ state: 'detached' });
    expect(loads).toBe(0);
    await openCopy();
    state = 'newer';
    await page.getByRole('button', { name: 'Try again' }).click();
    await missing(page).waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Harvest Dinner' }).waitFor();
    expect(loads).toBe(1);
  });

  test('is rare, as parts are fetched ahead once the page is drawn', async () => {
    const tenant = await console.service.createTenant();
    const { uuid } = await console.service.createEvent(tenant.business);
    const page = await console.open(tenant.as.admin, `/app/events/${uuid}`, { expected: /ERR_|Failed to/ });
    for (const part of ['history', 'cost', 'details', 'copy-dialog', 'drag'])
      await page.waitForFunction(
        (name) => performance.getEntriesByType('resource').some((entry) => entry.name.includes(`/${name}-`)),
        part,
      );
    await page.context().setOffline(true);
    await tab(page, 'History').click();
    await page.getByText('This could not be read.', { exact: false }).first().waitFor();
    expect(await missing(page).count()).toBe(0);
  });
});
