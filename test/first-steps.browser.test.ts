import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createPasswords } from '../src/access/passwords.ts';
import { seedDemo } from '../src/bin/seed/demo.ts';
import { startApp, type TestApp } from './support/app.ts';
import { launchBrowser, watchComplaints } from './support/browser.ts';

/* The first steps of somebody who opens the service in a browser. */

let demo: TestApp;
let plain: TestApp;
let browser: Browser;
const origins = new Map<TestApp, string>();

beforeAll(async () => {
  [demo, plain] = await Promise.all([startApp(), startApp()]);
  await seedDemo(demo.prisma, new Date(), createPasswords(demo.database.config().auth).hash);
  await plain.createTenant();
  for (const app of [demo, plain]) origins.set(app, await app.app.http.listen({ host: '127.0.0.1', port: 0 }));
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await Promise.all([demo.close(), plain.close()]);
});

/** A page, with all that a careful developer would complain about. */
async function visit(app: TestApp, path: string, options: BrowserContextOptions = {}) {
  const origin = origins.get(app) ?? '';
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints = watchComplaints(page, origin);
  const answer = await page.goto(origin + path, { waitUntil: 'networkidle' });
  return { page, complaints, status: answer?.status() ?? 0, leave: () => context.close() };
}

const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

const phone: BrowserContextOptions = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

describe('on a demo database', () => {
  test('one click on the landing page leads into the console as that user', async () => {
    const { page, complaints, leave } = await visit(demo, '/');
    expect(complaints).toEqual([]);
    const link = page.getByRole('link', { name: 'Open as admin: admin@aurora.example' });
    expect(await link.getAttribute('href')).toBe('/app#demo=admin%40aurora.example');
    await link.click();
    expect(new URL(page.url()).pathname).toBe('/app');
    const business = page.getByRole('banner').getByText('Aurora Events');
    const notBuilt = page.getByRole('heading', { name: / is not built$/ });
    await business.or(notBuilt).first().waitFor();
    await leave();
  });

  test('a command is copied with one click', async () => {
    const { page, complaints, leave } = await visit(demo, '/', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain(`curl -s ${origins.get(demo)}/v1/auth/login`);
    expect(copied).toContain('"email": "admin@aurora.example"');
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe('on a database without the demo', () => {
  test('the start page shows no trace of a log-in', async () => {
    const { page, complaints, leave } = await visit(plain, '/');
    await page.getByText('Callboard').first().waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/demo|aurora|harbor/i);
    expect(complaints).toEqual([]);
    await leave();
  });

  test('the reference offers the form alone', async () => {
    const { page, complaints, leave } = await visit(plain, '/docs');
    await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click();
    expect(await page.getByRole('dialog').innerText()).not.toMatch(/demo|aurora|harbor/i);
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe('a wrong address', () => {
  test('shows a page with links to other pages', async () => {
    const { page, complaints, status, leave } = await visit(plain, '/eventz');
    expect(status).toBe(404);
    // The browser's own word for the status.
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    await page.getByRole('heading', { name: 'Nothing is pinned up here' }).waitFor();
    await page.getByRole('link', { name: 'To the start page' }).click();
    await page.getByRole('heading', { name: 'Who works which event, and when' }).waitFor();
    await leave();
  });
});

describe('every page', () => {
  test.each(['/', '/docs', '/schema', '/eventz'])('%s has the common header and fits a phone', async (path) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, leave } = await visit(demo, path, { ...phone, colorScheme });
      const header = page.getByRole('banner');
      for (const [name, href] of [
        ['Callboard', '/'],
        ['Console', '/app'],
        ['Board', '/board'],
        ['API reference', '/docs'],
        ['Playground', '/playground'],
        ['GraphQL schema', '/schema'],
      ] as const)
        expect(await header.getByRole('link', { name, exact: true }).getAttribute('href')).toBe(href);
      expect(await overflow(page)).toBe(0);
      const [ink, paper] = await page.evaluate<string[]>(
        '[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]',
      );
      expect(luminance(ink ?? '') > luminance(paper ?? '')).toBe(colorScheme === 'dark');
      await leave();
    }
  });

  test('can be used with the keyboard: the first stop skips the header', async () => {
    const { page, leave } = await visit(demo, '/');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await leave();
  });
});

const luminance = (color: string): number =>
  (color.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
