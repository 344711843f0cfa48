/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { createPasswords } from '../../src/access/passwords.ts';
import { seedDemo } from '../../src/bin/seed/demo.ts';
import { startApp, type TestApp } from './app.ts';
import { findBarriers } from './axe.ts';
import { findOverflows, launchBrowser, watchComplaints } from './browser.ts';

/* Opens the console of a service in headless Chromium. */

type DemoRole = 'admin' | 'staff' | 'client';

/** The console for the tests of one file: started before the first, checked after each, and stopped at the end. */
export const openConsole = (env: Record<string, string> = {}): ConsolePages =>
  usePages(new ConsolePages(true, {}, env));

export function usePages<Pages extends ConsolePages>(pages: Pages): Pages {
  beforeAll(() => pages.start());
  afterAll(() => pages.stop());
  afterEach(() => pages.endTest());
  return pages;
}

export class ConsolePages {
  service!: TestApp;
  origin!: string;
  private browser!: Browser;
  private readonly opened: { page: Page; context: BrowserContext; complaints: string[] }[] = [];

  constructor(
    private readonly isDemo = true,
    private readonly ownOptions: BrowserContextOptions = {},
    private readonly env: Record<string, string> = {},
  ) {}

  async start(): Promise<void> {
    this.service = await startApp({ env: this.env });
    if (this.isDemo)
      await seedDemo(this.service.prisma, new Date(), createPasswords(this.service.database.config().auth).hash);
    this.origin = await this.service.app.http.listen({ host: '127.0.0.1', port: 0 });
    this.browser = await launchBrowser();
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.service.close();
  }

  async endTest(): Promise<void> {
    const opened = this.opened.splice(0);
    for (const { context } of opened) await context.close();
    expect(opened.flatMap(({ complaints }) => complaints)).toEqual([]);
  }

  /** What the pages complain about since the last time: errors, violations of the policy, and requests to other hosts. */
  takeComplaints(): string[] {
    return this.opened.flatMap(({ complaints }) => complaints.splice(0));
  }

  /** The credential of a user of the demo business Aurora Events. */
  async logInToDemo(role: DemoRole): Promise<string> {
    const emailKey = `${role}@aurora.example`;
    return this.service.tokenOf(await this.service.prisma.user.findUniqueOrThrow({ where: { emailKey } }));
  }

  /** A page in a browser of its own, logged in with a credential; `expected` are the messages of the console that a test provokes. */
  async open(
    credential: string | null,
    path = '/app',
    options: BrowserContextOptions & { expected?: RegExp } = {},
  ): Promise<Page> {
    const { expected = null, ...contextOptions } = options;
    const context = await this.browser.newContext({
      viewport: { width: 1440, height: 900 },
      ...this.ownOptions,
      ...contextOptions,
    });
    const page = await context.newPage();
    this.opened.push({ page, context, complaints: watchComplaints(page, this.origin, expected) });
    await page.goto(`${this.origin}/healthz`);
    if (credential !== null)
      await page.evaluate(
        (login) => sessionStorage.setItem('callboard:login', login),
        JSON.stringify({ credential, isApiKey: false, expiresAtMs: null }),
      );
    await page.goto(this.origin + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }

  openAs = async (role: DemoRole, path?: string, options?: BrowserContextOptions): Promise<Page> =>
    this.open(await this.logInToDemo(role), path, options);

  /** The admin of a business that has nothing yet but an admin, a staff member and a client. */
  async openFresh(path?: string, options?: Parameters<ConsolePages['open']>[2]) {
    const tenant = await this.service.createTenant();
    return { ...tenant, page: await this.open(tenant.as.admin, path, options) };
  }
}

/** No barriers by axe-core, in light and in dark colours. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const barriers = await findBarriers(page, colorScheme === 'dark' ? 'colours' : 'all rules');
    expect([colorScheme, ...barriers]).toEqual([colorScheme]);
  }
}

/** The page is no wider than a screen of 1440, 1024, 390 and 320 pixels. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const size = page.viewportSize()!;
  expect(await findOverflows(page)).toEqual([]);
  await page.setViewportSize(size);
}

/** What the page says of the last change, and its button that takes it back. */
export const toast = (page: Page, text: string) => page.locator('.cs-toasts').getByText(text).waitFor();
export const undo = (page: Page) => page.locator('.cs-toasts').getByRole('button', { name: 'Undo' });

/** Drags something, in steps, as a hand does. */
export async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const center = async (locator: Locator) => {
    const { x, y, width, height } = (await locator.boundingBox())!;
    return [x + width / 2, y + height / 2] as const;
  };
  // What can be dragged is known once its script is there.
  const armed = from.locator('xpath=ancestor-or-self::*[@draggable="true"]');
  for (let tries = 0; tries < 100 && (await armed.count()) === 0; tries++) {
    await page.mouse.move(0, 0);
    await page.mouse.move(...(await center(from)));
    await page.waitForTimeout(50);
  }
  await page.mouse.down();
  await page.mouse.move(...(await center(to)), { steps: 10 });
  await page.mouse.move(...(await center(to)));
  await page.mouse.up();
}

/** A screen of 1280 by 720 pixels at 200 %. */
export const zoomed = { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 };

/** Nothing on the page reaches out of the window as it is. */
export async function expectFits(page: Page): Promise<void> {
  const readExcess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect([page.url(), await page.evaluate(readExcess)]).toEqual([page.url(), 0]);
}

/** Counts the clicks on the page while something is done, by mouse or by a key that acts as one. */
export async function countClicks(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const counted = Object.assign(globalThis, { countedClicks: 0, counting: new AbortController() });
    addEventListener('click', () => counted.countedClicks++, { capture: true, signal: counted.counting.signal });
  });
  await act();
  return page.evaluate(() => {
    const counted = globalThis as unknown as { countedClicks: number; counting: AbortController };
    counted.counting.abort();
    return counted.countedClicks;
  });
}
