import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  type Page,
} from 'playwright-core';
import { atEnd } from './jest/at-end.mjs';

/* One headless Chromium for all test files of a worker. */

/** The widths that every page must fit: a desktop, a tablet, a phone and a narrow phone. */
const screenWidths = [1440, 1024, 390, 320];

export const untrustedHost = 'plain.test';

/** Starts headless Chromium, which asks for nothing by itself. */
export const launchBrowser = (more: string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['TEST_CHROMIUM'] ?? '',
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
      // A name of this machine that browsers do not trust as they trust loopback: its pages are without HTTPS.
      `--host-resolver-rules=MAP ${untrustedHost} 127.0.0.1`,
      ...more,
    ],
  });

let started: Promise<Browser> | undefined;

function findBrowser(): Promise<Browser> {
  // The pages of a context share a process, which compiles each script once.
  started ??= launchBrowser(['--process-per-site']).then((browser) =>
    browser.once('disconnected', () => (started = undefined)),
  );
  return started;
}

atEnd(async () => (await started)?.close());

type Size = NonNullable<BrowserContextOptions['viewport']>;

/** What each page can have for itself, so that contexts are alike. The rest is chosen when a context is made. */
export interface PageOptions extends Omit<BrowserContextOptions, 'viewport' | 'colorScheme' | 'permissions'> {
  readonly viewport?: Size;
  readonly colorScheme?: 'light' | 'dark';
  readonly permissions?: string[];
}

/**
 * A context and what is needed to use it again. Its cache and its process have fetched and compiled the scripts of the pages, which in a
 * new context costs as much as all else that a page does until it is shown.
 */
interface Profile {
  readonly context: BrowserContext;
  readonly key: string;
  /** A page that stays open, because the process of a site ends with its last page. */
  readonly keeper: Page;
  readonly session: CDPSession;
  /** Where pages have been, and may have stored something. */
  readonly origins: Set<string>;
}

/** Profiles that nobody uses, the last one used at the end. Each has a process of some 100 MB. */
const free: Profile[] = [];
const mostFree = 4;
const lent = new Map<BrowserContext, Profile>();

/** Opens an empty page with nothing stored, in a context that nobody else uses until the page is returned. */
export async function borrowPage({ viewport, colorScheme, permissions, ...rest }: PageOptions = {}): Promise<Page> {
  const browser = await findBrowser();
  const key = JSON.stringify(rest);
  const index = free.findLastIndex((profile) => profile.key === key && profile.context.browser() === browser);
  const profile = free.splice(index, index < 0 ? 0 : 1)[0] ?? (await makeProfile(browser, rest, key));
  lent.set(profile.context, profile);
  if (permissions) await profile.context.grantPermissions(permissions);
  const page = await profile.context.newPage();
  if (viewport) await page.setViewportSize(viewport);
  if (colorScheme) await page.emulateMedia({ colorScheme });
  return page;
}

/** Closes a page and all others of its context, and deletes what they have stored. */
export async function returnPage(page: Page): Promise<void> {
  const context = page.context();
  const profile = lent.get(context);
  if (!profile || !lent.delete(context)) return;
  const { keeper, session, origins } = profile;
  for (const each of context.pages()) if (each !== keeper) await each.close();
  await context.setOffline(false);
  await context.clearPermissions();
  await context.clearCookies();
  for (const origin of origins) await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  origins.clear();
  free.push(profile);
  if (free.length > mostFree) await free.shift()!.context.close();
}

/** Returns what the test that ends has borrowed. */
export async function returnPages(): Promise<void> {
  for (const { keeper } of lent.values()) await returnPage(keeper);
}

async function makeProfile(browser: Browser, options: BrowserContextOptions, key: string): Promise<Profile> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  // A busy machine is no fault: the time limit of tests is above this one, which says what was waited for.
  context.setDefaultTimeout(120_000);
  const keeper = await context.newPage();
  // The process of this page is that of all ports, and no service is asked.
  await keeper.route('**', (route) => route.fulfill({ body: '' }));
  await keeper.goto('http://127.0.0.1/');
  const origins = new Set<string>();
  context.on('request', (request) => {
    if (request.isNavigationRequest()) origins.add(new URL(request.url()).origin);
  });
  return { context, key, keeper, session: await context.newCDPSession(keeper), origins };
}

/** Waits for what no locator can wait for. Only the time limit of the test ends it: a busy machine is no fault. */
export async function until(isDone: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/**
 * Collects what a page must never cause: errors and warnings of the console, violations of the security policy among
 * them, and requests to other hosts. `expected` are the messages that a test provokes.
 */
export function watchComplaints(page: Page, origin: string, expected: RegExp | null = null): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !expected?.test(message.text()))
      complaints.push(message.text());
  });
  // Monaco rejects with an error of this name what it gives up, as when an editor is resized or closed meanwhile.
  page.on('pageerror', (error) => error.name !== 'Canceled' && complaints.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && new URL(url).origin !== origin && !expected?.test(url)) complaints.push(url);
  });
  return complaints;
}

/** Pixels by which a page is wider than each of the screens, `[width, pixels]`, where it is. */
export async function findOverflows(page: Page): Promise<[number, number][]> {
  const found: [number, number][] = [];
  for (const width of screenWidths) {
    await page.setViewportSize({ width, height: 800 });
    const excess: number = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    if (excess > 0) found.push([width, excess]);
  }
  return found;
}
