import { chromium, type Browser, type Page } from 'playwright-core';

/** The widths that every page must fit: a desktop, a tablet, a phone and a narrow phone. */
const screenWidths = [1440, 1024, 390, 320];

/** Starts headless Chromium, which asks for nothing by itself. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['TEST_CHROMIUM'] ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
  });

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
