import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:net';
import { limits } from '../src/config/limits.ts';
import { isSuccess, post } from '../src/jobs/post.ts';
import { createTargets, TargetRefused, type LookUp, type TargetConfig } from '../src/jobs/targets.ts';
import { startReceiver, type Receiver } from './support/webhooks.ts';

/* Where webhooks are never sent. A server listens on the loopback interface, and nobody may connect to it. */

let port: number;
let connections = 0;
const servers: Server[] = [];

beforeAll(async () => {
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    const isListening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port ?? 0, host, () => resolve(true));
    });
    if (!isListening) continue;
    servers.push(server);
    port ??= (server.address() as { port: number }).port;
  }
});

afterAll(() => Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve)))));

const config: TargetConfig = { allow: [], httpsOnly: false };
const never = new AbortController().signal;

/** Sends a message. Resolves to what went wrong, or to null. */
async function send(url: string, more: Partial<TargetConfig> = {}): Promise<Error | null> {
  try {
    const target = createTargets({ ...config, ...more }).open(url, 1);
    try {
      const answer = await post(target, { headers: {}, body: '{}' }, { timeoutMs: 5000, signal: never });
      return isSuccess(answer) ? null : new Error(`status ${answer.statusCode}`);
    } finally {
      target.close();
    }
  } catch (error) {
    return error as Error;
  }
}

/** Names that resolve to these addresses. */
const resolving =
  (...addresses: string[]): LookUp =>
  (_name, _options, lookedUp) =>
    lookedUp(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

async function expectRefused(url: string, more: Partial<TargetConfig> = {}): Promise<void> {
  const before = connections;
  expect(await send(url, more)).toBeInstanceOf(TargetRefused);
  expect(connections).toBe(before);
}

const loopback = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.0.0.1.', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.1'],
  ...['017700000001', '0177.0.0.1', '00000177.0.0.1', '0.0.0.0', '0', '①②⑦.0.0.1', '127。0。0。1', '%31%32%37.0.0.1'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
  ...['[64:ff9b::127.0.0.1]', '[64:ff9b:1::127.0.0.1]', '[2002:7f00:1::]', 'localhost', 'LOCALHOST'],
];
const inside = [
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '0xa000001', '3232235521'],
  ...['169.254.169.254', '169.254.170.2', '100.64.0.1', '100.100.100.200', '192.0.0.192', '198.18.0.1', '192.0.2.1'],
  ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[fec0::1]'],
  ...['[ff02::1]', '[::ffff:10.0.0.1]', '[::ffff:a9fe:a9fe]', '[64:ff9b::a9fe:a9fe]', '[2001:db8::1]', '[100::1]'],
  ...['[2002:a00:1::]', '[2001:0:a00:1::]', '[5f00::1]', '[3fff::1]'],
];

describe('a host that is not public is refused', () => {
  test.each([...loopback, ...inside])('%s', async (host) => {
    await expectRefused(`http://${host}:${port}/`);
    await expectRefused(`https://${host}:${port}/`);
  });

  test.each([
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['fd00:ec2::254'],
    ['fe80::1%lo'],
    ['64:ff9b:1::7f00:1'],
    ['fec0::1'],
    ['93.184.216.34', '127.0.0.1'],
    ['2606:2800:220:1::1', '::1'],
    [],
  ])('a name that resolves to %s', async (...addresses) => {
    const lookUp = resolving(...addresses);
    await Promise.all(
      ['http', 'https'].map((protocol) => expectRefused(`${protocol}://hooks.example:${port}/`, { lookUp })),
    );
  });
});

/** A look-up that fails as those of Node.js do, after some time. */
const failing =
  (code: string, afterMs: number): LookUp =>
  (name, _options, lookedUp) => {
    const error = Object.assign(new Error(`getaddrinfo ${code} ${name}`), { code });
    setTimeout(() => lookedUp(error, []), afterMs).unref();
  };

describe('a name that is unknown and one that is inside', () => {
  const lookUps: readonly [string, LookUp][] = [
    ['is unknown', failing('ENOTFOUND', 0)],
    ['is unknown after a while', failing('ENOTFOUND', 300)],
    ['has no address of a kind', failing('ENODATA', 20)],
    ['cannot be looked up for now', failing('EAI_AGAIN', 100)],
    ['has no address', resolving()],
    ['is within the network', resolving('10.1.2.3')],
    ['is this machine', resolving('127.0.0.1', '::1')],
    ['has both kinds of addresses', resolving('93.184.216.34', '10.1.2.3')],
  ];

  test('are refused with the same words, kind and time, over http and https', async () => {
    const tries = lookUps.flatMap(([, lookUp]) => ['http', 'https'].map((protocol) => ({ lookUp, protocol })));
    const refusals = await Promise.all(
      tries.map(async ({ lookUp, protocol }) => {
        const startedMs = performance.now();
        const error = await send(`${protocol}://hooks.example:${port}/`, { lookUp });
        return { error, tookMs: performance.now() - startedMs };
      }),
    );
    for (const { error, tookMs } of refusals) {
      expect([error?.constructor, error?.message]).toEqual([TargetRefused, 'The host has no public address.']);
      expect(tookMs).toBeGreaterThanOrEqual(limits.evenAnswerMs - 5);
    }
  });

  test('are refused alike where a look-up does not end, and a late answer changes nothing', async () => {
    const late: LookUp = (_name, _options, lookedUp) => {
      setTimeout(() => lookedUp(null, [{ address: '127.0.0.1', family: 4 }]), limits.connectMs + 200).unref();
    };
    const targets = createTargets({ allow: ['127.0.0.1'], httpsOnly: false, lookUp: late });
    const target = targets.open(`http://hooks.example:${port}/`, 1);
    const before = connections;
    const sent = post(target, { headers: {}, body: '{}' }, { timeoutMs: 60_000, signal: never });
    await expect(sent).rejects.toMatchObject({ name: 'TargetRefused', message: 'The host has no public address.' });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(connections).toBe(before);
    target.close();
  });
});

test.each([
  ...[
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://127.0.0.1:6379/_x',
    'data:,x',
    'javascript:1',
    'unix:/run/x',
  ],
  ...['//example.com/', 'example.com', '', 'http://', 'http://user:password@example.com/', 'http://user@example.com/'],
])('no URL but http and https without a user is opened: %s', async (url) => {
  await expectRefused(url);
});

test('in production, only https is used', async () => {
  await expectRefused('http://example.com/', { httpsOnly: true, lookUp: resolving('93.184.216.34') });
});

describe('a name is looked up once for each connection', () => {
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
  });

  afterAll(() => receiver.close());

  // 127.0.0.2 stands for a public address: it is allowed, and 127.0.0.1 is not.
  const allow = ['127.0.0.2/32'];

  test('and connected to no other address than the one that was checked', async () => {
    const answers = ['127.0.0.2', '127.0.0.1', '127.0.0.1'];
    let lookups = 0;
    const rebinding: LookUp = (name, options, lookedUp) =>
      resolving(answers[lookups++] ?? '127.0.0.1')(name, options, lookedUp);
    const before = connections;
    const targets = createTargets({ allow, httpsOnly: false, lookUp: rebinding });
    const sendOnce = async () => {
      const target = targets.open(`http://rebind.example:${port}/`, 1);
      return post(target, { headers: {}, body: '{}' }, { timeoutMs: 5000, signal: never }).then(
        () => null,
        (error: Error) => error,
      );
    };
    // Nobody listens on 127.0.0.2: the refusal comes from there.
    expect(await sendOnce()).toMatchObject({ message: expect.stringContaining('ECONNREFUSED 127.0.0.2') });
    expect(lookups).toBe(1);
    expect(await sendOnce()).toBeInstanceOf(TargetRefused);
    expect(connections).toBe(before);
  });

  test('and a redirect to an address inside is not followed', async () => {
    receiver.answer = (_message, response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
    const before = connections;
    const error = await send(receiver.origin.replace('127.0.0.1', 'hooks.example'), {
      allow: ['127.0.0.1'],
      lookUp: resolving('127.0.0.1'),
    });
    expect(error).toMatchObject({ message: 'status 302' });
    expect(connections).toBe(before);
  });

  test('and what the operator allows is connected to, by address and by name', async () => {
    receiver.answer = (_message, response) => response.writeHead(200).end();
    const { origin } = receiver;
    expect(await send(origin, { allow: ['127.0.0.0/8'] })).toBeNull();
    expect(await send(origin, { allow: ['fd00::/8', '127.0.0.1'] })).toBeNull();
    const named = origin.replace('127.0.0.1', 'hooks.example');
    expect(await send(named, { allow: ['127.0.0.0/8'], lookUp: resolving('127.0.0.1') })).toBeNull();
    await expectRefused(origin, { allow: ['10.0.0.0/8', '::1', '127.0.0.2'] });
  });

  test('and the proxies of the environment are not used', async () => {
    receiver.answer = (_message, response) => response.writeHead(200).end();
    const proxied = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'];
    for (const name of proxied) process.env[name] = `http://127.0.0.1:${port}`;
    const before = connections;
    try {
      expect(await send(receiver.origin, { allow: ['127.0.0.1'] })).toBeNull();
    } finally {
      for (const name of proxied) delete process.env[name];
    }
    expect(connections).toBe(before);
  });
});
