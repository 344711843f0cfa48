import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
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

test('an integrator logs in from the reference page and tries a route', async () => {
  const tenant = await service.createTenant();
  const page = await browser.newPage();
  await page.goto(`${origin}/docs#/Users/users.list`);
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.getByLabel('auth-bearer-value').first().fill(tenant.as.admin);
  await page.locator('.auth-btn-wrapper button[type=submit]').first().click();
  await page.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Try it out' }).click();
  await page.getByRole('button', { name: 'Execute' }).click();
  const answer = page.locator('.live-responses-table .response-col_description');
  await answer.getByText(tenant.admin.email).first().waitFor();
  expect(await page.locator('.live-responses-table .response-col_status').last().innerText()).toContain('200');
  await page.close();
});
