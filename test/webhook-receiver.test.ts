import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { on, once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { guideProgram } from './support/guide-program.ts';
import { atOnce, until } from './support/webhooks.ts';

/* The receiver of the integrators' guide takes messages that are signed, and no others. */

const root = fileURLToPath(new URL('..', import.meta.url));
let service: TestApp;
let tenant: Tenant;
let webhook: { readonly uuid: string; readonly secret: string };
let secret: string;
let folder: string;
let receiver: ChildProcess;
let lines: Interface;
let url: string;

beforeAll(async () => {
  service = await startApp({ env: { CALLBOARD_WEBHOOK_ALLOW: '127.0.0.1' }, jobs: { watchMs: 30, schedule: atOnce } });
  tenant = await service.createTenant();
  // The receiver needs the secret before it has an address.
  webhook = await manage('POST', '', { url: 'https://receiver.example/' });
  ({ secret } = webhook);
  await service.app.jobs.start();
  folder = await mkdtemp(join(tmpdir(), 'callboard-receiver-'));
  await writeFile(join(folder, 'receiver.mjs'), guideProgram('receiver.mjs'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  receiver = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  lines = createInterface({ input: receiver.stdout! });
  const [started] = (await once(lines, 'line')) as [string];
  url = `http://127.0.0.1:${/^listening on (\d+)$/.exec(started)![1]}/`;
});

afterAll(async () => {
  const end = receiver.exitCode === null ? once(receiver, 'exit') : null;
  receiver.kill();
  await end;
  await rm(folder, { recursive: true });
  await service.close();
});

async function manage(method: 'GET' | 'POST' | 'PUT', path: string, body?: object) {
  const request = { as: tenant.as.admin, ...(body && { body }) };
  return (await service.call(method, `/v1/webhooks${path}`, request)).body.data;
}

/** The line that the receiver prints next and that matches. */
async function nextLine(pattern: RegExp): Promise<string> {
  for await (const [line] of on(lines, 'line')) if (pattern.test(String(line))) return String(line);
  throw new Error('The receiver has ended.');
}

const bodyOf = (uuid: string) =>
  JSON.stringify({ type: 'event.created', timestamp: new Date().toISOString(), data: { kind: 'event', uuid } });

/** Signs a message and sends it, and returns the status of the answer. */
async function send(
  id: string,
  { body = bodyOf(id), sent = body, at = new Date(), signedWith = [secret] }: Partial<SentMessage> = {},
): Promise<number> {
  const signatures = signedWith.map((each) => new Webhook(each).sign(id, at, body));
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    },
    body: sent,
  });
  return answer.status;
}

interface SentMessage {
  readonly body: string;
  /** The body that arrives. */
  readonly sent: string;
  readonly at: Date;
  readonly signedWith: readonly string[];
}

const otherSecret = `whsec_${randomBytes(32).toString('base64')}`;
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test('receives what the service delivers: a test message, a change, and one that is sent again after a rotation', async () => {
  await manage('PUT', `/${webhook.uuid}`, { url });
  const tested = nextLine(/^webhook\.test /);
  await manage('POST', `/${webhook.uuid}/actions/test`);
  expect(await tested).toBe(`webhook.test ${webhook.uuid}`);
  const created = nextLine(/^event\.created /);
  const times = { start_time: '2026-12-05 18:00:00', end_time: '2026-12-05 23:00:00', timezone: 'UTC' };
  const { body } = await service.call('POST', '/v1/events', { as: tenant.as.admin, body: { title: 'Gala', ...times } });
  expect(await created).toBe(`event.created ${body.data.uuid}`);

  const delivered = `/${webhook.uuid}/messages?status=delivered`;
  const { data: messages } = await until(async () => {
    const page = await manage('GET', delivered);
    // The page and its total are two reads: either may know a message more than the other.
    return page.data.length === 2 ? page : null;
  });
  expect(messages.map(({ type }: { type: string }) => type)).toEqual(['event.created', 'webhook.test']);
  await manage('POST', `/${webhook.uuid}/actions/rotate`);
  await manage('POST', `/${webhook.uuid}/messages/${messages[0].uuid}/actions/resend`);
  const attempts = await until(async () => {
    const found = await manage('GET', `/${webhook.uuid}/messages/${messages[0].uuid}/attempts`);
    return found.length === 2 ? found : null;
  });
  expect(attempts).toMatchObject([
    { status_code: 204, error: null },
    { status_code: 204, error: null },
  ]);
});

test('accepts a message that is signed, and during a rotation one of two signatures', async () => {
  const taken = once(lines, 'line');
  expect(await send('msg_first')).toBe(204);
  expect(await taken).toEqual(['event.created msg_first']);
  expect(await send('msg_rotating', { signedWith: [otherSecret, secret] })).toBe(204);
});

test.each<[string, Partial<SentMessage>]>([
  ['forged', { signedWith: [otherSecret] }],
  ['changed', { sent: bodyOf('another') }],
  ['the same but for white space', { body: '{"type":"event.created"}', sent: '{"type": "event.created"}' }],
  ['old', { at: ago(6) }],
  ['from the future', { at: ago(-6) }],
])('refuses a message that is %s', async (what, message) => {
  expect(await send(`msg_${what}`, message)).toBe(400);
});

test('does the work of a message once', async () => {
  const printed: string[] = [];
  const note = (line: string) => void printed.push(line);
  lines.on('line', note);
  for (const id of ['msg_twice', 'msg_twice', 'msg_last']) expect(await send(id)).toBe(204);
  while (!printed.some((line) => line.endsWith('msg_last'))) await once(lines, 'line');
  lines.off('line', note);
  expect(printed.filter((line) => /twice|last/.test(line))).toEqual([
    'event.created msg_twice',
    'event.created msg_last',
  ]);
});

test('refuses what is no message at all', async () => {
  expect((await fetch(url)).status).toBe(400);
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400);
});
