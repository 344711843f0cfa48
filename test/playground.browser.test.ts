/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { examplesFor } from '../src/pages/playground/examples.ts';
import { until } from './support/browser.ts';
import {
  admin,
  demoPassword as password,
  example,
  openPlayground,
  readEditor,
  rowsShown,
  writeEditor,
} from './support/playground-page.ts';

const pages = openPlayground({ isAlone: true });
const open: typeof pages.open = (...args) => pages.open(...args);
const openAs: typeof pages.openAs = (...args) => pages.openAs(...args);

const storedLogin = (page: Page) => page.evaluate(() => sessionStorage.getItem('callboard:login'));

describe('logging in', () => {
  test('by e-mail and password shows user, business, plan and rate limit, and survives a reload', async () => {
    const page = await open();
    await page.getByLabel('E-mail', { exact: true }).fill(admin);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    const who = page.getByRole('group', { name: 'Logged in as' });
    await who.waitFor();
    expect(await who.innerText()).toMatch(/Aurora Events · Enterprise plan/);
    expect(await page.locator('.app-rate-limit').innerText()).toMatch(/\d+ of 120 left/);
    expect(await rowsShown(page)).toBeGreaterThan(0);
    await page.reload();
    await who.waitFor();
    await page.getByRole('button', { name: 'Run' }).waitFor();
  });

  test('with a wrong password shows the error', async () => {
    const page = await open('/playground', /status of 401/);
    await page.getByLabel('E-mail', { exact: true }).fill(admin);
    await page.getByLabel('Password', { exact: true }).fill('not-the-password');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    const refusal = page.getByRole('alert').first();
    await page.waitForFunction(() => document.querySelector('[role=alert]')?.textContent !== '');
    expect(await refusal.innerText()).toMatch(/wrong|password/i);
    expect(await storedLogin(page)).toBeNull();
  });

  test('by an API key works as the business, and a wrong key shows the error', async () => {
    const { key } = await pages.service.createTenant('basic').then(({ as }) => as);
    const page = await open('/playground', /status of 401/);
    await page.getByRole('radio', { name: 'API key' }).check({ force: true });
    const field = page.getByLabel('API key', { exact: true }).and(page.locator('[type=password]'));
    await field.fill('cbk_wrong');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByText('This API key is not valid, has expired, or was revoked.').waitFor();
    await field.fill(key);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByText('Basic plan').waitFor();
  });

  test('to a demo account takes one click, or a link', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Log in to Harbor & Main Catering as admin' }).click();
    await page.getByText('Harbor & Main Catering · Basic plan').waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Or look around' }).waitFor();
    await page.evaluate(() => {
      location.hash = '#demo=staff@aurora.example';
    });
    await page.getByText('Aurora Events · Enterprise plan').waitFor();
    expect(new URL(page.url()).hash).toBe('');
    expect(await rowsShown(page)).toBeGreaterThan(0);
  });

  test('by a link to an account outside the demo shows an error', async () => {
    const page = await openAs('somebody@else.example');
    await page.getByText('somebody@else.example is not a demo account of this service.').waitFor();
  });
});

describe('logging out', () => {
  test('revokes the token and leaves no credential in the browser', async () => {
    const page = await openAs(admin);
    await rowsShown(page);
    const { credential } = JSON.parse((await storedLogin(page))!) as { credential: string };
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
    const isTaken = async () => (await pages.service.graphql('{ viewer { name } }', { as: credential })).status === 200;
    await until(async () => !(await isTaken()));
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(kept).not.toContain(credential);
    expect(kept).not.toContain(credential.slice(-20));
  });

  test('elsewhere is noticed at the next query, and the query survives the new log-in', async () => {
    const page = await openAs(admin, /status of 401/);
    await rowsShown(page);
    await pages.service.prisma.personalToken.updateMany({ data: { revokedAt: new Date() } });
    await page.getByRole('button', { name: 'Run' }).click();
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await dialog.getByText('Your log-in is no longer accepted').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.locator('.pg-editor').first().innerText()).toContain('UpcomingEvents');
  });
});

describe('an example', () => {
  beforeAll(async () => {
    pages.shared = await openAs(admin);
    await rowsShown(pages.shared);
  });
  afterAll(async () => {
    await pages.shared!.close();
    pages.shared = undefined;
  });

  test.each(examplesFor('ADMIN'))(
    '“$title” shows what it finds, as a table, as JSON and, for reports, as a chart',
    async ({ title, changes }) => {
      const page = pages.shared!;
      await example(page, title).click();
      if (changes) {
        await page.getByText('This changes something.').waitFor();
        await page.getByRole('button', { name: 'Run' }).click();
      }
      await expectQuiet(page);
      if (title.includes('Coverage') || title.includes('Labour cost') || title.includes('Hours')) {
        await page.getByRole('img', { name: /Coverage|Labour cost|Hours/ }).waitFor();
        await page.getByText('The same as a table').click();
        expect(await page.locator('.pg-chart-table tbody tr').count()).toBeGreaterThan(0);
        await page.getByRole('tab', { name: 'Table' }).click();
      }
      const lines = page.locator('#result-panel table tbody tr');
      await lines.first().waitFor();
      expect(await lines.count()).toBeGreaterThan(0);
      await page.getByRole('tab', { name: 'JSON' }).click();
      await page.locator('.pg-json .view-line').first().waitFor();
    },
  );

  const expectQuiet = async (page: Page) => {
    await page.locator('.pg-results[aria-busy=false]').waitFor();
    await page.locator('.pg-examples [aria-busy=true]').waitFor({ state: 'detached' });
    expect(await page.locator('.pg-error').count()).toBe(0);
  };
});

describe('an analyst', () => {
  test('sees nested lists in their rows, chooses one as the table, and sorts it', async () => {
    const page = await openAs(admin);
    await rowsShown(page);
    await page.locator('.pg-inner summary').first().click();
    await page.locator('.pg-inner[open] li').first().waitFor();
    await page.getByLabel('List').selectOption({ index: 1 });
    const heading = page.getByRole('columnheader', { name: 'callTimes.position' });
    await heading.getByRole('button').click();
    expect(await heading.getAttribute('aria-sort')).toBe('ascending');
    const column = (await page.getByRole('columnheader').allInnerTexts()).findIndex((text) =>
      text.startsWith('callTimes.position'),
    );
    const shown = await page.locator(`#result-panel .pg-table tbody tr td:nth-child(${column + 1})`).allInnerTexts();
    expect(shown.length).toBeGreaterThan(2);
    expect(shown).toEqual(shown.toSorted((a, b) => a.localeCompare(b, 'en')));
  });

  test("sees the service's message for a wrong query", async () => {
    const page = await openAs(admin, /status of 4\d\d/);
    await rowsShown(page);
    await example(page, 'Create an event').click();
    await page.getByText('This changes something.').waitFor();
    await writeEditor(
      page,
      'variables.json',
      (await readEditor(page, 'variables.json')).replace('23:00:00', '17:00:00'),
    );
    await page.getByRole('button', { name: 'Run' }).click();
    const trouble = page.locator('.pg-error');
    await trouble.waitFor();
    expect(await trouble.innerText()).toContain('VALIDATION_FAILED');
    expect(await trouble.innerText()).toMatch(/endTime/);
  });

  test('sees when the rate limit is reached and when it is reset', async () => {
    const { as, business } = await pages.service.createTenant('free');
    const page = await open('/playground', /status of 429/);
    await page.getByRole('radio', { name: 'API key' }).check({ force: true });
    await page.getByLabel('API key', { exact: true }).and(page.locator('[type=password]')).fill(as.key);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByText('Free plan').waitFor();
    await example(page, 'Positions and rates').click();
    await page.getByText('No rows').waitFor();
    for (let left = 60; left > 0; left--) await pages.service.graphql('{ rateLimit { remaining } }', { as: as.key });
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText(/reached its rate limit. You can run this again in \d+ s/).waitFor();
    expect(business.plan).toBe('free');
  });
});

describe('the page', () => {
  test('can be used with the keyboard alone: log-in, drawer, run', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement as HTMLElement;
        return element.getAttribute('aria-label') ?? (element.innerText || element.getAttribute('name') || element.id);
      });
    const tabTo = async (wanted: RegExp) => {
      for (let presses = 0; presses < 80; presses++) {
        await page.keyboard.press('Tab');
        if (wanted.test((await focused()) ?? '')) return;
      }
      throw new Error(`Tab does not lead to ${String(wanted)}.`);
    };
    await tabTo(/^email$/);
    await page.keyboard.type(admin);
    await tabTo(/^password$/);
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await rowsShown(page);
    await tabTo(/^Coverage by position/);
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'Coverage' }).waitFor();
    await tabTo(/^Run$/);
    await page.keyboard.press('Enter');
    await tabTo(/^Query: press Enter/);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('# typed\n');
    expect(await page.locator('.pg-editor').first().innerText()).toContain('typed');
    await page.keyboard.press('Control+Enter');
    await tabTo(/^Variables$/);
    await tabTo(/^Width of the query$/);
    await page.keyboard.press('ArrowRight');
    await tabTo(/^Chart$/);
    await page.keyboard.press('ArrowLeft');
    await page.locator('#result-panel .pg-table').waitFor();
  });

  test('follows the light or dark setting of the system, or the choice of the user', async () => {
    const page = await open();
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const turned = (theme: string) => page.locator(`html[data-theme=${theme}]`).waitFor();
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await turned('light');
    const light = await paper();
    await page.emulateMedia({ colorScheme: 'dark' });
    await turned('dark');
    const dark = await paper();
    expect(dark).not.toBe(light);
    const toggle = page.getByRole('button', { name: /^Colours/ });
    await toggle.click();
    expect(await paper()).toBe(light);
    await toggle.click();
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await paper()).toBe(dark);
    await page.reload();
    await toggle.waitFor();
    expect(await paper()).toBe(dark);
  });

  test('documents, completes and checks queries in the editor without a network', async () => {
    const page = await openAs(admin);
    await rowsShown(page);
    await page.getByRole('button', { name: 'Docs' }).click();
    await page.getByRole('link', { name: 'Query', exact: true }).first().click();
    await page.getByText('labourCost').first().waitFor();
    await page.getByRole('button', { name: 'New query' }).click();
    await page.locator('.pg-editor').first().click();
    await page.keyboard.type('{ viewer { n');
    await page.locator('.suggest-widget .monaco-list-row').first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type('onsense');
    await page.locator('.squiggly-error').first().waitFor();
  });
});
