/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import { expectAccessible, expectNoOverflow, openConsole } from './support/console.ts';

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
