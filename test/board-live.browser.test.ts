/// <reference lib="dom" />
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Business, User } from '../src/generated/prisma/client.ts';
import { emailColumns, splitName } from '../src/services/users.ts';
import type { TestApp } from './support/app.ts';
import { until } from './support/browser.ts';
import { card, live, openBoard, wall, zone } from './support/board-page.ts';
import { password } from './support/factories.ts';

const board = openBoard({ isAlone: true });

/** 199 events beside the one of the day, each with 10 shifts of people who have no other. */
async function createCrowd(business: Business): Promise<void> {
  const { prisma } = board.service;
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
  } = await board.service.createEvent(business, { ...times, timezone: zone, status: 'draft' });
  const events = await prisma.event.createManyAndReturn({
    data: Array.from({ length: 199 }, () => ({ ...event, status: 'active' as const })),
  });
  await prisma.event.updateMany({ where: { businessId, status: 'draft' }, data: { status: 'deleted' } });
  const { id: ___, uuid: ____, ...shift } = await board.service.createShift(events[0]!, people[0] as User, times);
  await prisma.workShift.createMany({
    data: people.slice(1).map(({ id }, index) => ({ ...shift, userId: id, eventId: events[(index + 1) % 199]!.id })),
  });
}

/** Refuses the streams that the page opens from now on, until the function that it returns is called. */
async function refuseStreams(page: Page): Promise<() => void> {
  let isRefused = true;
  await page.route('**/graphql', (route) =>
    isRefused && route.request().headers()['accept']?.includes('event-stream')
      ? route.fulfill({ status: 503, body: '' })
      : route.fallback(),
  );
  return () => (isRefused = false);
}

describe('live', () => {
  test("another client's change shows by itself, and focus and place stay", async () => {
    const { as, ivy } = await board.createDay();
    const page = await board.open(as.admin);
    await live(page);
    await page.locator('.bd-name').first().focus();
    const shift = await board.service.prisma.workShift.findFirstOrThrow({ where: { userId: ivy.id } });
    const startedMs = performance.now();
    await board.mutate(as.key, 'mutation ($id: ID!) { confirmShift(id: $id) { uuid } }', { id: shift.uuid });
    await page.locator('.bd-chip.bd-confirmed.bd-new', { hasText: 'Ivy G.' }).waitFor();
    process.stderr.write(`A change showed after ${Math.round(performance.now() - startedMs)} ms.\n`);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('bd-name');
    expect(await page.locator('[aria-live=polite]').innerText()).toBe('1 confirmed.');
  });

  test('of 200 events with 2,000 shifts, only the changed card renders again', async () => {
    const { as, business, ivy } = await board.createDay();
    await createCrowd(business);
    const page = await board.open(as.admin);
    await live(page);
    await page.locator('.bd-card').nth(199).waitFor({ state: 'attached' });
    await page.waitForTimeout(1000);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const scriptMs = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'ScriptDuration')!.value * 1000;
    };
    await page.evaluate(() => performance.clearMarks('board:card'));
    const beforeMs = await scriptMs();
    const shift = await board.service.prisma.workShift.findFirstOrThrow({
      where: { userId: ivy.id, callTimeId: { not: null } },
    });
    await board.mutate(as.key, 'mutation ($id: ID!) { confirmShift(id: $id) { uuid } }', { id: shift.uuid });
    await page.locator('.bd-chip.bd-confirmed.bd-new').waitFor();
    process.stderr.write(`The update took ${Math.round((await scriptMs()) - beforeMs)} ms of script.\n`);
    const rendered = await page.evaluate(() =>
      performance.getEntriesByName('board:card').map((mark) => (mark as PerformanceMark).detail as string),
    );
    expect(new Set(rendered).size).toBe(1);
    expect(await page.locator('.bd-card').count()).toBe(200);
    expect(await page.locator('.bd-chip:not(.bd-open)').count()).toBeGreaterThan(1990);
  });

  test('without a stream it asks conditionally, says so, and follows again', async () => {
    const { as, ivy } = await board.createDay();
    const page = await board.open(as.admin, '/board', { expected: /503|ERR_FAILED/ });
    await live(page);
    await card(page).waitFor();
    const statuses: number[] = [];
    page.on('response', (response) => statuses.push(response.status()));
    const allowStreams = await refuseStreams(page);
    // The pause ends the stream, and the new one is refused.
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText(/^Paused/).waitFor();
    await page.getByRole('radio', { name: '3 days' }).check({ force: true });
    await page.locator('.bd-day').nth(2).waitFor();
    await card(page).waitFor();
    const shift = await board.service.prisma.workShift.findFirstOrThrow({ where: { userId: ivy.id } });
    await board.mutate(as.key, 'mutation ($id: ID!) { confirmShift(id: $id) { uuid } }', { id: shift.uuid });
    expect(await page.locator('.bd-chip.bd-confirmed').count()).toBe(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText(/^Reconnecting/).waitFor();
    await page.locator('.bd-chip.bd-confirmed').waitFor();
    await until(() => statuses.includes(304));
    allowStreams();
    await live(page);
  });

  test('a board that is paused before it has read shows what there is now', async () => {
    const { as } = await board.createDay();
    const page = await board.open(as.admin, '/guide');
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('query BoardEvents')) await isAnswered;
      // A board that is paused gives up what it has asked for.
      await route.fallback().catch(() => undefined);
    });
    await page.goto(`${board.origin}/board`);
    await page.getByText('Reading the events').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText(/^Paused/).waitFor();
    answer();
    await card(page).waitFor();
    await page.getByText(/^Paused/).waitFor();
  });

  test('loses its stream in mid-flight: it says so, asks in its place, and follows again', async () => {
    const { as, ivy } = await board.createDay();
    const streams = new Set<ServerResponse>();
    const { server } = (board.service as TestApp).app.http;
    const note = ({ headers }: IncomingMessage, response: ServerResponse) => {
      if (headers.accept?.includes('event-stream')) streams.add(response);
    };
    server.on('request', note);
    const page = await board.open(as.admin, '/board', { expected: /503|ERR_/ });
    await live(page);
    const allowStreams = await refuseStreams(page);
    expect(streams.size).toBe(1);
    for (const { socket } of streams) socket?.destroy();
    server.off('request', note);
    await page.getByText(/^Reconnecting/).waitFor();
    const shift = await board.service.prisma.workShift.findFirstOrThrow({ where: { userId: ivy.id } });
    await board.mutate(as.key, 'mutation ($id: ID!) { confirmShift(id: $id) { uuid } }', { id: shift.uuid });
    await page.locator('.bd-chip.bd-confirmed').waitFor();
    expect(await page.locator('.bd-link-state').getAttribute('data-link')).toBe('reconnecting');
    allowStreams();
    await live(page);
  });

  test('stays with its filters while the service is away and somebody is clicked, and goes on once it is back', async () => {
    const { as } = await board.createDay();
    const page = await board.open(as.admin, '/app/board', { expected: /ERR_|Failed to|dynamically imported/ });
    await page.addInitScript(() => void (globalThis.requestIdleCallback = () => 0));
    await page.goto(`${board.origin}/app/board?text=dinner`);
    await live(page);
    await card(page).waitFor();
    await page.evaluate(() => Object.assign(globalThis, { isSameLoad: true }));
    await page.route('**', (route) => route.abort());
    await page.locator('.bd-chip:not(.bd-open)').first().click();
    await page.getByText('This part of the page could not be fetched', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await card(page).waitFor();
    await page.unroute('**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('dialog.bd-panel').waitFor();
    expect(await page.evaluate(() => 'isSameLoad' in globalThis)).toBe(true);
    expect(await page.getByRole('searchbox').inputValue()).toBe('dinner');
  });

  test('the end of the credential is noticed at once, and a new log-in goes on with the same board', async () => {
    const { as, admin } = await board.createDay();
    const page = await board.open(as.admin, '/board', { expected: /status of 401/ });
    await live(page);
    await board.service.prisma.personalToken.updateMany({
      where: { userId: admin.id },
      data: { revokedAt: new Date() },
    });
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await card(page).waitFor();
    await live(page);
  });
});
