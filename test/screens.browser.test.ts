/// <reference lib="dom" />
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Service } from './support/app.ts';
import { borrowPage, returnPages, until, watchComplaints } from './support/browser.ts';
import { expectAccessible } from './support/console.ts';
import type { Tenant } from './support/factories.ts';
import { borrowPackage } from './support/package.ts';

/* A browser without a log-in becomes a screen, with the help of an admin in another browser. */

const zone = 'America/New_York';
const hourMs = 3_600_000;

let service: Service;
let origin: string;
/** Problems found so far: errors, violations of the security policy, and requests to other hosts. */
const complaints: string[][] = [];

beforeAll(async () => {
  service = await borrowPackage();
  origin = await service.listen();
});

afterEach(async () => {
  await returnPages();
  const found = complaints.splice(0).flat();
  if (found.length > 0) throw new Error(found.join('\n'));
});

/** A browser of its own. `expected` are the refusals that a test provokes. */
async function openBrowser(expected: RegExp | null = null): Promise<Page> {
  const page = await borrowPage({ timezoneId: zone });
  complaints.push(watchComplaints(page, origin, expected));
  return page;
}

async function openAdmin(as: string, path = '/board'): Promise<Page> {
  const page = await openBrowser();
  await page.goto(`${origin}/healthz`);
  await page.evaluate(
    (login) => sessionStorage.setItem('callboard:login', login),
    JSON.stringify({ credential: as, isApiKey: false, expiresAtMs: null }),
  );
  await page.goto(origin + path);
  await live(page);
  return page;
}

const live = (page: Page) => page.locator('.bd-link-state[data-link=live]').waitFor();
const codeOn = async (page: Page): Promise<string> => {
  const code = page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  await code.waitFor();
  return code.innerText();
};

async function startScreen(page: Page, path = '/board'): Promise<string> {
  await page.goto(origin + path);
  await page.getByRole('button', { name: 'Use this browser as a screen' }).click();
  return codeOn(page);
}

/** Approves a code in the dialog, and leaves it open. */
async function approve(page: Page, code: string, name = 'Stage door', names?: string) {
  const dialog = page.getByRole('dialog', { name: 'Screens' });
  if (!(await dialog.isVisible())) await page.getByRole('button', { name: 'Screens' }).click();
  await dialog.getByRole('button', { name: 'New screen' }).click();
  await dialog.getByLabel('Code').fill(code);
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  if (names) await dialog.getByLabel('Names of people').selectOption(names);
  await dialog.getByRole('button', { name: 'Approve the screen' }).click();
  await dialog.getByRole('cell', { name }).first().waitFor();
  return dialog;
}

/** Revokes the screen by its name. */
async function revoke(page: Page) {
  await page.getByRole('button', { name: 'Revoke Stage door' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke Stage door?' });
  await dialog.getByRole('textbox').fill('Stage door');
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
}

const wall = (hours: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(
    Math.floor(Date.now() / hourMs) * hourMs + hours * hourMs,
  );

/** A business with two events that run now, in two cities; Ivy Green waits to confirm at the first. */
async function createDay(): Promise<Tenant & { readonly shiftUuid: string }> {
  const tenant = await service.createTenant();
  const { business } = tenant;
  const ivy = await service.createUser(business, 'staff', { name: 'Ivy Green' });
  const position = await service.createPosition(business, { title: 'Bartender' });
  const times = { start: wall(-1), end: wall(5), timezone: zone };
  const event = await service.createEvent(business, { title: 'Harvest Dinner', city: 'Madison', ...times });
  await service.createEvent(business, { title: 'Book Fair', city: 'Chicago', ...times });
  const hours = { start: wall(-2), end: wall(6), positionId: position.id };
  const call = await service.createCallTime(event, hours);
  const { uuid } = await service.createShift(event, ivy, { ...hours, callTimeId: call.id });
  return { ...tenant, shiftUuid: uuid };
}

const titles = (page: Page): Promise<string[]> =>
  page
    .locator('.bd-card h2')
    .allTextContents()
    .then((texts) => texts.map((text) => text.trim()));

describe('a screen', () => {
  test('shows a code, then the board that an admin approves, live, and goes on after a power cut', async () => {
    const { as, shiftUuid, business } = await createDay();
    const screen = await openBrowser();
    const code = await startScreen(screen);
    await screen.getByText('Waiting for an admin.').waitFor();
    const admin = await openAdmin(as.admin, '/board?city=Madison');
    const dialog = await approve(admin, code.toLowerCase().replace('-', ' '));
    await live(screen);
    await screen.getByRole('heading', { name: 'Stage door', level: 1 }).waitFor();
    await screen.getByText(business.name).waitFor();
    await screen.getByText('Harvest Dinner').first().waitFor();
    expect(await titles(screen)).toEqual(['Harvest Dinner']);
    await dialog.getByRole('cell', { name: 'Madison' }).waitFor();
    await dialog.getByText('Has yet to start').waitFor({ state: 'detached' });

    const chip = screen.locator('.bd-chip', { hasText: 'Ivy G.' });
    await chip.waitFor();
    const startedMs = performance.now();
    await service.graphql('mutation ($id: ID!) { confirmShift(id: $id) { uuid } }', {
      as: as.key,
      variables: { id: shiftUuid },
    });
    await screen.locator('.bd-chip.bd-confirmed', { hasText: 'Ivy G.' }).waitFor();
    process.stderr.write(`A change showed on the screen after ${Math.round(performance.now() - startedMs)} ms.\n`);

    expect(screen.url()).toBe(`${origin}/board`);
    expect(await screen.evaluate(() => sessionStorage.length)).toBe(0);
    const page = await screen.context().newPage();
    await screen.close();
    await page.goto(`${origin}/board`);
    await live(page);
    expect(await titles(page)).toEqual(['Harvest Dinner']);
  });

  test('has no controls and no actions, and shows no more in its panels', async () => {
    const { as } = await createDay();
    const screen = await openBrowser();
    const code = await startScreen(screen);
    await approve(await openAdmin(as.admin), code, 'Lobby', 'HIDDEN');
    await live(screen);
    expect(await screen.locator('.cb-header, .bd-tools').filter({ visible: true }).count()).toBe(0);
    await screen.keyboard.press('Escape');
    expect(await screen.locator('.bd-tools').isVisible()).toBe(false);
    await screen.locator('.bd-chip', { hasText: 'Staff' }).click();
    const panel = screen.getByRole('dialog', { name: 'Harvest Dinner' });
    await panel.waitFor();
    expect(await panel.getByRole('button').allInnerTexts()).toEqual(['✕']);
    expect(await screen.locator('body').innerText()).not.toMatch(/Ivy|Green|\$/);
  });

  test('that is revoked says so at once, and shows a new code', async () => {
    const { as } = await createDay();
    const screen = await openBrowser(/status of 401/);
    const first = await startScreen(screen);
    const admin = await openAdmin(as.admin);
    const dialog = await approve(admin, first);
    await live(screen);
    await revoke(admin);
    await screen.getByText('This screen was revoked.').waitFor();
    expect(await screen.getByText('Harvest Dinner').count()).toBe(0);
    const second = await codeOn(screen);
    expect(second).not.toBe(first);
    await dialog.getByText('No screens yet').waitFor();
    await approve(admin, second, 'Again');
    await live(screen);
  });

  test('stops, which revokes its token, and goes back to the log-in', async () => {
    const { as, business } = await createDay();
    const screen = await openBrowser();
    await approve(await openAdmin(as.admin), await startScreen(screen));
    await live(screen);
    await screen.getByRole('button', { name: 'Stop being a screen' }).click();
    await screen.getByRole('button', { name: /^Really stop/ }).click();
    await screen.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await screen.evaluate(() => localStorage.getItem('callboard:screen'))).toBeNull();
    const left = () => service.prisma.screen.count({ where: { businessId: business.id, revokedAt: null } });
    await until(async () => (await left()) === 0);
    await screen.reload();
    await screen.getByRole('heading', { name: 'Log in' }).waitFor();
  });
});

test('a wrong code is refused in words', async () => {
  const { as } = await createDay();
  const admin = await openAdmin(as.admin);
  await admin.getByRole('button', { name: 'Screens' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Screens' });
  await dialog.getByRole('button', { name: 'New screen' }).click();
  await dialog.getByLabel('Code').fill('ABC');
  await dialog.getByLabel('Name', { exact: true }).fill('Lobby');
  await dialog.getByRole('button', { name: 'Approve the screen' }).click();
  await dialog.getByText('must be the code that the screen shows: 8 letters and digits').waitFor();
});

test('has no barriers that axe finds, and no overflow', async () => {
  const { as } = await createDay();
  const screen = await openBrowser(/status of 401/);
  const code = await startScreen(screen);
  const pages = new Map<string, Page>([['code', screen]]);
  const check = async (state: string) => {
    for (const page of pages.values()) {
      await expectAccessible(page);
      for (const width of [1920, 390]) {
        await page.setViewportSize({ width, height: width === 390 ? 844 : 1080 });
        const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
        expect({ state, width, scrolled }).toEqual({ state, width, scrolled: width });
      }
    }
  };
  await check('code');
  const admin = await openAdmin(as.admin);
  await approve(admin, code);
  await admin.getByText('Has yet to start').waitFor({ state: 'detached' });
  pages.clear();
  pages.set('dialog', admin);
  await check('dialog');
  await live(screen);
  pages.clear();
  pages.set('wall', screen);
  await check('wall');
  await revoke(admin);
  await screen.getByText('This screen was revoked.').waitFor();
  await codeOn(screen);
  await check('revoked');
});
