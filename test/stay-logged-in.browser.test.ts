/// <reference lib="dom" />
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from './support/browser.ts';
import { openConsole } from './support/console.ts';
import { demoPassword } from '../src/access/demo.ts';

const console = openConsole({ isDemo: true, isAlone: true });
const refused = /Failed to load resource/;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

async function logIn(page: Page, isKept: boolean): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill('admin@aurora.example');
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  if (isKept) await page.getByLabel('Stay logged in on this device').check();
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await heading(page, 'Home');
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

  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
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
