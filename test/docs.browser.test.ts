/// <reference lib="dom" />
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Service } from './support/app.ts';
import { borrowPage, returnPages, until } from './support/browser.ts';
import { password } from './support/factories.ts';
import { borrowPackage } from './support/package.ts';

/* The REST reference in a browser: finding an operation, logging in, and trying it. */

let service: Service;
let origin: string;

beforeAll(async () => {
  service = await borrowPackage();
  origin = await service.listen();
});

afterEach(returnPages);

async function open(path = '/docs'): Promise<Page> {
  const page = await borrowPage();
  await page.goto(origin + path);
  await page
    .getByRole('banner')
    .getByRole('button', { name: 'Log in', exact: true })
    .and(page.locator(':enabled'))
    .waitFor();
  return page;
}

async function logIn(page: Page, email: string): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Log in', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Log in' });
  await dialog.getByLabel('E-mail', { exact: true }).fill(email);
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('group', { name: 'Logged in as' }).waitFor();
}

const operation = (page: Page, id: string) => page.locator(`article[id="${id}"]`);

/** Opens the form of an operation, and sends it as it is shown. */
async function send(page: Page, id: string): Promise<string> {
  await operation(page, id).getByRole('button', { name: 'Try it' }).click();
  await operation(page, id).getByRole('button', { name: 'Send' }).click();
  if (id === 'tokens.revokeUsed') await operation(page, id).getByRole('button', { name: 'Really send' }).click();
  const status = operation(page, id).getByRole('status');
  await status.waitFor();
  await operation(page, id).getByRole('button', { name: 'Send' }).waitFor();
  return status.innerText();
}

const answer = (page: Page, id: string) => operation(page, id).getByRole('region', { name: 'Answer of the service' });

describe('an integrator', () => {
  test('logs in as any user, tries a route, and finds the session in the playground', async () => {
    const tenant = await service.createTenant();
    const page = await open('/docs#users.list');
    expect(await send(page, 'users.list')).toContain('401');
    await logIn(page, tenant.admin.email!);
    await operation(page, 'users.list').getByRole('button', { name: 'Send' }).click();
    await answer(page, 'users.list').getByText(tenant.admin.email!).waitFor();
    expect(await operation(page, 'users.list').getByRole('status').innerText()).toContain('200');
    await page.getByRole('banner').getByRole('link', { name: 'Playground' }).click();
    await page.getByRole('group', { name: 'Logged in as' }).waitFor();
    await page.goBack();
    await page.getByRole('group', { name: 'Logged in as' }).waitFor();
  });

  test('logs out, and the token is revoked; the route that revokes it logs out too', async () => {
    const tenant = await service.createTenant();
    const page = await open();
    await logIn(page, tenant.admin.email!);
    const stored = await page.evaluate(() => sessionStorage.getItem('callboard:login'));
    const { credential } = JSON.parse(stored ?? '') as { credential: string };
    const status = async () => (await service.call('GET', '/v1/viewer', { as: credential })).status;
    expect(await status()).toBe(200);
    await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('banner').getByRole('button', { name: 'Log in', exact: true }).waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await until(async () => (await status()) === 401);

    await logIn(page, tenant.admin.email!);
    expect(await send(page, 'tokens.revokeUsed')).toContain('200');
    expect(await send(page, 'rateLimit.get')).toContain('401');
    await page.getByRole('banner').getByRole('button', { name: 'Log in', exact: true }).waitFor();
  });

  test('sends examples as they stand, fills in parameters, and follows a stream until they stop it', async () => {
    const tenant = await service.createTenant();
    const { uuid } = await service.createEvent(tenant.business, { title: 'Lantern walk' });
    await service.createEvent(tenant.business, { title: 'Snow ball' });
    const page = await open();
    await logIn(page, tenant.admin.email!);

    for (const [id, shown] of [
      ['events.create', 'Harvest dinner'],
      ['users.create', 'robin.fields@aurora.example'],
      ['apiKeys.create', 'Booking form'],
    ] as const) {
      expect(await send(page, id)).toContain('201');
      await answer(page, id).getByText(shown).waitFor();
    }

    const list = operation(page, 'events.list');
    await list.getByRole('button', { name: 'Try it' }).click();
    await list.getByText(/optional parameters/).click();
    await list.getByLabel('search', { exact: true }).fill('lantern');
    await list.getByRole('button', { name: 'Send' }).click();
    await answer(page, 'events.list').getByText('Lantern walk').waitFor();
    expect(await answer(page, 'events.list').innerText()).not.toContain('Snow ball');

    const update = operation(page, 'events.update');
    await update.getByRole('button', { name: 'Try it' }).click();
    await update.getByLabel('uuid').fill(uuid);
    await update.getByText('3 optional parameters').click();
    await update.getByLabel('If-Match').fill('"99"');
    await update.getByRole('button', { name: 'Send' }).click();
    await update.getByRole('status').getByText('412 Precondition Failed').waitFor();

    const stream = operation(page, 'changes.follow');
    await stream.getByRole('button', { name: 'Try it' }).click();
    await stream.getByRole('button', { name: 'Send' }).click();
    await answer(page, 'changes.follow').getByText('event: changes').waitFor();
    await stream.getByRole('button', { name: 'Stop' }).click();
    await stream.getByRole('button', { name: 'Send' }).waitFor();
  });
});

describe('a reader', () => {
  const shown = (page: Page) => page.locator('article:visible').evaluateAll((all) => all.map(({ id }) => id));

  test('filters by address, name and field, sees how many there are, and finds that every link leads somewhere', async () => {
    const page = await open();
    const lost = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>('main a[href^="#"]')]
        .map((link) => link.getAttribute('href')!)
        .filter((href) => document.getElementById(href.slice(1)) === null),
    );
    expect(lost).toEqual([]);
    const filter = page.getByRole('searchbox', { name: /^Filter/ });
    await page.keyboard.press('/');
    await filter.pressSequentially('post /v1/events');
    expect(await shown(page)).toEqual([
      ...['events.create', 'events.createMany', 'events.updateMany', 'events.copy', 'attendance.unlock'],
    ]);
    expect(await page.locator('nav a:visible:not(.ref-group)', { hasText: 'POST' }).count()).toBe(5);
    expect(await page.locator('#found').innerText()).toMatch(/^5 of \d+ operations/);
    await filter.fill('override_reason');
    expect(await shown(page)).toContain('workShifts.assign');
    await filter.fill('zebra');
    expect(await shown(page)).toEqual([]);
  });

  test('comes to an operation by a link, also by one of the earlier reference, and through the filter', async () => {
    for (const hash of ['#events.copy', '#/Events/events.copy']) {
      const page = await open(`/docs${hash}`);
      await page.waitForFunction(() => {
        const { top } = document.getElementById('events.copy')!.getBoundingClientRect();
        return top >= 0 && top < innerHeight / 2;
      });
      await page.getByRole('searchbox').fill('webhooks.create');
      await page.evaluate(() => (location.hash = '#events.list'));
      await operation(page, 'events.list').waitFor({ state: 'visible' });
      await page.close();
    }
  });

  test('sees which operations are extensions, and everything without JavaScript', async () => {
    const page = await borrowPage({ javaScriptEnabled: false });
    await page.goto(`${origin}/docs`);
    const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    const all = Object.values(paths).flatMap((methods) => Object.values(methods));
    const shown = await page
      .locator('article')
      .evaluateAll((articles) =>
        articles.map((each) => [
          each.id,
          each.querySelector('h3')!.textContent,
          each.querySelectorAll('.ref-mark').length,
        ]),
      );
    for (const { operationId, summary, ...rest } of all)
      expect(shown).toContainEqual([
        operationId,
        expect.stringContaining(summary as string),
        rest['x-callboard-extension'] === true ? 1 : 0,
      ]);
  });
});
