import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { chromium, type Browser } from 'playwright-core';
import { answerHeaders } from '../src/http/answer-headers.ts';
import { assets } from '../src/site/assets.ts';
import { guides } from '../src/site/guides.ts';

/* The guides as a reader sees them. No database is needed. */

let app: FastifyInstance;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  app = Fastify();
  await app.register(answerHeaders);
  guides(app);
  await app.register(assets);
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
  browser = await chromium.launch({
    executablePath: process.env['TEST_CHROMIUM'] ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
  });
});

afterAll(async () => {
  await browser.close();
  await app.close();
});

const addresses = [
  '',
  '/integrators',
  '/dashboards',
  '/analysts',
  '/operators',
  '/contributors',
  '/glossary',
  '/changelog',
  '/security',
];

test.each(addresses)(
  '/guide%s fits a narrow screen, without an error and without leaving its origin',
  async (address) => {
    const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) complaints.push(request.url());
    });
    await page.goto(`${origin}/guide${address}`, { waitUntil: 'networkidle' });
    expect(complaints).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.close();
  },
);

test('a reader goes to a section from the contents, and to another guide from its text', async () => {
  const page = await browser.newPage();
  await page.goto(`${origin}/guide/dashboards`);
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Changes' }).click();
  expect(new URL(page.url()).hash).toBe('#changes');
  await page.getByRole('link', { name: 'guide for integrators', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Guide for integrators' }).waitFor();
  expect(new URL(page.url()).hash).toBe('#safe-retries');
  await page.close();
});
