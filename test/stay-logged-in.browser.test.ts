/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from './support/browser.ts';
import { openConsole } from './support/console.ts';
import { demoPassword } from '../src/access/demo.ts';

const console = openConsole({ isDemo: true, isAlone: true });
const refused = /Failed to load resource/;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

async function logIn(page: Page, isKept: boolean, email = 'admin@aurora.example', title = 'Home'): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  if (isKept) await page.getByLabel('Stay logged in on this device').check();
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await heading(page, title);
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
}

test('a log-in that a person wants kept holds over tabs and reloads, on every page, until the log-out', async () => {
  const page = await console.open(null, '/app', { expected: refused });
  await logIn(page, true);
  await page.reload();
  await heading(page, 'Home');
  // The page itself has no lasting secret.
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  expect(stored).not.toContain('cbp_');
  expect(stored).not.toContain('eyJ');
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: '__Host-callboard', httpOnly: true, secure: true, sameSite: 'Strict' });

  const others = await Promise.all(
    ['/app/events', '/board', '/playground'].map(async (path) => {
      const other = await page.context().newPage();
      await other.goto(console.origin + path);
      await other
        .getByRole('button', { name: /^Account of|Log out/ })
        .first()
        .waitFor();
      return other;
    }),
  );
  // What was read at one time by several tabs did not log any of them out.
  await others[0]!.reload();
  await heading(others[0]!, 'Events');

  // The APIs take no cookie.
  expect(await page.evaluate(async () => (await fetch('/v1/events')).status)).toBe(401);

  await logOut(page);
  await page.reload();
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
  await until(async () => (await page.context().cookies()).length === 0);
  await others[0]!.reload();
  await others[0]!.getByRole('button', { name: 'Log in', exact: true }).waitFor();
});

test('a kept log-in outlasts a restart of the service', async () => {
  const page = await console.open(null, '/app', { expected: refused });
  await logIn(page, true);
  await page.route('**/session', (route) => route.fulfill({ status: 503, json: {} }));
  await page.reload();
  await page.getByText('The service cannot be reached.').waitFor();
  await page.unroute('**/session');
  await page.reload();
  await heading(page, 'Home');
});

test('another log-in ends with its tab', async () => {
  const page = await console.open(null, '/app', { expected: refused });
  await logIn(page, false);
  expect(await page.context().cookies()).toEqual([]);
  const other = await page.context().newPage();
  await other.goto(`${console.origin}/app`);
  await other.getByRole('button', { name: 'Log in', exact: true }).waitFor();
});

test('a kept log-in that another device has ended asks for the password again', async () => {
  const page = await console.open(null, '/app', { expected: refused });
  await logIn(page, true);
  const as = await console.logInToDemo('admin');
  expect((await console.service.call('DELETE', '/v1/tokens/personal/all', { as })).status).toBe(200);
  await page.reload();
  await page.getByText('You were logged out. Log in again.').waitFor();
});

describe('a tab whose browser somebody else has logged in with, of another business', () => {
  const other = 'admin@harbor.example';

  /** Two tabs that keep the log-in of one person. */
  async function openTabs() {
    const page = await console.open(null, '/app', { expected: refused });
    await logIn(page, true);
    await page.goto(`${console.origin}/app/settings/positions`);
    await heading(page, 'Positions');
    const second = await page.context().newPage();
    await second.goto(`${console.origin}/app`);
    await heading(second, 'Home');
    return [page, second] as const;
  }

  /** Types a new position and saves it. The page asks for a log-in, and nobody has stored anything. */
  async function saveInVain(page: Page) {
    const title = `Usher of ${expect.getState().currentTestName}`.slice(-60);
    await page.getByRole('button', { name: 'New position' }).click();
    await page.getByLabel('Name', { exact: true }).fill(title);
    await page.getByLabel('Rate', { exact: true }).fill('10');
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await dialog.getByText('Somebody else has logged in with this browser').waitFor();
    expect(await console.service.prisma.position.count({ where: { title } })).toBe(0);
  }

  const isOther = (page: Page) => page.locator('header').getByText('Harbor').first().waitFor();

  /** The other person logs in while the token of the first one still holds. */
  async function keepInstead(second: Page) {
    await second.evaluate(
      async (body) => {
        const headers = { 'content-type': 'application/json' };
        await fetch('/session', { method: 'POST', headers, body: JSON.stringify(body) });
      },
      { email: other, password: demoPassword, keep: true },
    );
    await second.reload();
    await isOther(second);
  }

  test('sends nothing as them when its token was revoked, and leaves their log-in alone', async () => {
    const [page, second] = await openTabs();
    await logOut(second);
    await logIn(second, true, other);
    await saveInVain(page);
    // What is not kept is of this tab alone, as is its end.
    await logIn(page, false, undefined, 'Positions');
    // What was typed is still there, and is stored once the same person is back.
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const act of [() => Promise.resolve(), () => logOut(page)]) {
      await act();
      await second.reload();
      await heading(second, 'Home');
      await isOther(second);
    }
  });

  test('sends nothing as them when its token is due', async () => {
    const [page, second] = await openTabs();
    await keepInstead(second);
    await page.clock.setFixedTime(Date.now() + 3_600_000);
    await saveInVain(page);
  });

  test('ends its own log-in alone when it logs out', async () => {
    const [page, second] = await openTabs();
    await keepInstead(second);
    await logOut(page);
    await second.reload();
    await isOther(second);
  });
});
