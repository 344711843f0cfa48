/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { CallTime, Event, User } from '../../src/generated/prisma/client.ts';
import { startApp, type TestApp } from './app.ts';
import { launchBrowser, watchComplaints } from './browser.ts';
import type { Tenant } from './factories.ts';

/* Opens the board of a service in headless Chromium. */

/** Time zone of the events and of the browser. */
export const zone = 'America/New_York';
const hourMs = 3_600_000;

/** Wall-clock time of the zone, so many hours from now. */
export const wall = (hours: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(
    Math.floor(Date.now() / hourMs) * hourMs + hours * hourMs,
  );

interface Day extends Tenant {
  readonly event: Event;
  readonly call: CallTime;
  readonly ivy: User;
  readonly theo: User;
}

/** The board for the tests of one file: started before the first, checked after each, and stopped at the end. */
export function openBoard(): BoardPages {
  const pages = new BoardPages();
  beforeAll(() => pages.start());
  afterAll(() => pages.stop());
  afterEach(() => pages.endTest());
  return pages;
}

class BoardPages {
  service!: TestApp;
  origin!: string;
  context!: BrowserContext;
  private browser!: Browser;
  private readonly complaints = new Map<Page, string[]>();

  async start(): Promise<void> {
    this.service = await startApp();
    this.origin = await this.service.app.http.listen({ host: '127.0.0.1', port: 0 });
    this.browser = await launchBrowser();
    this.context = await this.browser.newContext({ timezoneId: zone });
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.service.close();
  }

  async endTest(): Promise<void> {
    for (const page of this.context.pages()) await page.close();
    const found = this.takeComplaints();
    this.complaints.clear();
    if (found.length > 0) throw new Error(found.join('\n'));
  }

  /** What the pages complain about since the last time: errors, violations of the policy, and requests to other hosts. */
  takeComplaints(): string[] {
    return [...this.complaints.values()].flatMap((complaints) => complaints.splice(0));
  }

  /** A page that is logged in with a credential; `expected` are the refusals that a test provokes. */
  async open(credential: string | null, path = '/board', expected: RegExp | null = null): Promise<Page> {
    const page = await this.context.newPage();
    await page.setViewportSize({ width: 1440, height: 900 });
    this.complaints.set(page, watchComplaints(page, this.origin, expected));
    await page.goto(`${this.origin}/healthz`);
    if (credential !== null)
      await page.evaluate(
        (login) => sessionStorage.setItem('callboard:login', login),
        JSON.stringify({ credential, isApiKey: false, expiresAtMs: null }),
      );
    await page.goto(this.origin + path);
    return page;
  }

  /** A business with an event that runs now and lacks one of two bartenders: Ivy waits to confirm, Theo is free. */
  async createDay(plan?: 'free'): Promise<Day> {
    const tenant = await this.service.createTenant(plan);
    const { business, client } = tenant;
    await this.service.prisma.business.update({ where: { id: business.id }, data: { timezone: zone } });
    const [ivy, theo] = [
      await this.service.createUser(business, 'staff', { name: 'Ivy Green' }),
      await this.service.createUser(business, 'staff', { name: 'Theo Rossi' }),
    ];
    const position = await this.service.createPosition(business, { title: 'Bartender' });
    const event = await this.service.createEvent(business, {
      title: 'Harvest Dinner',
      clientId: client.id,
      venueName: 'The Old Granary',
      city: 'Madison',
      start: wall(-1),
      end: wall(5),
      timezone: zone,
    });
    const times = { start: wall(-2), end: wall(6), positionId: position.id };
    const call = await this.service.createCallTime(event, times);
    await this.service.createShift(event, ivy, { ...times, callTimeId: call.id });
    return { ...tenant, event, call, ivy, theo };
  }

  async mutate(as: string, query: string, variables: object = {}) {
    const { body } = await this.service.graphql(query, { as, variables });
    expect(body.errors).toBeUndefined();
    return body.data;
  }
}

export const card = (page: Page, title = 'Harvest Dinner') => page.getByRole('region', { name: title });
export const chip = (page: Page, name: string) => page.locator('.bd-chip', { hasText: name });
export const live = (page: Page) => page.locator('.bd-link-state[data-link=live]').waitFor();
export const search = (page: Page) => page.evaluate(() => location.search);
/** What the page says of the last change, and its button that takes it back. */
export const toast = (page: Page, text: string) => page.locator('.cs-toasts').getByText(text).waitFor();
export const undo = (page: Page) => page.locator('.cs-toasts').getByRole('button', { name: 'Undo' });
