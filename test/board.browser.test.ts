/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { Business, CallTime, Event, User } from '../src/generated/prisma/client.ts';
import { emailColumns, splitName } from '../src/services/users.ts';
import { startApp, type TestApp } from './support/app.ts';
import { password, type Tenant } from './support/factories.ts';

const zone = 'America/New_York';
const hourMs = 3_600_000;

let service: TestApp;
let browser: Browser;
let origin: string;
let context: BrowserContext;
/** Problems found so far: errors, violations of the security policy, and requests to other hosts. */
let complaints: string[];

beforeAll(async () => {
  service = await startApp();
  origin = await service.app.http.listen({ host: '127.0.0.1', port: 0 });
  browser = await chromium.launch({
    executablePath: process.env['TEST_CHROMIUM'] ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
  });
  context = await browser.newContext({ timezoneId: zone });
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(request.url());
  });
});

afterAll(async () => {
  await browser.close();
  await service.close();
});

afterEach(async () => {
  for (const page of context.pages()) await page.close();
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
});

/** A page that is logged in with a credential; `expected` are the refusals that a test provokes. */
async function open(credential: string | null, path = '/board', expected: RegExp | null = null): Promise<Page> {
  complaints = [];
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !expected?.test(message.text()))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${origin}/healthz`);
  if (credential !== null)
    await page.evaluate(
      (login) => sessionStorage.setItem('callboard:login', login),
      JSON.stringify({ credential, isApiKey: false, expiresAtMs: null }),
    );
  await page.goto(origin + path);
  return page;
}

/** Wall-clock time of the test's zone, so many hours from now. */
const wall = (hours: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(
    Math.floor(Date.now() / hourMs) * hourMs + hours * hourMs,
  );

interface Day extends Tenant {
  readonly event: Event;
  readonly call: CallTime;
  readonly ivy: User;
  readonly theo: User;
}

/** A business with an event that runs now and lacks one of two bartenders: Ivy waits to confirm, Theo is free. */
async function createDay(plan?: 'free'): Promise<Day> {
  const tenant = await service.createTenant(plan);
  const { business, client } = tenant;
  const [ivy, theo] = [
    await service.createUser(business, 'staff', { name: 'Ivy Green' }),
    await service.createUser(business, 'staff', { name: 'Theo Rossi' }),
  ];
  const position = await service.createPosition(business, { title: 'Bartender' });
  const event = await service.createEvent(business, {
    title: 'Harvest Dinner',
    clientId: client.id,
    venueName: 'The Old Granary',
    city: 'Madison',
    start: wall(-1),
    end: wall(5),
    timezone: zone,
  });
  const times = { start: wall(-2), end: wall(6), positionId: position.id };
  const call = await service.createCallTime(event, times);
  await service.createShift(event, ivy, { ...times, callTimeId: call.id });
  return { ...tenant, event, call, ivy, theo };
}

/** 199 events beside the one of the day, each with 10 shifts of people who have no other. */
async function createCrowd(business: Business): Promise<void> {
  const { prisma } = service;
  const businessId = business.id;
  const people = await prisma.user.createManyAndReturn({
    data: Array.from({ length: 1990 }, (_, number) => ({
      businessId,
      role: 'staff' as const,
      ...splitName(`Robin Fields${number}`),
      ...emailColumns(`crowd${number}-${businessId}@example.com`),
    })),
    select: { id: true },
  });
  const times = { start: wall(0), end: wall(2) };
  const {
    id: _,
    uuid: __,
    ...event
  } = await service.createEvent(business, { ...times, timezone: zone, status: 'draft' });
  const events = await prisma.event.createManyAndReturn({
    data: Array.from({ length: 199 }, () => ({ ...event, status: 'active' as const })),
  });
  await prisma.event.updateMany({ where: { businessId, status: 'draft' }, data: { status: 'deleted' } });
  const { id: ___, uuid: ____, ...shift } = await service.createShift(events[0]!, people[0] as User, times);
  await prisma.workShift.createMany({
    data: people.slice(1).map(({ id }, index) => ({ ...shift, userId: id, eventId: events[(index + 1) % 199]!.id })),
  });
}

const card = (page: Page, title = 'Harvest Dinner') => page.getByRole('region', { name: title });
const chip = (page: Page, name: string) => page.locator('.bd-chip', { hasText: name });
const live = (page: Page) => page.locator('.bd-link-state[data-link=live]').waitFor();
const search = (page: Page) => page.evaluate(() => location.search);

async function mutate(as: string, query: string, variables: object = {}) {
  const { body } = await service.graphql(query, { as, variables });
  expect(body.errors).toBeUndefined();
  return body.data;
}

describe('the board of an admin', () => {
  test('shows figures, the missing list, and each event with who confirmed, waits and is missing', async () => {
    const { as } = await createDay();
    const page = await open(as.admin);
    await card(page).waitFor();
    expect(await page.locator('.bd-figure').allInnerTexts()).toEqual([
      expect.stringMatching(/^1\s+open place$/),
      expect.stringMatching(/^1\s+waiting to confirm$/),
      expect.stringMatching(/^50 %\s+filled$/),
      expect.stringMatching(/^0\s+double bookings$/),
      expect.stringMatching(/^1\s+event$/),
    ]);
    expect(await card(page).innerText()).toMatch(/Harvest Dinner[^]*The Old Granary, Madison[^]*1 waiting · 1 open/);
    expect(await chip(page, 'Ivy G.').innerText()).toMatch(/^\? Ivy G\./);
    expect(await page.locator('.bd-chip.bd-open').count()).toBe(1);
    await page.locator('.bd-now').waitFor();
    expect(await page.getByRole('region', { name: 'Missing, soonest first' }).innerText()).toMatch(
      /1 × Bartender since 2 h/,
    );
    await live(page);
    expect(await page.locator('.bd-link-state').innerText()).toMatch(/^Live · as of \d\d:\d\d:\d\d$/);
  });

  test('counts as the coverage report does of what runs, also what began yesterday', async () => {
    const { as, business } = await createDay();
    const night = await service.createEvent(business, { start: wall(-30), end: wall(1), timezone: zone });
    await service.createCallTime(night, { start: wall(-30), end: wall(1), staffNeeded: 4 });
    const page = await open(as.admin);
    await card(page).waitFor();
    const [from, to] = await page.evaluate(() => {
      const now = new Date();
      return [0, 1].map((day) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + day).toISOString());
    });
    const { coverage } = await mutate(
      as.admin,
      'query ($from: DateTimeISO!, $to: DateTimeISO!) { coverage(from: $from, to: $to, groupBy: DAY, running: true) { total { open } } }',
      { from, to },
    );
    expect(coverage.total.open).toBe(5);
    expect(await page.locator('.bd-figure').first().innerText()).toMatch(/^5\s/);
  });

  test('pages through more events than one page has', async () => {
    const { as, business } = await createDay();
    for (let number = 0; number < 101; number++)
      await service.createEvent(business, { start: wall(0), end: wall(2), timezone: zone });
    const page = await open(as.admin);
    await card(page).waitFor();
    expect(await page.locator('.bd-card').count()).toBe(102);
  });

  test('shows a double booking, and its reason in the panel', async () => {
    const { as, business, ivy, event } = await createDay();
    const other = await service.createEvent(business, { title: 'Gala', start: wall(0), end: wall(4), timezone: zone });
    await service.createShift(other, ivy, { start: wall(0), end: wall(4) });
    const page = await open(as.admin, `/board?show=clashes&event=${event.uuid}`);
    const panel = page.getByRole('dialog', { name: 'Harvest Dinner' });
    await panel.getByText('Overlaps “Gala” by 4 h').waitFor();
    await panel.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('.bd-chip.bd-clash').count()).toBe(2);
    await page.getByRole('region', { name: 'Double bookings' }).getByText('Harvest Dinner ↔ Gala').waitFor();
  });
});

describe('live', () => {
  test("another client's change shows by itself, and focus and place stay", async () => {
    const { as, ivy } = await createDay();
    const page = await open(as.admin);
    await live(page);
    await page.locator('.bd-name').first().focus();
    const shift = await service.prisma.workShift.findFirstOrThrow({ where: { userId: ivy.id } });
    const startedMs = performance.now();
    await mutate(as.key, 'mutation ($id: ID!) { confirmShift(id: $id) { uuid } }', { id: shift.uuid });
    await page.locator('.bd-chip.bd-confirmed.bd-new', { hasText: 'Ivy G.' }).waitFor();
    process.stderr.write(`A change showed after ${Math.round(performance.now() - startedMs)} ms.\n`);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('bd-name');
    expect(await page.locator('[aria-live=polite]').innerText()).toBe('1 confirmed.');
  });

  test('of 200 events with 2,000 shifts, only the changed card renders again', async () => {
    const { as, business, ivy } = await createDay();
    await createCrowd(business);
    const page = await open(as.admin);
    await live(page);
    await page.locator('.bd-card').nth(199).waitFor({ state: 'attached' });
    await page.waitForTimeout(1000);
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');
    const scriptMs = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'ScriptDuration')!.value * 1000;
    };
    await page.evaluate(() => performance.clearMarks('board:card'));
    const beforeMs = await scriptMs();
    const shift = await service.prisma.workShift.findFirstOrThrow({
      where: { userId: ivy.id, callTimeId: { not: null } },
    });
    await mutate(as.key, 'mutation ($id: ID!) { confirmShift(id: $id) { uuid } }', { id: shift.uuid });
    await page.locator('.bd-chip.bd-confirmed.bd-new').waitFor();
    process.stderr.write(`The update took ${Math.round((await scriptMs()) - beforeMs)} ms of script.\n`);
    const rendered = await page.evaluate(() =>
      performance.getEntriesByName('board:card').map((mark) => (mark as PerformanceMark).detail as string),
    );
    expect(new Set(rendered).size).toBe(1);
    expect(await page.locator('.bd-card').count()).toBe(200);
    expect(await page.locator('.bd-chip:not(.bd-open)').count()).toBeGreaterThan(1990);
  }, 60_000);

  test('without a stream it asks conditionally, says so, and follows again', async () => {
    const { as, ivy } = await createDay();
    const page = await open(as.admin, '/board', /503|ERR_FAILED/);
    await live(page);
    const statuses: number[] = [];
    page.on('response', (response) => statuses.push(response.status()));
    let isCut = true;
    await page.route('**/graphql', (route) =>
      isCut && route.request().headers()['accept']?.includes('event-stream')
        ? route.fulfill({ status: 503, body: '' })
        : route.fallback(),
    );
    // The pause ends the stream, and the new one is refused.
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText(/^Paused/).waitFor();
    const shift = await service.prisma.workShift.findFirstOrThrow({ where: { userId: ivy.id } });
    await mutate(as.key, 'mutation ($id: ID!) { confirmShift(id: $id) { uuid } }', { id: shift.uuid });
    expect(await page.locator('.bd-chip.bd-confirmed').count()).toBe(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText(/^Reconnecting/).waitFor();
    await page.locator('.bd-chip.bd-confirmed').waitFor();
    for (let tries = 0; tries < 150 && !statuses.includes(304); tries++) await page.waitForTimeout(100);
    expect(statuses).toContain(304);
    isCut = false;
    await live(page);
  }, 40_000);

  test('the end of the credential is noticed at once, and a new log-in goes on with the same board', async () => {
    const { as, admin } = await createDay();
    const page = await open(as.admin, '/board', /status of 401/);
    await live(page);
    await service.prisma.personalToken.updateMany({ where: { userId: admin.id }, data: { revokedAt: new Date() } });
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await card(page).waitFor();
    await live(page);
  });
});

describe('the address', () => {
  test('holds span, filters and panel over a reload, and back goes back', async () => {
    const { as } = await createDay();
    const page = await open(as.admin);
    await card(page).waitFor();
    await page.getByRole('radio', { name: 'Week' }).check({ force: true });
    await page.locator('.bd-day').nth(6).waitFor();
    await page.getByLabel('Search', { exact: true }).fill('harvest');
    await page.getByRole('button', { name: /open place/ }).click();
    await chip(page, 'Ivy G.').click();
    await page.getByRole('dialog').waitFor();
    expect(await search(page)).toMatch(/^\?span=week&text=harvest&show=open&event=[\w-]+&item=[\w-]+$/);
    await page.reload();
    await page.getByRole('dialog', { name: 'Harvest Dinner' }).waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await search(page)).toBe('?span=week&text=harvest&show=open');
    await page.goBack();
    await page.locator('.bd-figure[aria-pressed=true]').waitFor({ state: 'detached' });
    await page.getByLabel('Search', { exact: true }).fill('nothing like this');
    await page.getByRole('button', { name: 'Take the filters off' }).click();
    await card(page).waitFor();
  });
});

describe('an admin', () => {
  test('confirms, calls off and takes both back', async () => {
    const { as } = await createDay();
    const page = await open(as.admin);
    await chip(page, 'Ivy G.').click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('button', { name: 'Confirm Ivy Green' }).click();
    await panel.getByText('Ivy Green is confirmed.').waitFor();
    await panel.getByRole('button', { name: 'Call off Ivy Green' }).click();
    await panel.getByText('Ivy Green is called off.').waitFor();
    await panel.getByRole('button', { name: 'Call off Ivy Green' }).waitFor({ state: 'detached' });
    await panel.getByRole('button', { name: 'Undo' }).click();
    await panel.getByRole('button', { name: 'Withdraw the confirmation of Ivy Green' }).click();
    await panel.getByText('The confirmation of Ivy Green is withdrawn.').waitFor();
    await panel.getByRole('button', { name: 'Undo' }).click();
    await panel.getByText('Ivy Green is confirmed.').waitFor();
  });

  test('assigns somebody who is free, and takes it back', async () => {
    const { as } = await createDay();
    const page = await open(as.admin);
    await page.locator('.bd-chip.bd-open').click();
    const panel = page.getByRole('dialog');
    await panel.getByLabel('Has worked as Bartender').uncheck();
    await panel.getByRole('searchbox', { name: 'Search people by name' }).fill('theo');
    await panel.getByRole('button', { name: 'Assign Theo Rossi' }).click();
    await panel.getByText('Theo Rossi is assigned.').waitFor();
    await chip(page, 'Theo R.').waitFor({ state: 'attached' });
    expect(await page.locator('.bd-chip.bd-open').count()).toBe(0);
    await panel.getByRole('button', { name: 'Undo' }).click();
    await chip(page, 'Theo R.').waitFor({ state: 'detached' });
    expect(await service.prisma.workShift.count({ where: { status: 'deleted', user: { lastName: 'Rossi' } } })).toBe(1);
  });

  test('sees what stands against an assignment before it is stored, and gives a reason', async () => {
    const { as, business, theo } = await createDay();
    const other = await service.createEvent(business, { title: 'Gala', start: wall(0), end: wall(4), timezone: zone });
    await service.createShift(other, theo, { start: wall(0), end: wall(4) });
    const page = await open(as.admin);
    await page.locator('.bd-chip.bd-open').first().click();
    const panel = page.getByRole('dialog');
    await panel.getByLabel('Has worked as Bartender').uncheck();
    await panel.getByLabel('Free at that time').uncheck();
    await panel.getByRole('button', { name: 'Assign Theo Rossi' }).click();
    await panel.getByText('Works at “Gala” for 240 minutes of this time.').waitFor();
    expect(await service.prisma.workShift.count({ where: { userId: theo.id } })).toBe(1);
    await panel.getByLabel('Assign anyway, because').fill('Gala ends early');
    await panel.getByRole('button', { name: 'Assign anyway' }).click();
    await panel.getByText('Theo Rossi is assigned.').waitFor();
    await panel.getByText('Assigned anyway: “Gala ends early”').waitFor();
  });

  test('is told if somebody else was faster', async () => {
    const { as, ivy } = await createDay();
    const page = await open(as.admin);
    await chip(page, 'Ivy G.').click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('button', { name: 'Confirm Ivy Green' }).waitFor();
    // The page hears of nothing until it has sent its change.
    await page.route('**/graphql', async (route) => {
      const { query } = route.request().postDataJSON() as { query: string };
      if (query.startsWith('query Board')) return route.abort();
      return route.fallback();
    });
    complaints = [];
    const shift = await service.prisma.workShift.findFirstOrThrow({ where: { userId: ivy.id } });
    await mutate(
      as.key,
      'mutation ($id: ID!) { updateShift(id: $id, input: { payRate: "31.00" }) { shift { uuid } } }',
      {
        id: shift.uuid,
      },
    );
    await panel.getByRole('button', { name: 'Confirm Ivy Green' }).click();
    await panel.getByText('Somebody has changed this shift meanwhile.').waitFor();
    await page.unroute('**/graphql');
    expect(complaints.every((text) => /ERR_FAILED/.test(text))).toBe(true);
    complaints = [];
  });
});

describe('other roles', () => {
  test('staff see their own shifts, confirm one and decline one, and ask for nothing that they may not read', async () => {
    const { as: _, ivy, event } = await createDay();
    await service.createShift(event, ivy, { start: wall(7), end: wall(8) });
    const page = await open(await service.tokenOf(ivy));
    const refused = watchRefusals(page);
    await page.getByRole('heading', { name: 'Your shifts' }).waitFor();
    await card(page).waitFor();
    expect(await page.getByText('Missing, soonest first').count()).toBe(0);
    await page.getByRole('region', { name: 'Waiting for your answer' }).getByRole('button').first().click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('button', { name: 'Confirm Harvest Dinner' }).click();
    await panel.getByText('Harvest Dinner is confirmed.').waitFor();
    await panel.getByRole('button', { name: 'Decline Harvest Dinner' }).click();
    await panel.getByRole('button', { name: 'Really decline Harvest Dinner' }).click();
    await panel.getByText('You declined Harvest Dinner.').waitFor();
    await page.locator('.bd-chip').nth(1).waitFor({ state: 'detached' });
    expect(await panel.getByRole('button', { name: 'Assign' }).count()).toBe(0);
    expect(refused).toEqual([]);
  });

  test('a client sees its own events without pay and actions, and asks for nothing that it may not read', async () => {
    const { as, business } = await createDay();
    await service.createEvent(business, { title: 'Of another client', start: wall(0), end: wall(2), timezone: zone });
    const page = await open(as.client);
    const refused = watchRefusals(page);
    await page.getByRole('heading', { name: 'Your events' }).waitFor();
    await chip(page, 'Ivy G.').click();
    const panel = page.getByRole('dialog');
    await panel.getByText('Ivy Green').waitFor();
    expect(await panel.getByRole('button').count()).toBe(1);
    expect(await page.getByText('Of another client').count()).toBe(0);
    expect(await panel.innerText()).not.toContain('$');
    expect(refused).toEqual([]);
  });

  /** Errors that the service answers to what the page asks. */
  const watchRefusals = (page: Page): string[] => {
    const refused: string[] = [];
    page.on('response', (response) => {
      if (!response.url().endsWith('/graphql') || !response.headers()['content-type']?.includes('json')) return;
      void response
        .text()
        .then((text) => text.includes('"errors"') && refused.push(text))
        .catch(() => undefined);
    });
    return refused;
  };
});

describe('the page', () => {
  const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

  /** Breaches of WCAG 2.2 AA and of best practice. axe runs in a world of its own, which the policy does not concern. */
  async function checkAccessibility(page: Page): Promise<string[]> {
    const session = await context.newCDPSession(page);
    const { frameTree } = await session.send('Page.getFrameTree');
    const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
    const run = async (expression: string) => {
      const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
        expression,
        contextId: executionContextId,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value as unknown;
    };
    await run(await readFile(axe, 'utf8'));
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const found = await run(`axe.run(document, { runOnly: ${JSON.stringify(tags)} }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 160))))`);
    await session.detach();
    return found as string[];
  }

  test.each(['light', 'dark'] as const)('has no barriers that axe finds, in %s', async (colorScheme) => {
    const { as, business, ivy } = await createDay();
    const other = await service.createEvent(business, { title: 'Gala', start: wall(0), end: wall(4), timezone: zone });
    await service.createShift(other, ivy, { start: null, end: wall(4), confirmed: true });
    const page = await open(null);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.getByRole('heading', { name: 'Who is where, right now' }).waitFor();
    expect(await checkAccessibility(page)).toEqual([]);
    await page.close();
    const board = await open(as.admin, '/board?span=3days');
    await board.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await live(board);
    expect(await checkAccessibility(board)).toEqual([]);
    await board.getByLabel('As a table').check();
    await board.locator('.bd-sheet').first().waitFor();
    expect(await checkAccessibility(board)).toEqual([]);
    await board.getByRole('button', { name: 'Bartender' }).first().click();
    await board.getByRole('button', { name: /^Call off/ }).waitFor();
    await board.getByLabel('Has worked as Bartender').uncheck();
    await board.getByRole('button', { name: 'Assign Theo Rossi' }).waitFor();
    expect(await checkAccessibility(board)).toEqual([]);
  });

  test('does not scroll sideways on a wide screen, a tablet or a phone', async () => {
    const { as } = await createDay();
    const page = await open(as.admin, '/board?span=week');
    await card(page).waitFor();
    for (const width of [1440, 1024, 390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      for (const view of ['', '&view=table']) {
        await page.goto(`${origin}/board?span=week${view}`);
        await card(page).waitFor();
        const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
        expect([width, view, scrolled]).toEqual([width, view, width]);
      }
    }
  });

  test('loads at most 100 KB', async () => {
    const { as } = await createDay();
    const page = await open(as.admin, '/healthz');
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    const paths = new Map<string, string>();
    let bytes = 0;
    session.on('Network.responseReceived', ({ requestId, response }) => paths.set(requestId, response.url));
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (!paths.get(requestId)?.endsWith('/graphql')) bytes += encodedDataLength;
    });
    await page.goto(`${origin}/board`);
    await live(page);
    process.stderr.write(`The board loads ${Math.round(bytes / 1024)} KB.\n`);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(100 * 1024);
    expect([...paths.values()].filter((url) => /monaco|graphiql|workspace/.test(url))).toEqual([]);
  });

  test('can be used with the keyboard: arrows between lanes and people, Enter opens, Escape goes back', async () => {
    const { as } = await createDay();
    const page = await open(as.admin);
    await page.locator('.bd-name').first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Ivy G.');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Harvest Dinner' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Ivy G.');
  });

  test('prints as a call sheet', async () => {
    const { as } = await createDay();
    const page = await open(as.admin);
    await card(page).waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('cell', { name: 'Ivy Green' }).waitFor();
    expect(await page.locator('.bd-tools').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await chip(page, 'Ivy G.').waitFor();
  });

  test('on a wall has no controls and moves on by itself', async () => {
    const { as, business } = await createDay();
    for (let number = 0; number < 8; number++)
      await service.createEvent(business, { start: wall(0), end: wall(2), timezone: zone });
    await context.pages()[0]?.close();
    const page = await open(as.admin, '/board?wall=1');
    await card(page).waitFor();
    expect(await page.locator('.cb-header, .bd-tools').filter({ visible: true }).count()).toBe(0);
    await page.waitForFunction(() => scrollY > 0, null, { timeout: 20_000 });
    await page.keyboard.press('Escape');
    await page.locator('.bd-tools').waitFor();
    expect(await search(page)).toBe('');
  }, 40_000);
});
