import { request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import { chooseCoding } from '../src/http/compression.ts';
import { removeCoding } from '../src/http/entity-tags.ts';
import { password, type Tenant } from './support/factories.ts';
import { usePackage } from './support/package.ts';

/* Answers over a socket, for clients that accept compressed ones. */

const many = 40;

const service = usePackage();
let tenant: Tenant;
let port: number;
let uuid: string;

beforeAll(async () => {
  tenant = await service.createTenant();
  for (let number = 0; number < many; number++)
    ({ uuid } = await service.createEvent(tenant.business, {
      title: `Event ${number}, Zoë’s 🎭`,
      description: 'x'.repeat(2500),
    }));
  port = Number(new URL(await service.listen()).port);
}, 60_000);

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Decompressed. */
  readonly text: string;
}

const readers: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

/** Receives the bytes as they come over the wire. */
function ask(
  path: string,
  accepted: string | undefined,
  {
    method = 'GET',
    headers = {},
    body,
    as = tenant.as.admin,
  }: { method?: string; headers?: object; body?: object; as?: string } = {},
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        path,
        method,
        agent: false,
        headers: {
          authorization: `Bearer ${as}`,
          ...(accepted !== undefined && { 'accept-encoding': accepted }),
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const read =
            (bytes.length > 0 && readers[String(answer.headers['content-encoding'])]) || ((all: Buffer) => all);
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, text: read(bytes).toString() });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

const someone = async () => (await service.createKey(tenant.business)).key;
const board = { query: '{ events(perPage: 40) { nodes { uuid title description callTimes { uuid } } } }' };

const answers: [string, (accepted: string | undefined) => Promise<Received>][] = [
  ['a list of REST', (accepted) => ask('/v1/events?per_page=40', accepted)],
  ['an item of REST', (accepted) => ask(`/v1/events/${uuid}`, accepted)],
  ['GraphQL by POST', (accepted) => ask('/graphql', accepted, { method: 'POST', body: board })],
  [
    'GraphQL by GET',
    (accepted) =>
      ask(`/graphql?query=${encodeURIComponent(board.query)}`, accepted, {
        headers: { 'apollo-require-preflight': '1' },
      }),
  ],
  [
    'CSV of REST',
    async (accepted) => ask('/v1/events', accepted, { headers: { accept: 'text/csv' }, as: await someone() }),
  ],
  [
    'CSV of GraphQL',
    async (accepted) =>
      ask('/graphql', accepted, {
        method: 'POST',
        body: { query: '{ events { nodes { uuid title description } } }' },
        headers: { accept: 'text/csv' },
        as: await someone(),
      }),
  ],
  ['the OpenAPI document', (accepted) => ask('/openapi.json', accepted)],
  ['the GraphQL schema', (accepted) => ask('/graphql/schema.graphql', accepted)],
  ['the start page', (accepted) => ask('/', accepted, { headers: { accept: 'text/html' } })],
  ['the API reference', (accepted) => ask('/docs', accepted)],
  ['the page of the GraphQL schema', (accepted) => ask('/schema', accepted)],
];

describe.each(answers)('%s', (_what, get) => {
  test.each(['br', 'gzip'])('is the same in %s, and far smaller', async (coding) => {
    // Twice, because the second one may come from a cache.
    for (const answer of [await get(coding), await get(coding)]) {
      const plain = await get(undefined);
      expect([answer.status, plain.status]).toEqual([200, 200]);
      expect([answer.headers['content-encoding'], plain.headers['content-encoding']]).toEqual([coding, undefined]);
      expect(answer.text).toBe(plain.text);
      expect(plain.text.length).toBeGreaterThan(limits.compressFromBytes);
      expect(answer.bytes.length).toBeLessThan(0.6 * plain.bytes.length);
      expect(answer.headers['content-type']).toBe(plain.headers['content-type']);
      if (answer.headers['content-length']) expect(Number(answer.headers['content-length'])).toBe(answer.bytes.length);
      for (const { headers } of [answer, plain]) expect(headers['vary']?.match(/accept-encoding/gi)).toHaveLength(1);
    }
  });
});

test.each([
  ['br, gzip', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;Q=0.5', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0, gzip;q=0.000, *;q=1', null],
  ['*', 'br'],
  ['*;q=0', null],
  ['*;q=0, gzip', 'gzip'],
  ['identity', null],
  ['identity, gzip;q=0.5', null],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0', null],
  ['identity;q=0, br', 'br'],
  ['deflate, zstd', null],
  ['', null],
  ['br;q=2', null],
  ['br;q=-1, gzip;q=nan', null],
  ['gzip;level=9', null],
  [',;=,,br;;q', null],
  ['brotli', null],
])('Accept-Encoding: %s', async (accepted, coding) => {
  expect(chooseCoding(accepted)).toBe(coding);
  const { status, headers, text } = await ask('/v1/events', accepted);
  expect([status, headers['content-encoding']]).toEqual([200, coding ?? undefined]);
  expect(JSON.parse(text).success).toBe(true);
});

describe('is sent uncompressed:', () => {
  const plain = async (answer: Promise<Received>, status = 200) => {
    const { headers, ...rest } = await answer;
    expect([rest.status, headers['content-encoding']]).toEqual([status, undefined]);
    return { headers, ...rest };
  };

  test('an answer below the limit of size, by one byte', async () => {
    await plain(ask('/healthz', 'br'));
    await plain(ask('/graphql', 'br', { method: 'POST', body: { query: '{ viewer { business { name } } }' } }));
    const around = async (length: number) => {
      const { uuid: of } = await service.createEvent(tenant.business, {
        title: 'Bound',
        description: 'y'.repeat(length),
      });
      return ask('/graphql', 'br', {
        method: 'POST',
        body: { query: `{ event(id: "${of}") { description } }` },
      });
    };
    const frame = (await around(0)).bytes.length;
    expect((await plain(around(limits.compressFromBytes - frame - 1))).bytes.length).toBe(limits.compressFromBytes - 1);
    expect((await around(limits.compressFromBytes - frame)).headers['content-encoding']).toBe('br');
  });

  test('a refusal', async () => {
    await plain(ask('/v1/events/nope', 'br'), 404);
    await plain(ask('/v1/events?per_page=0', 'br'), 422);
  });

  test('every answer to a write, and so every answer with a credential', async () => {
    const { email } = tenant.admin;
    const inPlain = async (answer: Promise<Received>, status: number) => {
      const { headers, text } = await plain(answer, status);
      expect(headers['vary'] ?? '').not.toMatch(/encoding/i);
      return text;
    };
    await inPlain(ask('/v1/auth/login', 'br', { method: 'POST', body: { email, password } }), 200);
    await inPlain(ask('/v1/tokens/business', 'br', { method: 'POST', body: { name: 'z'.repeat(100) } }), 201);
    const times = [...Array(20).keys()];
    const one = {
      login: `login(email: "${email}", password: "${password}") { accessToken tokenType }`,
      createApiKey: `createApiKey(input: { name: "${'z'.repeat(100)}" }) { key apiKey { name } }`,
    };
    for (const field of Object.values(one)) {
      const query = `mutation { ${times.map((time) => `a${time}: ${field}`).join(' ')} }`;
      const text = await inPlain(ask('/graphql', 'br', { method: 'POST', body: { query } }), 200);
      expect(text.length).toBeGreaterThan(limits.compressFromBytes);
    }
    const { text } = await plain(
      ask(`/v1/events/${uuid}`, 'br', { method: 'PUT', body: { description: 'x'.repeat(2600) } }),
    );
    expect(text.length).toBeGreaterThan(limits.compressFromBytes);
  });
});

test('each coding has its own entity tag, and all of them work in If-Match', async () => {
  const { uuid: of } = await service.createEvent(tenant.business, { title: 'Tagged', description: 'x'.repeat(2500) });
  const url = `/v1/events/${of}`;
  const tags: string[] = [];
  for (const accepted of [undefined, 'br', 'gzip']) tags.push(String((await ask(url, accepted)).headers['etag']));
  const [plain = '', br = '', gzip = ''] = tags;
  expect(plain).toMatch(/^"1\.[\w-]{43}"$/);
  expect([br, gzip]).toEqual([plain.replace(/"$/, '.br"'), plain.replace(/"$/, '.gzip"')]);
  expect(tags.map(removeCoding)).toEqual([plain, plain, plain]);
  expect(removeCoding('"3"')).toBe('"3"');
  let version = 1;
  for (const coding of ['br', 'gzip']) {
    const tag = String((await ask(url, coding)).headers['etag']);
    const put = () => ask(url, coding, { method: 'PUT', headers: { 'if-match': tag }, body: { title: coding } });
    const { status, headers } = await put();
    expect([status, headers['etag']]).toEqual([200, `"${++version}"`]);
    expect((await put()).status).toBe(412);
  }
});

test.each(['br', 'gzip'])(
  'a client that holds the answer in %s gets 304 with its tag until the answer changes',
  async (coding) => {
    const { uuid: of } = await service.createEvent(tenant.business, { title: 'Held', description: 'x'.repeat(2500) });
    const url = `/v1/events/${of}`;
    const read = (tag?: string) =>
      ask(url, coding, { ...(tag !== undefined && { headers: { 'if-none-match': tag } }) });
    const first = await read();
    const tag = String(first.headers['etag']);
    const again = await read(tag);
    expect([again.status, again.headers['etag'], again.bytes.length]).toEqual([304, tag, 0]);
    expect([again.headers['vary'], again.headers['content-encoding']]).toEqual([first.headers['vary'], undefined]);
    expect((await read()).text).toBe(first.text);
    await ask(url, coding, { method: 'PUT', body: { title: 'Changed' } });
    const changed = await read(tag);
    expect([changed.status, changed.headers['content-encoding']]).toEqual([200, coding]);
    expect(changed.text).toContain('"title":"Changed"');
  },
);

test.each(['/v1/events', '/v1/events/:uuid', '/docs', '/schema', '/playground', '/healthz'])(
  'a HEAD of %s has the coding headers of its GET',
  async (path) => {
    const url = path.replace(':uuid', uuid);
    for (const accepted of [undefined, 'br', 'gzip;q=0.1, br;q=0']) {
      const [head, get] = [await ask(url, accepted, { method: 'HEAD' }), await ask(url, accepted)];
      expect(head.bytes).toHaveLength(0);
      for (const name of ['content-encoding', 'etag', 'accept-ranges'])
        expect([accepted, name, head.headers[name]]).toEqual([accepted, name, get.headers[name]]);
      const namesIn = (vary = '') => vary.toLowerCase().split(', ').sort();
      expect(namesIn(head.headers['vary'])).toEqual(namesIn(get.headers['vary']));
      expect([get.headers['content-length'], undefined]).toContain(head.headers['content-length']);
    }
  },
);

test('a page is compressed once, also for requests at the same time', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => ask('/schema', 'gzip')));
  expect(new Set(all.map(({ text }) => text)).size).toBe(1);
  expect(all[0]?.headers['content-encoding']).toBe('gzip');
});

test('an answer that is compressed in another thread arrives whole', async () => {
  const long = '🎭'.repeat(10_000);
  await service.prisma.event.createMany({
    data: Array.from({ length: 100 }, (_, number) => ({
      businessId: tenant.business.id,
      title: `Long ${number}`,
      description: `${long}${number}`,
      timezone: 'America/New_York',
      startLocal: new Date('2030-12-06T20:00:00Z'),
      startsAt: new Date('2030-12-07T01:00:00Z'),
      endLocal: new Date('2030-12-06T22:00:00Z'),
      endsAt: new Date('2030-12-07T03:00:00Z'),
    })),
  });
  const get = (accepted?: string) => ask('/v1/events?per_page=100', accepted);
  const plain = await get();
  expect(plain.text.length).toBeGreaterThan(limits.longAnswerBytes);
  const both = await Promise.all(['br', 'gzip', 'br', 'gzip'].map(get));
  for (const { text } of both) expect(text === plain.text).toBe(true);
});
