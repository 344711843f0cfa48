/// <reference lib="dom" />
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { onlyReads } from '../src/pages/playground/operations.ts';
import { buildShareLink } from '../src/pages/playground/share.ts';
import { until } from './support/browser.ts';
import {
  admin,
  editorsReady,
  openPlayground,
  readEditor,
  rowsShown,
  runQuery,
  tabNames,
  writeEditor,
} from './support/playground-page.ts';

const pages = openPlayground({ isAlone: true });

/** A page of another site: it sends the tab to the address behind `?to=`. */
const stranger = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(`<link rel="icon" href="data:,"><h1>Cats</h1><script>
    addEventListener('load', () => setTimeout(() => {
      location.href = new URLSearchParams(location.search).get('to')
    }));
  </script>`);
});
beforeAll(() => new Promise<void>((resolve) => void stranger.listen(0, '127.0.0.1', resolve)));
afterAll(() => void stranger.close());

const query = 'operation.graphql';
const read = 'query Read { events(perPage: 3) { nodes { title } } }';
const make = (title: string, fields = 'uuid') =>
  `createEvent(input: { title: "${title}", startTime: "2031-01-01 10:00:00", endTime: "2031-01-01 12:00:00", timezone: "UTC" }) { ${fields} }`;
const events = () => pages.service.prisma.event.count();

/** Everything that the page sends to be executed from now on. */
function watchSent(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql') && request.method() === 'POST')
      sent.push((request.postDataJSON() as { query: string }).query);
  });
  return sent;
}

/** Logs in, runs a read, and returns the origin of the service. */
async function openAtWork(run: (page: Page) => Promise<unknown> = rowsShown): Promise<{ page: Page; origin: string }> {
  const page = await pages.openAs(admin, /localhost|status of 40/);
  await run(page);
  return { page, origin: new URL(page.url()).origin };
}

async function comeFromElsewhere(page: Page, link: string): Promise<void> {
  const { port } = stranger.address() as AddressInfo;
  await page.goto(`http://localhost:${port}/?to=${encodeURIComponent(link)}`);
  await page.waitForURL((url) => url.pathname === '/playground');
  await editorsReady(page);
  // The text is in the editor once whatever starts a run has had its turn.
  await page.waitForTimeout(700);
}

/** Texts of which an operation changes something; each makes an event if any of its operations is run. */
const harmful: Record<string, string> = {
  'is a mutation': `mutation { ${make('Bare')} }`,
  'is a mutation with a name': `mutation Read { ${make('Named')} }`,
  'hides a mutation behind a comment': `# query Read { viewer { name } }\n,,,\nmutation Read { ${make('Comment')} }`,
  'reads in its first operation and changes in its second': `${read} mutation Second { ${make('Second')} }`,
  'changes in its first operation and reads in its second': `mutation First { ${make('First')} } ${read}`,
  'has a read and a mutation of the same name': `${read} mutation Read { ${make('Same name')} }`,
  'has a mutation without a name beside a read': `mutation { ${make('Without name')} } ${read}`,
  'spreads a fragment of the mutation type': `query Read { viewer { name } } fragment All on Mutation { ${make('Fragment')} } mutation Spread { ...All }`,
  'is a subscription': 'subscription { changes { changes { kind } } }',
};

describe('a link whose text', () => {
  test.each(Object.entries(harmful))('%s does not only read', (_title, text) => expect(onlyReads(text)).toBe(false));

  test('changes something runs nothing, as a change of the hash', async () => {
    const { page, origin } = await openAtWork();
    const before = await events();
    const sent = watchSent(page);
    for (const text of Object.values(harmful)) {
      await page.evaluate((to) => void (location.href = to), buildShareLink(origin, { query: text, variables: '' }));
      await page.waitForFunction(() => location.hash === '');
      await page.waitForTimeout(400);
      expect(await readEditor(page, query)).toBe(text);
    }
    expect(sent.filter((each) => /createEvent|changes/.test(each))).toEqual([]);
    expect(await events()).toBe(before);
  });

  test('changes something runs nothing, from another site, and after reloads', async () => {
    const { page, origin } = await openAtWork();
    const before = await events();
    const text = `${read} mutation Second { ${make('Second')} }`;
    const sent = watchSent(page);
    const nothingSent = () => expect(sent.filter((each) => each.includes('createEvent'))).toEqual([]);
    await comeFromElsewhere(page, buildShareLink(origin, { query: text, variables: '' }));
    expect(await readEditor(page, query)).toBe(text);
    nothingSent();
    for (let times = 0; times < 2; times++) {
      await page.reload();
      await editorsReady(page);
      await page.waitForTimeout(500);
      nothingSent();
    }
    expect(await readEditor(page, query)).toBe(text);
    expect(await events()).toBe(before);
  });
});

test('a link that only reads runs from another site, and as a change of the hash', async () => {
  const { page, origin } = await openAtWork();
  await comeFromElsewhere(page, buildShareLink(origin, { query: read, variables: '' }));
  expect(await rowsShown(page)).toBe(3);
  const two = 'query Two {\r\n events(perPage: 2) {\n nodes { title } } }';
  await page.evaluate((to) => void (location.href = to), buildShareLink(origin, { query: two, variables: '{}' }));
  await page.locator('.pg-status', { hasText: /^2 of/ }).waitFor();
});

test('a mutation of two operations that was run by a click is not repeated by a reload', async () => {
  const text = `${read} mutation Second { ${make('Once')} }`;
  const { page } = await openAtWork((opened) => runQuery(opened, text));
  await page.getByRole('combobox', { name: 'Operation to run' }).selectOption('Second');
  const before = await events();
  await page.getByRole('button', { name: 'Run' }).click();
  await page.locator('.pg-status', { hasText: /^Done/ }).waitFor();
  expect(await events()).toBe(before + 1);
  await page.reload();
  await editorsReady(page);
  await page.waitForTimeout(500);
  expect(await events()).toBe(before + 1);
});

test('a link that arrives while an example is read does not run in its place', async () => {
  const { page, origin } = await openAtWork();
  const before = await events();
  let release = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/graphql', async (route) => {
    await isHeld;
    await route.continue();
  });
  await page.getByRole('complementary').getByText('A staff member’s shifts').click();
  const text = `mutation { ${make('Meanwhile')} }`;
  await page.evaluate((to) => void (location.href = to), buildShareLink(origin, { query: text, variables: '' }));
  await page.waitForFunction(() => location.hash === '');
  release();
  await page.waitForTimeout(700);
  expect(await tabNames(page)).toHaveLength(2);
  expect(await events()).toBe(before);
});

test('changed storage runs nothing: neither restored tabs, nor the history, nor saved queries', async () => {
  const { page } = await openAtWork();
  const before = await events();
  const text = `mutation Stored { ${make('Stored')} }`;
  await writeEditor(page, query, text);
  await page.getByRole('button', { name: 'History', exact: true }).click();
  await page.getByLabel('Save this query as').fill('Kept');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved as “Kept”').waitFor();
  await page.reload();
  await editorsReady(page);
  await page.waitForTimeout(500);
  await page.getByRole('region', { name: 'Saved' }).getByText('Kept').click();
  await page.waitForTimeout(400);
  expect(await readEditor(page, query)).toBe(text);
  expect(await events()).toBe(before);
});

test('the result of a mutation offers no next page, whatever its fields are called', async () => {
  const { page } = await openAtWork();
  const [{ uuid }] = await pages.service.prisma.$queryRaw<[{ uuid: string }]>`
    SELECT e.uuid FROM events e JOIN call_times c ON c.business_id = e.business_id AND c.event_id = e.id
     WHERE e.business_id = 1 AND e.client_id IS NOT NULL LIMIT 1`;
  const text = `mutation Pages { made: setCustomFieldValues(eventId: "${uuid}", values: []) {
    callboardTotal: databaseId callboardPage: client { hasNextPage: id endCursor: id } nodes: callTimes { uuid } } }`;
  await page.getByRole('button', { name: 'New query' }).click();
  await writeEditor(page, query, text);
  await page.getByRole('button', { name: 'Run' }).click();
  await page.locator('.pg-status', { hasText: /^\d+ rows? in/ }).waitFor();
  expect(await page.getByRole('group', { name: 'Pages' }).count()).toBe(0);
});

describe('a link to a demo account', () => {
  const token = (page: Page) =>
    page.evaluate(() => (JSON.parse(sessionStorage.getItem('callboard:login')!) as { credential: string }).credential);
  const who = (page: Page) => page.getByRole('group', { name: 'Logged in as' }).innerText();
  const isLive = async (as: string) => (await pages.service.graphql('{ viewer { name } }', { as })).status === 200;

  test.each(['/playground', '/board'])('asks at %s before it ends a session or begins one', async (path) => {
    const { page, origin } = await openAtWork();
    const [mine, name] = [await token(page), await who(page)];
    const link = `${origin}${path}#demo=staff@aurora.example`;
    const offer = page.getByRole('dialog', { name: 'Change to the demo account?' });

    await page.goto('about:blank');
    await page.goto(link);
    await offer.waitFor();
    expect([await token(page), await who(page), await isLive(mine)]).toEqual([mine, name, true]);
    await page.keyboard.press('Enter');
    await offer.waitFor({ state: 'detached' });

    await page.evaluate((to) => void (location.href = to), link);
    await offer.waitFor();
    await page.keyboard.press('Escape');
    await offer.waitFor({ state: 'detached' });
    expect([await token(page), await isLive(mine)]).toEqual([mine, true]);

    await page.evaluate((to) => void (location.href = to), link);
    await offer.getByRole('button', { name: 'Log in as staff@aurora.example' }).click();
    await page.locator('.app-role', { hasText: 'staff' }).waitFor();
    await until(async () => !(await isLive(mine)));
  });

  test('that this service does not know, or that is the own one, changes nothing', async () => {
    const { page, origin } = await openAtWork();
    const mine = await token(page);
    for (const email of ['nobody@x.test', admin, '', '%', '<b>']) {
      await page.evaluate((to) => void (location.href = to), `${origin}/playground#demo=${email}`);
      await page.waitForFunction(() => location.hash === '');
      await page.waitForTimeout(200);
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect([await token(page), await isLive(mine)]).toEqual([mine, true]);
    }
  });
});

test('no address of the reference, the guides or the board sends a change by itself', async () => {
  const { page, origin } = await openAtWork();
  const before = await events();
  const changes: string[] = [];
  page.on('request', (request) => {
    const { query: text = '' } = (request.postDataJSON() ?? {}) as { query?: string };
    if (!['GET', 'HEAD'].includes(request.method()) && !/^(query|subscription Revision\b)/.test(text))
      changes.push(request.url() + text);
  });
  const text = encodeURIComponent(`mutation { ${make('Elsewhere')} }`);
  const rest = `?query=${text}&event=1&item=1&send=1#query=${text}`;
  for (const address of [
    ...['/docs', '/guide', '/board', '/'].map((path) => path + rest),
    ...['/docs#events.create', '/docs#/Events/events.create'],
  ]) {
    await page.goto('about:blank');
    await page.goto(origin + address);
    await page.waitForTimeout(250);
  }
  expect(changes).toEqual([]);
  expect(await events()).toBe(before);
});
