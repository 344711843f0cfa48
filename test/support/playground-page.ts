/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { startApp, type Service } from './app.ts';
import { borrowPage, returnPage, watchComplaints } from './browser.ts';
import type { PagesOptions } from './console.ts';
import { borrowPackage } from './package.ts';

/* Opens the playground of a service with demo data in headless Chromium. */

export const admin = 'admin@aurora.example';
export const demoPassword = 'callboard-demo';
const wide = { width: 1440, height: 900 };

/** The playground for the tests of one file: started before the first, checked after each, and stopped at the end. */
export function openPlayground(options: Pick<PagesOptions, 'isAlone'> = {}): PlaygroundPages {
  const pages = new PlaygroundPages(options);
  beforeAll(() => pages.start());
  afterAll(() => pages.stop());
  afterEach(() => pages.endTest());
  return pages;
}

class PlaygroundPages {
  service!: Service;
  private origin!: string;
  /** Nothing is on it. The others are beside it, in its context. */
  private blank!: Page;
  private readonly complaints = new Map<Page, string[]>();
  /** A page that several tests go on with. */
  shared: Page | undefined;

  constructor(private readonly options: Pick<PagesOptions, 'isAlone'>) {}

  async start(): Promise<void> {
    this.service = await (this.options.isAlone ? startApp({ isDemo: true }) : borrowPackage({}, true));
    this.origin = await this.service.listen();
    this.blank = await borrowPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  }

  async stop(): Promise<void> {
    await returnPage(this.blank);
    if (this.options.isAlone) await this.service.close();
  }

  /** Closes the pages of a test and throws what they complained about. */
  async endTest(): Promise<void> {
    const found = [...this.complaints.values()].flatMap((complaints) => complaints.splice(0));
    for (const page of this.complaints.keys()) {
      if (page === this.shared) continue;
      await page.close();
      this.complaints.delete(page);
    }
    if (found.length > 0) throw new Error(found.join('\n'));
  }

  /** Opens a page without stored work; `expected` are the refusals that a test provokes. */
  async open(path = '/playground', expected: RegExp | null = null, viewport = wide): Promise<Page> {
    const page = await this.blank.context().newPage();
    await page.setViewportSize(viewport);
    await page.goto(`${this.origin}/healthz`);
    await page.evaluate(() => localStorage.clear());
    return this.goOn(page, path, expected);
  }

  /** Opens another page that finds the stored work of the earlier ones. */
  async openBeside(path: string): Promise<Page> {
    const page = await this.blank.context().newPage();
    await page.setViewportSize(wide);
    return this.goOn(page, path, null);
  }

  openAs(email: string, expected: RegExp | null = null, viewport = wide): Promise<Page> {
    return this.open(`/playground#demo=${encodeURIComponent(email)}`, expected, viewport);
  }

  /** Opens a page that is logged in with an API key. */
  async openWith(apiKey: string, expected: RegExp | null = null): Promise<Page> {
    const page = await this.open('/healthz', expected);
    await page.evaluate(
      (login) => sessionStorage.setItem('callboard:login', login),
      JSON.stringify({ credential: apiKey, isApiKey: true, expiresAtMs: null }),
    );
    await page.goto(`${this.origin}/playground`);
    return page;
  }

  private async goOn(page: Page, path: string, expected: RegExp | null): Promise<Page> {
    this.complaints.set(page, watchComplaints(page, this.origin, expected));
    await page.goto(this.origin + path);
    return page;
  }
}

export const example = (page: Page, title: string): Locator =>
  page
    .getByRole('complementary')
    .getByRole('button')
    .filter({ has: page.getByText(title, { exact: true }) });

/** Waits for a result with rows and returns how many there are. */
export async function rowsShown(page: Page): Promise<number> {
  const status = page.locator('.pg-status', { hasText: /^[\d,]+ (of [\d,]+ )?rows?/ });
  return Number(((await status.textContent()) ?? '').replaceAll(',', '').match(/^\d+/)?.[0]);
}

/** Runs a query in a tab of its own and waits for its rows. */
export async function runQuery(page: Page, query: string): Promise<void> {
  await rowsShown(page);
  await page.getByRole('button', { name: 'New query' }).click();
  await writeEditor(page, 'operation.graphql', query);
  await page.getByRole('button', { name: 'Run' }).click();
  await page.locator('.pg-status', { hasText: /rows? in/ }).waitFor();
}

type EditorName = 'operation.graphql' | 'variables.json';

interface Model {
  readonly uri: { readonly path: string };
  getValue(): string;
  setValue(text: string): void;
}

declare global {
  // eslint-disable-next-line no-var
  var __MONACO: { editor: { getModels(): Model[] } };
}

export const readEditor = (page: Page, name: EditorName): Promise<string> =>
  page.evaluate(
    (end) =>
      globalThis.__MONACO.editor
        .getModels()
        .find(({ uri }) => uri.path.endsWith(end))
        ?.getValue() ?? '',
    name,
  );

export const writeEditor = (page: Page, name: EditorName, text: string): Promise<void> =>
  page.evaluate(
    ([end, value]) =>
      globalThis.__MONACO.editor
        .getModels()
        .find(({ uri }) => uri.path.endsWith(end!))!
        .setValue(value!),
    [name, text],
  );

export const tabNames = (page: Page): Promise<string[]> =>
  page.getByRole('navigation', { name: 'Open queries' }).locator('li > button:first-child').allInnerTexts();

/** Waits until the editors are there, without a result. */
export const editorsReady = (page: Page): Promise<void> => page.locator('.pg-editor .view-line').first().waitFor();
