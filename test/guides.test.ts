import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { attemptLimits, mailsADayByPlan, rateLimitByPlan, limits } from '../src/config/limits.ts';
import { settings } from '../src/config/settings.ts';
import { tables } from '../src/db/registry.ts';
import { failureCodes } from '../src/errors.ts';
import { graphqlCodes } from '../src/graphql/failures.ts';
import { changeKindNames } from '../src/fields/change-kinds.ts';
import { webhookTypes } from '../src/fields/webhook-types.ts';
import { answerHeaders } from '../src/http/answer-headers.ts';
import { statusByCode } from '../src/http/failures.ts';
import { retrySchedule } from '../src/jobs/schedule.ts';
import { createMetrics } from '../src/site/metrics.ts';
import { guides } from '../src/site/guides.ts';
import { landingPage } from '../src/site/landing.ts';
import { tzData } from '../src/time/tz-data.ts';

/* The guides as pages, their links, and that their tables say what the code says. No database is needed. */

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFile(root + path, 'utf8');
const names = [
  'integrators',
  'dashboards',
  'analysts',
  'who-can-work',
  'fill-a-shift',
  'on-the-day',
  'operators',
  'contributors',
  'performance',
  'security',
  'glossary',
  'changelog',
];
const addresses = names.map((name) => `/guide/${name}`);

let app: FastifyInstance;
const pages = new Map<string, string>();

beforeAll(async () => {
  app = Fastify();
  await app.register(answerHeaders);
  guides(app);
  for (const address of ['/guide', ...addresses]) pages.set(address, (await app.inject(address)).body);
});

afterAll(() => app.close());

/** What the guide calls a table, where it is not its name. */
const movedAs: Readonly<Record<string, string>> = {
  ...{ businesses: 'business', work_shifts: 'shifts', position_rates: 'pay rates', shift_swaps: 'swaps' },
  ...{ sessions: 'lasting log-ins', mail_cursors: 'how far changes were told', feeds: 'calendar feeds' },
  ...{ attendance_attempts: 'wrong codes', offer_recipients: 'offers', user_qualifications: 'qualifications' },
  ...{ requirements: 'required for', custom_field_values: 'custom fields', audit_entries: 'audit trail' },
  ...{ availability_patterns: 'availability', availability_exceptions: 'availability' },
  ...{ idempotency_keys: 'answers to idempotency keys', business_revisions: 'data version' },
  ...{ commits: 'change log', row_changes: 'change log', webhook_endpoints: 'webhooks' },
  ...{ webhook_messages: 'messages', webhook_attempts: 'attempts', event_tallies: 'counts of events' },
  ...{ list_tallies: 'counts', event_staffing: 'staffing', position_staffing: 'staffing', api_keys: 'api keys' },
};

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);
const idsOf = (page: string) => matches(page, / id="([^"]*)"/g);

test('every guide of the folder is a page, and /guide lists all of them', async () => {
  const files = (await readdir(`${root}src/guide`)).filter((name) => name.endsWith('.md'));
  expect(names).toEqual(expect.arrayContaining(files.map((name) => name.replace('.md', ''))));
  expect(matches(pages.get('/guide')!, /href="(\/guide\/[^"]*)"/g)).toEqual(addresses);
});

test('the start page and the header of each page lead to the guides', () => {
  const start = landingPage('http://localhost', { password: null, logIns: [] });
  expect(matches(start, /href="(\/guide)"/g).length).toBeGreaterThan(1);
  for (const page of pages.values()) expect(page).toContain('<a href="/guide" aria-current="page">Guides</a>');
});

describe.each(addresses)('%s', (address) => {
  test('is a page with a title, contents and a strict security policy', async () => {
    const { statusCode, headers, body } = await app.inject(address);
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
    expect(matches(body, /<h1>([^<]+)<\/h1>/g)).toHaveLength(1);
    expect(body).not.toMatch(/ style="|<style|<script>| on\w+="/);
  });

  test('has one id for each anchor, and an anchor for each link', () => {
    const ids = idsOf(pages.get(address)!);
    expect(new Set(ids).size).toBe(ids.length);
    for (const href of matches(pages.get(address)!, / href="([^"]*)"/g)) {
      const [path, anchor] = href.split('#');
      if (anchor !== undefined)
        expect([href, idsOf(pages.get(path || address) ?? '')]).toEqual([href, expect.arrayContaining([anchor])]);
      if (path?.startsWith('/guide/')) expect(addresses).toContain(path);
      expect(href).not.toMatch(/\.md$/);
      expect(href).toMatch(/^(https:\/\/|\/|#)/);
    }
  });
});

test('the guide for integrators names all kinds of changed rows', async () => {
  const [, section = ''] = (await read('src/guide/integrators.md')).split('## Keeping a copy in step');
  const [, kinds = ''] = /`kind` is ([^]*?): parents come/.exec(section) ?? [];
  expect(matches(kinds, /`(\w+)`/g)).toEqual(changeKindNames);
});

test('what a module in the guide for dashboards imports is shown, too, or generated', async () => {
  const guide = await read('src/guide/dashboards.md');
  const shown = [...guide.matchAll(/<!-- module (\S+) -->([^]*?)<!-- end module -->/g)].map(
    ([, path = '', code = '']) => ({ path, code }),
  );
  const imported = shown.flatMap(({ path, code }) =>
    matches(code, /from '(\.[^']+)'/g).map((name) => posix.join(posix.dirname(path), name)),
  );
  expect(imported.length).toBeGreaterThan(10);
  expect(shown.map(({ path }) => path)).toEqual(
    expect.arrayContaining(imported.filter((path) => !path.startsWith('test/clients/generated/'))),
  );
});

test('the guides and the reference print the address under which they were opened', async () => {
  for (const address of addresses) {
    const { body, headers } = await app.inject({ url: address, headers: { host: 'callboard.test:4250' } });
    expect([address, body.includes('http://127.0.0.1:4000'), body.includes('http://localhost:4000')]).toEqual([
      address,
      false,
      false,
    ]);
    if (['/guide/integrators', '/guide/dashboards', '/guide/analysts'].includes(address)) {
      expect(body).toContain('http://callboard.test:4250/');
      expect(headers['etag']).not.toBe((await app.inject(address)).headers['etag']);
    }
  }
});

describe('the links of', () => {
  const documents = [
    'README.md',
    ...['CHANGELOG', 'CONTRIBUTING', 'GLOSSARY', 'SECURITY'].map((name) => `.github/${name}.md`),
    ...names.slice(0, 6).map((name) => `src/guide/${name}.md`),
  ];

  test.each(documents)('%s lead to files and headings that exist', async (path) => {
    const text = (await read(path)).replaceAll(/^```[^]*?^```$/gm, '');
    for (const link of matches(text, /\]\((?!https?:)([^)]+)\)/g)) {
      const [target = '', anchor] = link.split('#');
      const file = target === '' ? path : posix.join(posix.dirname(path), target);
      expect([link, existsSync(root + file)]).toEqual([link, true]);
      if (anchor === undefined) continue;
      expect([link, headingAnchors(await read(file))]).toEqual([link, expect.arrayContaining([anchor])]);
    }
  });

  /** As GitHub makes them. */
  const headingAnchors = (text: string) =>
    matches(text, /^#+ (.*)$/gm).map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    );
});

describe('the tables say what the code says:', () => {
  /** The cells of each row of the tables of a document. */
  const rowsOf = async (path: string) =>
    (await read(path))
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('`', '')));

  test('error codes and their statuses', async () => {
    const rows = await rowsOf('src/guide/integrators.md');
    for (const code of failureCodes)
      expect(rows.find(([, first]) => first === code)?.slice(1, 3)).toEqual([code, String(statusByCode[code])]);
  });

  test('error codes of GraphQL', async () => {
    const codes = (await rowsOf('src/guide/dashboards.md')).map(([, first]) => first);
    expect(codes).toEqual(expect.arrayContaining([...graphqlCodes]));
  });

  test('requests a minute by plan', async () => {
    const rows = await rowsOf('src/guide/integrators.md');
    for (const [plan, perMinute] of Object.entries(rateLimitByPlan))
      expect(rows.find(([, first]) => first?.toLowerCase() === plan)?.[2]).toBe(perMinute.toLocaleString('en-US'));
  });

  test('limits on attempts', async () => {
    const text = (await rowsOf('src/guide/integrators.md')).map((cells) => cells.slice(1, 3).join(': '));
    const { logIn } = attemptLimits;
    expect(text).toContainEqual(
      `log in: ${logIn[0].max} failures for one e-mail address from one IP address, and ${logIn[1].max} failures from one IP address`,
    );
    for (const [title, [{ max, windowS }]] of [
      ['change a password', attemptLimits.changePassword],
      ['reset a password', attemptLimits.resetPassword],
      ['export a list (CSV)', attemptLimits.openExport],
    ] as const) {
      expect(text).toContainEqual(expect.stringMatching(new RegExp(`^${title.replaceAll(/[()]/g, '.')}: ${max} `)));
      expect(windowS).toBe(15 * 60);
    }
  });

  test('limits of a query', async () => {
    const rows = await rowsOf('src/guide/dashboards.md');
    const valueByName = {
      characters: limits.graphqlChars,
      objects: limits.graphqlObjects,
      tokens: limits.graphqlTokens,
      depth: limits.graphqlDepth,
      aliases: limits.graphqlAliases,
      directives: limits.graphqlRootFields,
      rootFields: limits.graphqlRootFields,
      cost: limits.graphqlCost,
    };
    for (const [name, value] of Object.entries(valueByName))
      expect([name, rows.find(([, first]) => first === name)?.[2]]).toEqual([name, value.toLocaleString('en-US')]);
  });

  test('types of webhook messages', async () => {
    const rows = await rowsOf('src/guide/integrators.md');
    const listed = rows.map((cells) => cells.slice(1, 3)).filter(([first]) => /^[a-z_]+\.[a-z_]+$/.test(first ?? ''));
    expect(listed).toEqual(Object.entries(webhookTypes));
  });

  test('limits of webhooks', async () => {
    const text = (await read('src/guide/integrators.md')).replaceAll(/\s+/g, ' ');
    expect(text).toContain(`A business can have ${limits.receiversMax} webhooks.`);
    expect(text).toContain(`${limits.batchRows.toLocaleString('en-US')} in one call.`);
    expect(text).toContain(`For ${limits.credentialLifetimeS / 3600} hours messages are signed with the secret before`);
  });

  test('limits of jobs and of mails', async () => {
    const text = (await read('src/guide/operators.md')).replaceAll(/\s+/g, ' ');
    const seconds = (ms: number) => `${ms / 1000} seconds`;
    const retries = retrySchedule.delaysMs.map((ms) => ms / 1000);
    const [first, ...rest] = retries;
    const minutes = rest.filter((each) => each < 3600).map((each) => each / 60);
    const hours = rest.filter((each) => each >= 3600).map((each) => each / 3600);
    for (const sentence of [
      `every ${limits.lookMs} ms, each process with jobs looks`,
      `a process serves ${limits.pageRows} endpoints at a time, at most half of them of one business, each for at most ${seconds(limits.webhookSliceMs)}`,
      `at most ${limits.parallelMax} attempts at the same time. An attempt takes at most ${seconds(limits.deliveryMs)}, and at most ${limits.webhookAnswerBytes / 1024} KB`,
      `sends the message again after ${seconds(limits.leaseMs)}, with the same \`webhook-id\``,
      `after ${first} seconds, ${minutes.join(' and ')} minutes, and ${hours.slice(0, -1).join(', ')} and ${hours.at(-1)} hours`,
      `nothing but failures for ${retrySchedule.failingMaxMs / 86_400_000} days`,
      `on up to ${limits.messagesAtATime / 2} connections`,
      `After ${seconds(limits.mailPauseMs)}, then after twice as long each time, up to ${seconds(limits.mailPauseMaxMs)}`,
      `Mails are deleted after ${limits.keptDays} days`,
      `${limits.passwordLinksMax} an hour to one address`,
    ])
      expect(text).toContain(sentence);
    const plans = Object.entries(mailsADayByPlan).map(
      ([plan, { all, each }], index) =>
        `${plan[0]!.toUpperCase()}${plan.slice(1)} ${all.toLocaleString('en-US')} and ${each}${index === 0 ? ' to one address' : ''}`,
    );
    const integrators = (await read('src/guide/integrators.md')).replaceAll(/\s+/g, ' ');
    expect(integrators).toContain(`so many mails a day: ${plans.join(', ')};`);
    expect(integrators).toContain(`${limits.passwordLinksMax} an hour to one address`);
    expect([limits.passwordLinkS, limits.mailPauseMs * 2 < limits.mailPauseMaxMs]).toEqual([3600, true]);
  });

  test('defaults of settings, and waits, in prose', async () => {
    const text = (await read('src/guide/operators.md')).replaceAll(/\s+/g, ' ');
    const told = [...text.matchAll(/`([A-Z][A-Z_]+)` \(([\d,]+)\)/g)].flatMap(([, name = '', value = '']) =>
      name in settings ? [[name, value.replaceAll(',', '')]] : [],
    );
    expect(told.length).toBeGreaterThan(5);
    for (const [name, value] of told)
      expect([name, value]).toEqual([name, settings[name as keyof typeof settings].default]);
    for (const sentence of [
      `A business can have ${limits.receiversMax} screens`,
      `| ${limits.turnWaitMs / 1000} s for its own share, then 503`,
      `| ${limits.sessionWaitMs / 1000} s, then 503`,
      `| ${limits.shortWaitMs / 1000} s, then 503 with \`Retry-After`,
      `its export (${limits.pageRows} rows) within ${limits.longWaitMs / 1000} seconds`,
      `reads one snapshot of the database, ${limits.pageRows} rows at a time`,
    ])
      expect(text).toContain(sentence);
  });

  test('what is made with JWT_SECRETS', async () => {
    const [, rotating = ''] =
      /### Rotating `JWT_SECRETS`\n(.*?)\n### /s.exec(await read('src/guide/operators.md')) ?? [];
    const sources = await Promise.all(['src/app.ts', 'src/access/mail-secrets.ts'].map(read));
    const purposes = matches(sources.join('\n'), /createKeyedDigests\(\w+, '([^']+)'\)/g);
    expect(purposes).toHaveLength(6);
    for (const purpose of purposes) expect(rotating).toContain(purpose);
  });

  test('which tables move with a business', async () => {
    const [, moving = ''] = /\n## One business(.*?)\n### Cells/s.exec(await read('src/guide/operators.md')) ?? [];
    const named = moving.toLowerCase().replaceAll(/\s+/g, ' ');
    for (const { table } of tables.filter(({ businessField }) => businessField !== null))
      expect([table, named.includes(movedAs[table] ?? table.replaceAll('_', ' '))]).toEqual([table, true]);
  });

  test('settings', async () => {
    const rows = await rowsOf('src/guide/operators.md');
    for (const name of Object.keys(settings)) expect(rows.map(([, first]) => first)).toContain(name);
  });

  test('metrics', async () => {
    const metrics = createMetrics();
    metrics.watch({
      connections: () => ({ open: 0, idle: 0, waiting: 0 }),
      hashesWaiting: () => 0,
      streamsOpen: () => 0,
      exportsRunning: () => 0,
      tzData,
      answerBytes: () => 0,
      replicasUsed: () => 0,
      webhooks: async () => ({ pending: 0, lateS: 0, enabled: 0, disabled: 0 }),
      mails: async () => ({ pending: 0, lateS: 0 }),
      figures: async () => ({ backupAgeS: 0, changeLogBytes: 0, databaseBytes: 0 }),
      inFlight: () => 0,
      readiness: async () => ({ reason: 'ready', schema: null }),
      missingParts: () => [],
    });
    const served = matches(await metrics.text(), /^# TYPE (callboard_\w+) /gm);
    const rows = await rowsOf('src/guide/operators.md');
    const shown = rows.map(([, first = '']) => first).filter((name) => name.startsWith('callboard_'));
    expect(shown.sort()).toEqual(served.sort());
  });
});
