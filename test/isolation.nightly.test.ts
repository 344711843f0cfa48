import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generateApiKey, generateFeed } from '../src/access/api-keys.ts';
import { createPasswords } from '../src/access/passwords.ts';
import { showsId } from '../src/bin/isolation/ids.ts';
import type { Finding } from '../src/bin/isolation/probe.ts';
import { seedDemo } from '../src/bin/seed/demo.ts';
import { stopLogging } from '../src/db/change-log.ts';
import { openDatabase } from '../src/db/engine/open-database.ts';
import type { PrismaClient } from '../src/generated/prisma/client.ts';
import { configOf } from './support/config.ts';
import { onServer } from './support/database.ts';
import { startDouble } from './support/double.ts';
import { isNightly, takeShare } from './support/share.mjs';
import { createResourceRows } from './support/resources.ts';
import { createScreen } from './support/screens.ts';
import { startProcess, stopAll, type ServiceProcess } from './support/process.ts';
import { databasePrefix, serverUrl, urlOf } from './support/template.ts';

/* `callboard check-isolation` against the demo businesses: on a correct instance, and on proxies that leak. */

const program = fileURLToPath(new URL('../dist/bin/callboard.js', import.meta.url));

const databaseName = `${databasePrefix}isolation`;
let dataDir: string;
let service: ServiceProcess;
/** Credentials of the admins of the two businesses. */
let a: string;
let b: string;

const logIn = async (email: string): Promise<string> => {
  const answer = await fetch(`${service.origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'callboard-demo' }),
  });
  return ((await answer.json()) as { data: { access_token: string } }).data.access_token;
};

/** A webhook that sends nothing, because it is disabled, with a message. */
async function createWebhook(prisma: PrismaClient, businessId: number): Promise<void> {
  const webhook = await prisma.webhookEndpoint.create({
    data: {
      businessId,
      url: 'https://receiver.example',
      types: [],
      secret: 'nobody',
      revision: 0n,
      disabledAt: new Date(),
      disabledReason: 'caller',
    },
  });
  await prisma.webhookMessage.create({
    data: { businessId, endpointId: webhook.id, type: 'event.created', payload: '{}' },
  });
}

/** Leaves of the demo the events with offers and swaps, and ten of each business around today. */
async function thinOut(prisma: PrismaClient): Promise<void> {
  const kept = `
    SELECT event_id FROM offers
     UNION SELECT s.event_id FROM shift_swaps w JOIN work_shifts s ON s.id IN (w.work_shift_id, w.other_shift_id)
     UNION (SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY business_id ORDER BY abs(extract(epoch FROM starts_at - now()))) AS n
                              FROM events) AS near WHERE n <= 10)`;
  await prisma.$transaction(async (tx) => {
    await stopLogging(tx);
    for (const table of ['attendance', 'custom_field_values', 'work_shifts', 'call_times'])
      await tx.$executeRawUnsafe(`DELETE FROM ${table} WHERE event_id NOT IN (${kept})`);
    await tx.$executeRawUnsafe(`DELETE FROM events WHERE id NOT IN (${kept})`);
  });
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callboard-isolation-'));
  if (serverUrl) await onServer(serverUrl, `CREATE DATABASE ${databaseName}`);
  const env = { DATA_DIR: dataDir, DATABASE_URL: serverUrl ? urlOf(databaseName) : '' };
  const config = configOf(env);
  const database = await openDatabase(config.db);
  await database.migrate();
  const { prisma } = database;
  await seedDemo(prisma, new Date(), createPasswords(config.auth).hash);
  // Each list is read four times, with all that hangs on its rows. The gate needs a row of each kind, and the night has them all.
  if (!isNightly) await thinOut(prisma);
  // The plan whose rate limit is set below so that it lasts for all runs, and an API key: the demo has none.
  // Resource ids name events only where they are unique.
  await prisma.business.updateMany({ data: { plan: 'enterprise', uniqueResourceIds: true } });
  const { id: businessId } = await prisma.business.findFirstOrThrow({ where: { name: { startsWith: 'Harbor' } } });
  const { key: _, ...stored } = generateApiKey();
  await prisma.apiKey.create({ data: { businessId, name: 'Stock keeping', ...stored } });
  // The check needs a row of each resource; the demo does not have all of them.
  for (const { id } of await prisma.business.findMany()) {
    await createResourceRows(prisma, id);
    await createWebhook(prisma, id);
    const admin = await prisma.user.findFirstOrThrow({ where: { businessId: id, role: 'admin' } });
    await createScreen(prisma, { business: { id }, admin });
    const { secret: _secret, ...feed } = generateFeed();
    await prisma.feed.create({ data: { ...feed, businessId: id, userId: admin.id, kind: 'business', name: 'All' } });
  }
  await database.close();
  service = await startProcess({
    ...env,
    JWT_SECRETS: `test:${'x'.repeat(32)}`,
    CALLBOARD_ENTERPRISE_PER_MINUTE: '100000',
  });
  a = await logIn('admin@harbor.example');
  b = await logIn('admin@aurora.example');
});

afterAll(async () => {
  stopAll();
  await rm(dataDir, { recursive: true, force: true });
  if (serverUrl) await onServer(serverUrl, `DROP DATABASE ${databaseName} WITH (FORCE)`);
});

interface Given {
  readonly command?: string;
  readonly env?: Record<string, string>;
  readonly stdin?: string;
}

async function run(args: string[], { command = 'check-isolation', env = {}, stdin = '' }: Given = {}) {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [program, command, ...args], { env: { PATH, ...env } });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (written.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (written.stderr += String(chunk)));
  child.stdin.on('error', () => undefined).end(stdin);
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, ...written };
}

const inEnv = () => ({ PROVE_CREDENTIAL_A: a, PROVE_CREDENTIAL_B: b });

async function check(origin: string, ...args: string[]) {
  const { status, stdout } = await run(['--url', origin, '--json', ...args], { env: inEnv() });
  const report = JSON.parse(stdout);
  const leaks = (report.findings as Finding[]).filter(({ verdict }) => verdict === 'leak');
  return { status, report, leaks };
}

test('the businesses are isolated, and the report has every route and every root field, none inconclusive', async () => {
  const { status, report } = await check(service.origin, '--strict');
  expect((report.findings as Finding[]).filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  expect({ ...report.totals, changed: report.changed }).toMatchObject({ leak: 0, inconclusive: 0, changed: [] });
  expect({ status, holds: report.holds }).toEqual({ status: 0, holds: true });
  const { paths } = (await (await fetch(`${service.origin}/openapi.json`)).json()) as { paths: object };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const named = new Set((report.findings as Finding[]).map(({ target }) => target));
  // A stream is probed by the route that reads the same once.
  expect([...named]).toEqual(expect.arrayContaining(routes.filter((route) => !route.endsWith('/stream'))));
  expect(named.size).toBeGreaterThanOrEqual(report.routes + report.fields);
  expect(report.totals.isolated).toBeGreaterThan(80);
});

/** Each is one whole check, which takes half a minute of CPU; the gate makes one of them. */
const leakingProxies: readonly (readonly [title: string, run: () => Promise<void>])[] = [
  [
    'a route and a list that show the other business are reported, no write is tried, and the exit status is 1',
    async () => {
      const double = await startDouble(service.origin, {
        spent: 1,
        servesAs: {
          credential: a,
          when: (call) => /^GET \/v1\/events\/[\da-f-]{36} /.test(call) || call.includes('{ skillLevels {'),
        },
      });
      const { status, report, leaks } = await check(double.origin);
      await double.close();
      expect(double.refused()).toBe(1);
      expect({ status, holds: report.holds, changed: report.changed }).toEqual({
        status: 1,
        holds: false,
        changed: [],
      });
      expect(leaks).toEqual([
        expect.objectContaining({
          target: 'skillLevels',
          detail: expect.stringMatching(/^shows ids of A: SkillLevel\.id \w+/),
        }),
        expect.objectContaining({
          target: 'GET /v1/events/{uuid}',
          argument: 'uuid',
          detail: '200, but 404 NOT_FOUND for an unknown id',
        }),
      ]);
      const writes = (report.findings as Finding[]).filter(({ writes, argument }) => writes && argument);
      expect(new Set(writes.map(({ detail }) => detail))).toEqual(
        new Set(['not tried: reads leak, so a write could do harm']),
      );
    },
  ],
  [
    'a write that changes the other business is reported with the changed lists, and the exit status is 1',
    async () => {
      const double = await startDouble(service.origin, {
        servesAs: { credential: a, when: (call) => call.includes('deleteWebhookEndpoint(') },
      });
      const { status, stdout } = await run(['--url', double.origin, '--credentials-stdin'], { stdin: `${a}\n${b}\n` });
      await double.close();
      expect(stdout).toMatch(
        /^leak +GraphQL +write +deleteWebhookEndpoint +id +200, but 200 NOT_FOUND for an unknown id$/m,
      );
      expect(stdout).toMatch(/^A reads something else than before: .*GET \/v1\/webhooks, .*webhookEndpoints/m);
      expect(stdout).toMatch(/^The check failed: /m);
      expect(status).toBe(1);
    },
  ],
];

test.each(takeShare('leaks that the check of isolation finds', leakingProxies, 2))('%s', (_title, run) => run());

const refusals = [
  [
    'a credential that is not accepted',
    () => [a, 'nonsense'],
    1,
    /^callboard: The credential of B is not accepted\.$/m,
  ],
  ['two credentials of one business', () => [a, a], 2, /^callboard: Both credentials belong to the same business: /m],
  [
    'a single credential',
    () => [a],
    2,
    /^callboard: Two credentials are needed: one of business A and one of business B\.$/m,
  ],
] as const;

test.each(takeShare('refusals of the check of isolation', refusals, 3))(
  '%s is refused with one line',
  async (_, credentials, status, line) => {
    const answer = await run(['--url', service.origin, '--credentials-stdin'], { stdin: credentials().join('\n') });
    expect(answer).toMatchObject({ status, stdout: '' });
    expect(answer.stderr).toMatch(line);
    expect(answer.stderr).not.toContain(a);
  },
);

test('an id is found as a whole only: the global id of row 1 begins that of row 12', () => {
  const [one, twelve] = ['AuditEntry:1', 'AuditEntry:12'].map((text) => Buffer.from(text).toString('base64url'));
  expect(twelve!.startsWith(one!)).toBe(true);
  expect(showsId(`[{"id":"${twelve}"}]`, one!)).toBe(false);
  expect(showsId(`[{"id":"${twelve}"},{"id":"${one}"}]`, one!)).toBe(true);
  expect(showsId(`of ${one}: ${twelve}`, twelve!)).toBe(true);
});

test('the old command name still works, and says so on stderr where it checks', async () => {
  const answer = await run(['--help'], { command: 'prove-isolation' });
  expect(answer).toMatchObject({ status: 0, stdout: expect.stringContaining('Verdicts:') });
  expect(answer.stdout).toMatch(/it may change or delete one row of A/);
  const refused = await run(['--url', service.origin, '--credentials-stdin'], { command: 'prove-isolation', stdin: a });
  expect(refused.stderr).toMatch(/^prove-isolation is now called check-isolation; /);
  expect(refused.status).toBe(2);
});
