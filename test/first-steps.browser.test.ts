import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Service } from './support/app.ts';
import { borrowPage, returnPages, watchComplaints, type PageOptions } from './support/browser.ts';
import { borrowPackage } from './support/package.ts';

/* The first steps of somebody who opens the service in a browser. */

let demo: Service;
let plain: Service;
const origins = new Map<Service, string>();

beforeAll(async () => {
  [demo, plain] = await Promise.all([borrowPackage({}, true), borrowPackage()]);
  await plain.createTenant();
  for (const service of [demo, plain]) origins.set(service, await service.listen());
});

afterEach(returnPages);

/** A page, with all that a careful developer would complain about. */
async function visit(app: Service, path: string, options: PageOptions = {}) {
  const origin = origins.get(app) ?? '';
  const page = await borrowPage(options);
  const complaints = watchComplaints(page, origin);
  const answer = await page.goto(origin + path, { waitUntil: 'networkidle' });
  return { page, complaints, status: answer?.status() ?? 0 };
}

const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

describe('on a demo database', () => {
  test('one click on the landing page leads into the console as that user', async () => {
    const { page, complaints } = await visit(demo, '/');
    expect(complaints).toEqual([]);
    const link = page.getByRole('link', { name: 'Open as admin: admin@aurora.example' });
    expect(await link.getAttribute('href')).toBe('/app#demo=admin%40aurora.example');
    await link.click();
    expect(new URL(page.url()).pathname).toBe('/app');
    const business = page.getByRole('banner').getByText('Aurora Events');
    const notBuilt = page.getByRole('heading', { name: / is not built$/ });
    await business.or(notBuilt).first().waitFor();
  });

  test('a command is copied with one click', async () => {
    const { page, complaints } = await visit(demo, '/', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain(`curl -s ${origins.get(demo)}/v1/auth/login`);
    expect(copied).toContain('"email": "admin@aurora.example"');
    expect(complaints).toEqual([]);
  });
});

describe('on a database without the demo', () => {
  test('the start page shows no trace of a log-in', async () => {
    const { page, complaints } = await visit(plain, '/');
    await page.getByText('Callboard').first().waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/demo|aurora|harbor/i);
    expect(complaints).toEqual([]);
  });

  test('the reference offers the form alone', async () => {
    const { page, complaints } = await visit(plain, '/docs');
    await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click();
    expect(await page.getByRole('dialog').innerText()).not.toMatch(/demo|aurora|harbor/i);
    expect(complaints).toEqual([]);
  });
});

describe('a wrong address', () => {
  test('shows a page with links to other pages', async () => {
    const { page, complaints, status } = await visit(plain, '/eventz');
    expect(status).toBe(404);
    // The browser's own word for the status.
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    await page.getByRole('heading', { name: 'Nothing is pinned up here' }).waitFor();
    await page.getByRole('link', { name: 'To the start page' }).click();
    await page.getByRole('heading', { name: 'Who works which event, and when' }).waitFor();
  });
});

describe('every page', () => {
  test.each(['/', '/docs', '/schema', '/eventz'])('%s has the common header and fits a phone', async (path) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await visit(demo, path, { ...phone, colorScheme });
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
    }
  });

  test('can be used with the keyboard: the first stop skips the header', async () => {
    const { page } = await visit(demo, '/');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
  });
});

const luminance = (color: string): number =>
  (color.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
