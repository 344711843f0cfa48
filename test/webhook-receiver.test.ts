import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';

/* The receiver of the integrators' guide takes messages that are signed, and no others. */

const root = fileURLToPath(new URL('..', import.meta.url));
const secret = `whsec_${randomBytes(32).toString('base64')}`;
let folder: string;
let receiver: ChildProcess;
let lines: Interface;
let url: string;

beforeAll(async () => {
  const guide = await readFile(join(root, 'src/guide/integrators.md'), 'utf8');
  const [, program = ''] = /^```js receiver\.mjs\n([^]*?)^```/m.exec(guide) ?? [];
  folder = await mkdtemp(join(tmpdir(), 'callboard-receiver-'));
  await writeFile(join(folder, 'receiver.mjs'), program);
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
});

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
