import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { attemptLimits, limits } from '../src/config/limits.ts';
import { useService, useTenant } from './support/app.ts';
import { password } from './support/factories.ts';
import { callSession } from './support/sessions.ts';

/* Log-ins that a browser keeps by a cookie, and the list of one's own log-ins. */

const start = new Date('2026-12-05T12:00:00.000Z');
let now = start;
const later = (seconds: number) => (now = new Date(now.getTime() + seconds * 1000));

const service = useService({
  env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000', TRUST_PROXY: '127.0.0.1' },
  clock: () => now,
});
/** Failures are counted by address, so each test has its own. */
let from: Record<string, string>;
let address = 0;
beforeEach(() => {
  now = start;
  from = { 'x-forwarded-for': `203.0.113.${++address}` };
});
const tenant = useTenant(service);

const post = (body: unknown, cookie?: string, headers: Record<string, string | undefined> = {}) =>
  callSession(service, 'POST', { body, cookie, headers: { ...from, ...headers } });
const logIn = (email = tenant.staff.email, secret = password) => post({ email, password: secret, keep: true });
const use = (cookie: string | undefined) => post({}, cookie);
const statusOf = async (as: string) => (await service.call('GET', '/v1/viewer', { as })).status;
const revokedCookie = '__Host-callboard=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict';

const mine = `{ mySessions { uuid userAgent lasting current createdAt lastUsedAt expiresAt } }`;

describe('a log-in that is to be kept', () => {
  test('gives a short token and a cookie that no script reads, and the cookie gives another token', async () => {
    const first = await logIn();
    expect(first).toMatchObject({
      status: 200,
      body: { access_token: expect.any(String), token_type: 'Bearer', expires_in: limits.sessionTokenS },
    });
    expect(first.setCookie).toBe(
      `__Host-callboard=${first.kept}; Path=/; Max-Age=${limits.sessionLifetimeS}; HttpOnly; Secure; SameSite=Strict`,
    );
    later(3600);
    expect(await statusOf(first.body.access_token)).toBe(401);
    const second = await use(first.kept);
    expect(second.status).toBe(200);
    expect(second.kept).not.toBe(first.kept);
    expect(second.setCookie).toContain(`Max-Age=${limits.sessionLifetimeS - 3600};`);
    const { body } = await service.call('GET', '/v1/viewer', { as: second.body.access_token });
    expect(body.data).toMatchObject({ user_id: tenant.staff.id, role: 'staff', scopes: ['full'] });
  });

  test('is stored as digests only, and noted in the audit trail', async () => {
    const { kept, body } = await logIn();
    const row = await service.prisma.session.findFirstOrThrow({ where: { userId: tenant.staff.id } });
    const digest = createHash('sha256').update(kept!.split('.')[1]!).digest();
    expect(Buffer.from(row.secretHash).equals(digest)).toBe(true);
    const [stored] = await service.prisma.$queryRaw<{ text: string }[]>`
      SELECT (SELECT string_agg(s::text, ' ') FROM sessions s) || (SELECT string_agg(t::text, ' ') FROM personal_tokens t) AS text`;
    for (const secret of [kept!, kept!.split('.')[1]!, body.access_token]) expect(stored!.text).not.toContain(secret);
    const entry = { businessId: tenant.business.id, action: 'tokens.login' };
    expect(await service.prisma.auditEntry.findMany({ where: entry })).toMatchObject([
      { outcome: 'done', actorId: tenant.staff.id, details: { kept: true } },
    ]);
  });

  test('is refused as any other log-in, and its wrong passwords count together with theirs', async () => {
    const wrong = await logIn(tenant.staff.email, 'not the password');
    expect(wrong).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' }, setCookie: undefined });
    expect((await logIn(`nobody-${tenant.staff.email}`)).body.message).toBe(wrong.body.message);
    const { max } = attemptLimits.logIn[0];
    for (let attempt = 1; attempt < max; attempt++)
      await service.call('POST', '/v1/auth/login', {
        body: { email: tenant.staff.email, password: 'wrong' },
        headers: from,
      });
    expect(await logIn()).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' }, setCookie: undefined });
  });

  test.each<[string, unknown, number]>([
    ['null', null, 422],
    ['a list', [], 422],
    ['no password', { email: 'a@example.com', keep: true }, 422],
    ['text for keep', { email: 'a@example.com', password, keep: 'no' }, 422],
    ['an unknown field', { email: 'a@example.com', password, keep: true, more: 1 }, 422],
    ['a cookie in the body', { cookie: 'x' }, 422],
  ])('takes no %s', async (_, body, status) => {
    expect((await post(JSON.stringify(body), undefined, { 'content-type': 'application/json' })).status).toBe(status);
  });
});

describe('a log-in for one tab', () => {
  const open = (headers?: Record<string, string | undefined>) =>
    post({ email: tenant.staff.email, password, keep: false }, undefined, headers);

  test('gives a token and no cookie, also without https, where browsers name no site', async () => {
    for (const headers of [{}, { 'sec-fetch-site': undefined }]) {
      const { status, body, setCookie } = await open(headers);
      expect({ status, setCookie }).toEqual({ status: 200, setCookie: undefined });
      expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 86_400 });
      expect(await statusOf(body.access_token)).toBe(200);
    }
    expect(await service.prisma.session.count({ where: { businessId: tenant.business.id } })).toBe(0);
  });

  test('is for pages of the service', async () => {
    expect((await open({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await open({ origin: 'http://evil.example', 'sec-fetch-site': undefined })).status).toBe(403);
  });

  test('is counted by person, as the tokens of a kept one', async () => {
    for (const { body } of [await open(), await logIn()]) {
      const { headers } = await service.call('GET', '/v1/viewer', { as: body.access_token });
      expect(headers['x-ratelimit-limit']).toBe('120');
    }
  });
});

describe('the address of the cookie', () => {
  test.each<[string, Record<string, string | undefined>, number]>([
    ['another origin', { origin: 'http://evil.example' }, 403],
    ['another port', { origin: 'http://callboard.example:81' }, 403],
    ['another scheme', { origin: 'https://callboard.example' }, 403],
    ['no origin', { origin: undefined }, 403],
    ['the origin null', { origin: 'null' }, 403],
    ['a page of the same site', { 'sec-fetch-site': 'same-site' }, 403],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['no Sec-Fetch-Site', { 'sec-fetch-site': undefined }, 403],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['plain text', { 'content-type': 'text/plain' }, 415],
  ])('refuses %s, and uses nothing up', async (_, headers, status) => {
    const { kept } = await logIn();
    const type = { 'content-type': 'application/json' };
    expect(await post('{}', kept, { ...type, ...headers })).toMatchObject({ status, setCookie: undefined });
    if (status === 403)
      expect((await callSession(service, 'DELETE', { cookie: kept, headers: { ...from, ...headers } })).status).toBe(
        403,
      );
    const row = await service.prisma.session.findFirstOrThrow({ where: { userId: tenant.staff.id } });
    expect(row.endedAt).toBeNull();
    later(60);
    expect((await use(kept)).status).toBe(200);
  });

  test('is behind a proxy the origin that the browser sees', async () => {
    const headers = { 'x-forwarded-proto': 'https', origin: 'https://callboard.example' };
    expect((await post({ email: tenant.staff.email, password, keep: true }, undefined, headers)).status).toBe(200);
  });

  test.each([
    ['GET', '/v1/viewer'],
    ['GET', '/api/v1/users'],
    ['GET', '/v1/changes/stream'],
    ['GET', '/v1/sessions'],
    ['DELETE', '/v1/sessions'],
  ] as const)('is the only one where a cookie counts: not %s %s', async (method, url) => {
    const { kept, body } = await logIn(tenant.admin.email);
    for (const value of [kept, body.access_token])
      expect(await service.call(method, url, { headers: { cookie: `__Host-callboard=${value}` } })).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHENTICATED' },
      });
  });

  test('is not that of GraphQL', async () => {
    const { kept } = await logIn();
    const { body } = await service.graphql('{ viewer { name } }', { headers: { cookie: `__Host-callboard=${kept}` } });
    expect(body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });

  test('says without a cookie that there is none, and limits guesses', async () => {
    expect(await use(undefined)).toMatchObject({ status: 401, setCookie: undefined });
    const { max } = attemptLimits.useSession[0];
    const { cookie } = await service.createSession(tenant.staff);
    const guess = `${'0'.repeat(24)}.${'0'.repeat(64)}`;
    for (let attempt = 0; attempt < max; attempt++)
      expect(await use(guess)).toMatchObject({ status: 401, setCookie: revokedCookie });
    expect(await use(cookie)).toMatchObject({ status: 429, setCookie: undefined });
  });

  test('takes other texts for no cookie', async () => {
    for (const cookie of ['', 'x', `${'g'.repeat(24)}.${'0'.repeat(64)}`, 'a'.repeat(4000)])
      expect((await use(cookie)).status).toBe(401);
  });
});

describe('the secret of a cookie', () => {
  test('is good for two tabs that open at once, which get the same next one', async () => {
    const { kept } = await logIn();
    later(60);
    const tabs = await Promise.all([use(kept), use(kept), use(kept)]);
    expect(tabs.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(tabs.map((tab) => tab.kept)).size).toBe(1);
    expect(new Set(tabs.map((tab) => tab.body.access_token)).size).toBe(3);
    later(limits.replacedS);
    const lost = await use(kept);
    expect(lost).toMatchObject({ status: 200, kept: tabs[0]!.kept });
    later(3600);
    expect((await use(lost.kept)).status).toBe(200);
  });

  test('ends the session, with its tokens, if it is used again long after it was replaced', async () => {
    const { kept } = await logIn();
    later(60);
    const next = await use(kept);
    later(limits.replacedS + 1);
    expect(await use(kept)).toMatchObject({ status: 401, setCookie: revokedCookie });
    expect(await statusOf(next.body.access_token)).toBe(401);
    expect((await use(next.kept)).status).toBe(401);
    const where = { businessId: tenant.business.id, action: 'sessions.use' };
    expect(await service.prisma.auditEntry.findMany({ where })).toMatchObject([
      { outcome: 'failed', actorKind: 'anonymous', subjectKind: 'user', subjectId: tenant.staff.id },
    ]);
  });

  test('ends 30 days after the log-in, however often it is used, and its last token with it', async () => {
    let { kept } = await logIn();
    for (let day = 1; day < 30; day++) {
      later(86_400);
      ({ kept } = await use(kept));
    }
    later(86_400 - 60);
    const last = await use(kept);
    expect(last.body.expires_in).toBe(60);
    expect(last.setCookie).toContain('Max-Age=60;');
    later(60);
    expect((await use(last.kept)).status).toBe(401);
    expect(await statusOf(last.body.access_token)).toBe(401);
  });
});

describe('a lasting session ends', () => {
  const admin = () => tenant.as.admin;
  const user = () => `/api/v1/users/${tenant.staff.id}`;

  test.each<[string, (token: string) => Promise<{ status: number }>, boolean]>([
    ['with log-out', (as) => service.call('DELETE', '/v1/tokens/personal', { as }), false],
    [
      'with log-out everywhere',
      () => service.call('DELETE', '/v1/tokens/personal/all', { as: tenant.as.staff }),
      false,
    ],
    [
      'with a change of password, and the token used in it stays',
      (as) =>
        service.call('PUT', '/v1/passwords/personal', { as, body: { current: password, next: 'another of mine' } }),
      true,
    ],
    [
      'with a password that an admin sets',
      () =>
        service.call('PUT', `/v1/passwords/users/${tenant.staff.id}`, {
          as: admin(),
          body: { password: 'set by admin' },
        }),
      false,
    ],
    [
      'with a change of role, and its tokens go on with the new one until they expire',
      () => service.call('PUT', user(), { as: admin(), body: { role: 'client' } }),
      true,
    ],
    ['with the deletion of the user', () => service.call('DELETE', user(), { as: admin() }), false],
  ])('%s', async (_, does, goesOn) => {
    const { kept, body } = await logIn();
    expect((await does(body.access_token)).status).toBe(200);
    expect(await statusOf(body.access_token)).toBe(goesOn ? 200 : 401);
    expect(await use(kept)).toMatchObject({ status: 401, setCookie: revokedCookie });
  });

  test('with its cookie, and the browser forgets it', async () => {
    const { kept, body } = await logIn();
    const ended = await callSession(service, 'DELETE', { cookie: kept, headers: from });
    expect(ended).toMatchObject({ status: 200, body: { ended: true }, setCookie: revokedCookie });
    expect(await statusOf(body.access_token)).toBe(401);
    expect((await use(kept)).status).toBe(401);
    const again = await callSession(service, 'DELETE', { cookie: kept, headers: from });
    expect(again).toMatchObject({ status: 200, body: { ended: false } });
  });

  test('not with other changes of the user, nor with the log-out of another log-in', async () => {
    const { kept } = await logIn();
    await service.call('PUT', user(), { as: admin(), body: { name: 'Another Name', role: 'staff' } });
    await service.call('DELETE', '/v1/tokens/personal', { as: tenant.as.staff });
    later(60);
    expect((await use(kept)).status).toBe(200);
  });
});

describe('the list of own log-ins', () => {
  const listed = async (as: string) => {
    const rest = await service.call('GET', '/v1/sessions', { as });
    const graphql = await service.graphql(mine, { as });
    expect(graphql.body.data.mySessions).toEqual(
      rest.body.data.map(({ user_agent, created_at, last_used_at, expires_at, ...same }: Record<string, unknown>) => ({
        ...same,
        ...{ userAgent: user_agent, createdAt: created_at, lastUsedAt: last_used_at, expiresAt: expires_at },
      })),
    );
    return rest.body.data as { uuid: string; current: boolean; lasting: boolean; user_agent: string | null }[];
  };

  test('has each lasting log-in once, with what logged in, and tokens of their own, in both dialects', async () => {
    later(10);
    const agent = `Mozilla/5.0 ${'x'.repeat(300)}`;
    const body = { email: tenant.staff.email, password, keep: true };
    const { body: token, kept } = await post(body, undefined, { 'user-agent': agent });
    later(60);
    const { body: second } = await use(kept);
    const sessions = await listed(second.access_token);
    expect(sessions).toEqual([
      {
        uuid: expect.any(String),
        user_agent: null,
        lasting: false,
        current: false,
        created_at: start.toISOString(),
        last_used_at: null,
        expires_at: new Date(start.getTime() + limits.credentialLifetimeS * 1000).toISOString(),
      },
      {
        uuid: expect.any(String),
        user_agent: agent.slice(0, limits.textChars),
        lasting: true,
        current: true,
        created_at: '2026-12-05T12:00:10.000Z',
        last_used_at: '2026-12-05T12:01:10.000Z',
        expires_at: '2027-01-04T12:00:10.000Z',
      },
    ]);
    expect((await listed(token.access_token)).map(({ current }) => current)).toEqual([false, true]);
    expect((await listed(tenant.as.staff)).map(({ current }) => current)).toEqual([true, false]);
  });

  test('shows nothing of anybody else, and ends nothing of theirs', async () => {
    const { uuid } = await service.createSession(tenant.staff);
    const stranger = await service.createTenant();
    for (const as of [tenant.as.admin, tenant.as.client, stranger.as.admin]) {
      expect((await listed(as)).map((each) => each.uuid)).not.toContain(uuid);
      const refused = await service.call('DELETE', `/v1/sessions/${uuid}`, { as });
      expect(refused).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      const { body } = await service.graphql(`mutation { revokeSession(uuid: "${uuid}") { revoked } }`, { as });
      expect(body.errors[0].extensions.code).toBe('NOT_FOUND');
      await service.call('DELETE', '/v1/sessions', { as });
    }
    expect((await listed(tenant.as.staff)).map((each) => each.uuid)).toContain(uuid);
    expect((await service.call('GET', '/v1/sessions', { as: tenant.as.key })).status).toBe(403);
  });

  test('ends one: a lasting one with its tokens, or a token, but none twice', async () => {
    const { kept, body } = await logIn();
    const token = await service.tokenOf(tenant.staff);
    const [plain, lasting] = await Promise.all([listed(token), listed(body.access_token)]).then((lists) =>
      lists.map((list) => list.find(({ current }) => current)!.uuid),
    );
    const end = (uuid: string) => service.call('DELETE', `/v1/sessions/${uuid}`, { as: tenant.as.staff });
    expect((await end(lasting!)).body.data).toEqual({ revoked: 1 });
    expect([await statusOf(body.access_token), (await use(kept)).status]).toEqual([401, 401]);
    expect((await end(plain!.toUpperCase())).status).toBe(200);
    expect(await statusOf(token)).toBe(401);
    for (const uuid of [lasting!, plain!]) expect((await end(uuid)).status).toBe(404);
    expect(await listed(tenant.as.staff)).toHaveLength(1);
  });

  test('ends all others, and keeps the one that calls', async () => {
    const { kept, body } = await logIn();
    const other = await logIn();
    const { body: ended } = await service.graphql('mutation { revokeOtherSessions { revoked } }', {
      as: body.access_token,
    });
    // The token of the tenant, and the other lasting log-in.
    expect(ended.data.revokeOtherSessions).toEqual({ revoked: 2 });
    expect([await statusOf(tenant.as.staff), await statusOf(other.body.access_token)]).toEqual([401, 401]);
    expect((await use(other.kept)).status).toBe(401);
    expect(await statusOf(body.access_token)).toBe(200);
    expect((await use(kept)).status).toBe(200);
    expect(await listed(body.access_token)).toHaveLength(1);
  });

  test('has at most the 100 newest', async () => {
    const rows = Array.from({ length: 120 }, (_, index) => ({
      ...{ businessId: tenant.business.id, userId: tenant.client.id, jti: crypto.randomUUID() },
      ...{ createdAt: new Date(start.getTime() - index * 1000), expiresAt: new Date('2026-12-06T00:00:00Z') },
    }));
    await service.prisma.personalToken.createMany({ data: rows });
    const sessions = await listed(tenant.as.client);
    expect(sessions).toHaveLength(limits.namedItemsMax);
    expect(sessions.at(-1)).toMatchObject({ lasting: false });
    expect(sessions.map(({ current }) => current)).toContain(true);
  });
});
