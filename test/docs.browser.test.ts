import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { startApp, type TestApp } from './support/app.ts';

let service: TestApp;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  service = await startApp();
  origin = await service.app.http.listen({ host: '127.0.0.1', port: 0 });
  browser = await chromium.launch({
    executablePath: process.env['TEST_CHROMIUM'] ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
  });
});

afterAll(async () => {
  await browser.close();
  await service.close();
});

test.each(['/', '/docs'])('%s is shown without errors and loads nothing from other hosts', async (path) => {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) complaints.push(request.url());
  });
  await page.goto(origin + path, { waitUntil: 'networkidle' });
  await page.getByText('Callboard').first().waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

/** Logs in on the reference page, opens a route, and executes it as it is shown. */
async function execute(route: string, token: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`${origin}/docs#/${route}`);
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.getByLabel('auth-bearer-value').first().fill(token);
  await page.locator('.auth-btn-wrapper button[type=submit]').first().click();
  await page.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Try it out' }).click();
  await page.getByRole('button', { name: 'Execute' }).click();
  return page;
}

const statusOn = (page: Page) => page.locator('.live-responses-table .response-col_status').last().innerText();

test('an integrator logs in from the reference page and tries a route', async () => {
  const tenant = await service.createTenant();
  const page = await execute('Users/users.list', tenant.as.admin);
  const answer = page.locator('.live-responses-table .response-col_description');
  await answer.getByText(tenant.admin.email).first().waitFor();
  expect(await statusOn(page)).toContain('200');
  await page.close();
});

test.each([
  ['Events/events.create', 'Harvest dinner'],
  ['Users/users.create', 'robin.fields@aurora.example'],
  ['Authentication%20and%20tokens/apiKeys.create', 'Booking form'],
])('what the reference page shows for %s is accepted as it stands', async (route, shown) => {
  const tenant = await service.createTenant();
  const page = await execute(route, tenant.as.admin);
  await page.locator('.live-responses-table .response-col_description').getByText(shown).first().waitFor();
  expect(await statusOn(page)).toContain('201');
  await page.close();
});
