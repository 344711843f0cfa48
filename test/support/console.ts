/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { startApp, type Service } from './app.ts';
import { findBarriers } from './axe.ts';
import { borrowPage, findOverflows, returnPage, until, watchComplaints, type PageOptions } from './browser.ts';
import { borrowPackage } from './package.ts';

/* Opens the console of a service in headless Chromium. */

type DemoRole = 'admin' | 'staff' | 'client';

/** The service whose pages a file opens: without any of these, the package, which all files of a worker share. */
export interface PagesOptions {
  /** Whether there is the demo, which the files that share it leave as it is. */
  readonly isDemo?: boolean;
  /** For a file that changes the demo, counts what is in the whole database, or looks into the service. */
  readonly isAlone?: boolean;
  readonly env?: Record<string, string>;
}

/** The console for the tests of one file: started before the first, checked after each, and stopped at the end. */
export const openConsole = (options: PagesOptions = {}): ConsolePages => usePages(new ConsolePages(options));

export function usePages<Pages extends ConsolePages>(pages: Pages): Pages {
  beforeAll(() => pages.start());
  afterAll(() => pages.stop());
  afterEach(() => pages.endTest());
  return pages;
}

export class ConsolePages {
  service!: Service;
  origin!: string;
  private readonly opened: { page: Page; complaints: string[] }[] = [];

  constructor(
    private readonly options: PagesOptions,
    private readonly ownOptions: PageOptions = {},
  ) {}

  async start(): Promise<void> {
    const { isAlone = false, isDemo = false, env = {} } = this.options;
    this.service = await (isAlone ? startApp({ env, isDemo }) : borrowPackage(env, isDemo));
    this.origin = await this.service.listen();
  }

  async stop(): Promise<void> {
    if (this.options.isAlone) await this.service.close();
  }

  async endTest(): Promise<void> {
    const opened = this.opened.splice(0);
    for (const { page } of opened) await returnPage(page);
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
    options: PageOptions & { expected?: RegExp } = {},
  ): Promise<Page> {
    const { expected = null, ...own } = options;
    const page = await borrowPage({ ...this.ownOptions, ...own });
    this.opened.push({ page, complaints: watchComplaints(page, this.origin, expected) });
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

  openAs = async (role: DemoRole, path?: string, options?: PageOptions): Promise<Page> =>
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
  await until(async () => {
    await page.mouse.move(0, 0);
    await page.mouse.move(...(await center(from)));
    return (await armed.count()) > 0;
  });
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
