/// <reference lib="dom" />
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findBarriers } from './support/axe.ts';
import { borrowPage, returnPages, watchComplaints, type PageOptions } from './support/browser.ts';
import { expectNoOverflow } from './support/console.ts';
import { borrowPackage } from './support/package.ts';

/* What holds for each page of the site: nothing is in the way of readers, it fits every screen, and its colours hold. */

let origin: string;

beforeAll(async () => {
  origin = await (await borrowPackage({}, true)).listen();
});

afterEach(returnPages);

/** A tab, with errors, violations of the security policy and requests to other hosts. The browser's own word for a 404 is none. */
async function visit(path: string, options: PageOptions = {}) {
  const page = await borrowPage(options);
  const complaints = watchComplaints(page, origin, /the server responded with a status of 404/);
  await page.goto(origin + path, { waitUntil: 'networkidle' });
  return { page, complaints };
}

const addresses = ['/', '/nowhere', '/guide', '/docs', '/schema', '/app', '/board', '/playground'];

async function expectNoBarriers(page: Page): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-theme=dark]').waitFor();
  expect(await findBarriers(page, 'colours')).toEqual([]);
}

test.each(addresses)(
  '%s has no barriers, no errors, fits screens of 1440, 1024, 390 and 320 pixels, and loads nothing from other hosts',
  async (path) => {
    const { page, complaints } = await visit(path);
    await expectNoOverflow(page);
    await expectNoBarriers(page);
    expect(complaints).toEqual([]);
  },
);

test('the reference has no barriers while somebody uses it', async () => {
  const { page, complaints } = await visit('/docs#events.list');
  await page.getByRole('searchbox').fill('events.list');
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Log in to Aurora Events as admin' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Log in to Aurora Events as admin' }).click();
  await page.getByText('Aurora Events · Enterprise plan').waitFor();
  await page.getByRole('group', { name: 'Logged in as' }).waitFor();
  const operation = page.locator('article[id="events.list"]');
  await operation.getByRole('button', { name: 'Try it' }).click();
  await operation.getByRole('button', { name: 'Send' }).click();
  await operation.getByRole('status').getByText('200').waitFor();
  for (const summary of await operation.locator('summary').all()) await summary.click();
  await expectNoBarriers(page);
  const form = operation.getByRole('form');
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect([width, await form.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)]).toEqual([
      width,
      0,
    ]);
  }
  expect(complaints).toEqual([]);
});

test('the page of the schema has no barriers while it is filtered', async () => {
  const { page } = await visit('/schema');
  await page.getByRole('searchbox').fill('dressCode');
  await expectNoBarriers(page);
});

/** As a text, because what compiles this file adds calls that a page does not know. */
const blockStorage = `for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(globalThis, name, { get() { throw new DOMException('Blocked', 'SecurityError'); } });`;

describe('the colours', () => {
  const themeAtFirstPaint = (page: Page) =>
    page.addInitScript(() => {
      requestAnimationFrame(() => {
        const { theme } = document.documentElement.dataset;
        Object.assign(globalThis, { themeAtFirstPaint: theme });
      });
    });
  const readThemes = (page: Page) =>
    page.evaluate(() => [
      (globalThis as unknown as { themeAtFirstPaint?: string }).themeAtFirstPaint,
      document.documentElement.dataset['theme'],
      getComputedStyle(document.documentElement).colorScheme,
      document.querySelector<HTMLMetaElement>('meta[name=theme-color]')?.content,
    ]);
  const dark = ['dark', 'dark', 'dark', '#1d2027'];
  const light = ['light', 'light', 'light', '#fff'];

  test('are chosen once and hold on every page before the first paint', async () => {
    const { page } = await visit('/', { colorScheme: 'light' });
    await themeAtFirstPaint(page);
    await page.getByRole('button', { name: /^Colours: system/ }).click();
    await page.getByRole('button', { name: /^Colours: light/ }).click();
    for (const path of addresses) {
      await page.goto(origin + path);
      expect([path, ...(await readThemes(page))]).toEqual([path, ...dark]);
    }
  });

  test('are those of the system, and can be changed, where the browser stores nothing', async () => {
    const page = await borrowPage({ colorScheme: 'dark' });
    await page.addInitScript({ content: blockStorage });
    await themeAtFirstPaint(page);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    for (const path of addresses) {
      await page.goto(origin + path, { waitUntil: 'networkidle' });
      expect([path, ...(await readThemes(page))]).toEqual([path, ...dark]);
      await page.getByRole('button', { name: /^Colours: system/ }).click();
      expect([path, ...(await readThemes(page)).slice(1)]).toEqual([path, ...light.slice(1)]);
    }
    expect(errors).toEqual([]);
  });
});

test('somebody can log in where the browser stores nothing', async () => {
  const page = await borrowPage();
  await page.addInitScript({ content: blockStorage });
  await page.goto(`${origin}/docs`);
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Log in to Aurora Events as admin' }).click();
  await page.getByRole('group', { name: 'Logged in as' }).waitFor();
  await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).waitFor();
});

describe('the first screen', () => {
  test('opens the demo with its first button', async () => {
    const { page, complaints } = await visit('/');
    const button = page.getByRole('link', { name: 'Open the demo' });
    const box = await button.boundingBox();
    expect(box!.y + box!.height).toBeLessThan(900);
    await button.click();
    await page.getByRole('banner').getByText('Aurora Events').waitFor();
    expect(new URL(page.url()).pathname).toBe('/app');
    expect(complaints).toEqual([]);
  });
});

describe('the page of the schema', () => {
  test('is found in the header, and finds types and fields', async () => {
    const { page } = await visit('/');
    await page.getByRole('banner').getByRole('link', { name: 'GraphQL schema' }).click();
    await page.getByRole('heading', { level: 1, name: 'GraphQL schema' }).waitFor();
    const shown = (selector: string) =>
      page.locator(`${selector}:visible`).evaluateAll((all) => all.map((each) => each.id || each.dataset['part']));
    await page.getByRole('searchbox').fill('driftSeconds');
    expect(await shown('article')).toEqual([]);
    await page.getByRole('searchbox').fill('fillRate');
    expect(await shown('article')).toEqual(['Coverage', 'Work']);
    expect(new Set(await shown('[data-part]'))).toEqual(new Set(['fillRate']));
    await page.getByRole('searchbox').fill('EventFilter');
    expect(await shown('article')).toEqual(['EventFilter']);
  });

  test('links a field to its type', async () => {
    const { page } = await visit('/schema#Query');
    await page.locator('[data-part="viewer"]').getByRole('link', { name: 'Viewer', exact: true }).click();
    expect(new URL(page.url()).hash).toBe('#Viewer');
    await page.waitForFunction(() => {
      const { top } = document.getElementById('Viewer')!.getBoundingClientRect();
      return top >= 0 && top < innerHeight / 2;
    });
  });
});
