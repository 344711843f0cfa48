/// <reference lib="dom" />
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core';
import { createPasswords } from '../../src/access/passwords.ts';
import { seedDemo } from '../../src/bin/seed/demo.ts';
import { startApp, type TestApp } from './app.ts';

/* Opens the playground of a service with demo data in headless Chromium. */

export const admin = 'admin@aurora.example';
export const demoPassword = 'callboard-demo';
const wide = { width: 1440, height: 900 };

export class PlaygroundPages {
  /** Problems found so far: errors, violations of the security policy, and requests to other hosts. */
  private complaints: string[] = [];
  /** A page that several tests go on with. */
  shared: Page | undefined;

  private constructor(
    readonly service: TestApp,
    readonly origin: string,
    private readonly browser: Browser,
    readonly context: BrowserContext,
  ) {
    context.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
        this.complaints.push(request.url());
    });
  }

  static async start(): Promise<PlaygroundPages> {
    const service = await startApp();
    await seedDemo(service.prisma, new Date(), createPasswords(service.database.config().auth).hash);
    const origin = await service.app.http.listen({ host: '127.0.0.1', port: 0 });
    const browser = await chromium.launch({
      executablePath: process.env['TEST_CHROMIUM'] ?? '',
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
    });
    const context = await browser.newContext({ acceptDownloads: true });
    context.setDefaultTimeout(12_000);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    return new PlaygroundPages(service, origin, browser, context);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.service.close();
  }

  /** Closes the pages of a test and throws what they complained about. */
  async endTest(): Promise<void> {
    for (const page of this.context.pages()) if (page !== this.shared) await page.close();
    if (this.complaints.length > 0) throw new Error(this.complaints.join('\n'));
  }

  /** Opens a page without stored work; `expected` are the refusals that a test provokes. */
  async open(path = '/playground', expected: RegExp | null = null, viewport = wide): Promise<Page> {
    this.complaints = [];
    const page = await this.context.newPage();
    await page.setViewportSize(viewport);
    await page.goto(`${this.origin}/healthz`);
    await page.evaluate(() => localStorage.clear());
    return this.goOn(page, path, expected);
  }

  /** Opens another page that finds the stored work of the earlier ones. */
  async openBeside(path: string): Promise<Page> {
    const page = await this.context.newPage();
    await page.setViewportSize(wide);
    return this.goOn(page, path, null);
  }

  openAs(email: string, expected: RegExp | null = null, viewport = wide): Promise<Page> {
    return this.open(`/playground#demo=${encodeURIComponent(email)}`, expected, viewport);
  }

  private async goOn(page: Page, path: string, expected: RegExp | null): Promise<Page> {
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !expected?.test(message.text()))
        this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
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
