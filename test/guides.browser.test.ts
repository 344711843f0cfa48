import { readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { answerHeaders } from '../src/http/answer-headers.ts';
import { assets } from '../src/site/assets.ts';
import { guides } from '../src/site/guides.ts';
import { findBarriers } from './support/axe.ts';
import { borrowPage, findOverflows, returnPages, watchComplaints } from './support/browser.ts';

/* The guides as a reader sees them. No database is needed. */

let app: FastifyInstance;
let origin: string;

beforeAll(async () => {
  app = Fastify();
  await app.register(answerHeaders);
  guides(app);
  await app.register(assets);
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
});

afterEach(returnPages);
afterAll(() => app.close());

/** A page of its own for each guide in src/guide, and for what the repository says elsewhere. */
const addresses = [
  '',
  ...readdirSync(new URL('../src/guide/', import.meta.url))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `/${file.slice(0, -3)}`),
  ...['/security', '/glossary', '/changelog'],
];

test('the list of guides names each guide tested here', async () => {
  const { body } = await app.inject({ url: '/guide' });
  const listed = [...body.matchAll(/<a href="\/guide(\/[\w-]+)">/g)].map(([, address]) => address);
  expect(listed.toSorted()).toEqual(addresses.slice(1).toSorted());
});

test.each(addresses)(
  '/guide%s has no barriers in light and dark, fits screens of 1440, 1024, 390 and 320 pixels, and loads nothing from other hosts',
  async (address) => {
    const page = await borrowPage({ colorScheme: 'light' });
    const complaints = watchComplaints(page, origin);
    await page.goto(`${origin}/guide${address}`, { waitUntil: 'networkidle' });
    expect(await findBarriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-theme=dark]').waitFor();
    expect(await findBarriers(page, 'colours')).toEqual([]);
    expect(await findOverflows(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

test('a reader goes to a section from the contents, and to another guide from its text', async () => {
  const page = await borrowPage();
  await page.goto(`${origin}/guide/dashboards`);
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Changes' }).click();
  expect(new URL(page.url()).hash).toBe('#changes');
  await page.getByRole('link', { name: 'guide for integrators', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Guide for integrators' }).waitFor();
  expect(new URL(page.url()).hash).toBe('#safe-retries');
});
