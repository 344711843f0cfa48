import { beforeEach, describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { claim, fromFreshAddress, issueCode } from './support/screens.ts';

/* How a browser becomes a screen, and how it ceases to be one. */

const start = new Date('2026-12-05T12:00:00.000Z');
let now = start;
let tenant: Tenant;

const service = useService({
  env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000', TRUST_PROXY: '127.0.0.1' },
  clock: () => now,
});
beforeEach(async () => {
  now = start;
  tenant = await service.createTenant();
});
const later = (seconds: number) => (now = new Date(now.getTime() + seconds * 1000));
const approve = (code: string, more: object = {}, as = tenant.as.admin) =>
  service.call('POST', '/v1/screens', { as, body: { code, name: 'Stage door', ...more } });
const list = async (as = tenant.as.admin) => (await service.call('GET', '/v1/screens', { as })).body.data;
const readOwn = (token: string) => service.call('GET', '/v1/my_screen', { as: token });

async function pair(more: object = {}) {
  const { code, secret } = await issueCode(service);
  const { body } = await approve(code, more);
  const { board_token: token } = await claim(service, secret);
  return { uuid: body.data.uuid as string, token: token as string, secret, code };
}

describe('a code', () => {
  test('is eight characters without look-alikes, different each time, and stores nothing', async () => {
    const rows = await service.prisma.screen.count();
    const codes = await Promise.all(Array.from({ length: 20 }, () => issueCode(service)));
    for (const { code, secret } of codes) {
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
      expect(secret).not.toContain(code.replace('-', ''));
    }
    expect(new Set(codes.map(({ code }) => code)).size).toBe(20);
    expect(await service.prisma.screen.count()).toBe(rows);
  });

  test('is pending until it is approved, in both dialects', async () => {
    const { secret } = await issueCode(service);
    expect(await claim(service, secret)).toEqual({ status: 'pending', board_token: null, screen: null });
    const { body } = await service.graphql(
      'mutation ($secret: String!) { claimScreen(secret: $secret) { status boardToken screen { name } } }',
      { variables: { secret } },
    );
    expect(body).toEqual({ data: { claimScreen: { status: 'PENDING', boardToken: null, screen: null } } });
  });

  test('is accepted as people type it', async () => {
    const { code, secret } = await issueCode(service);
    const typed = ` ${code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `;
    expect((await approve(typed)).status).toBe(201);
    expect((await claim(service, secret)).status).toBe('claimed');
  });

  test('ends after its time, and its approval with it', async () => {
    const { code, secret } = await issueCode(service);
    await approve(code);
    later(limits.screenCodeS);
    expect(await claim(service, secret)).toEqual({ status: 'expired', board_token: null, screen: null });
    expect(await list()).toEqual([]);
  });

  test('cannot be given more time by its holder', async () => {
    const { code, secret } = await issueCode(service);
    await approve(code);
    const [random, seconds] = secret.split('.');
    expect((await claim(service, `${random}.${Number(seconds) + 1}`)).status).toBe('pending');
    expect((await claim(service, secret)).status).toBe('claimed');
  });

  test('that was approved in the last moment is claimed for as long as it lives', async () => {
    const { code, secret } = await issueCode(service);
    later(limits.screenCodeS - 1);
    await approve(code);
    expect((await claim(service, secret)).status).toBe('claimed');
  });
});

describe('an approval', () => {
  test('makes a screen that is claimed once', async () => {
    const { code, secret } = await issueCode(service);
    const { status, body } = await approve(code, { city: 'Boston' });
    expect({ status, data: body.data }).toEqual({
      status: 201,
      data: {
        uuid: expect.any(String),
        check_in_event_uuid: null,
        name: 'Stage door',
        names: 'short',
        client_id: null,
        position_id: null,
        city: 'Boston',
        text: null,
        created_at: start.toISOString(),
        claimable_until: new Date(start.getTime() + limits.screenCodeS * 1000).toISOString(),
        claimed_at: null,
        last_seen_at: null,
      },
    });
    const claims = await Promise.all(Array.from({ length: 5 }, () => claim(service, secret)));
    const [claimed, ...others] = claims.toSorted((a, b) => String(a.status).localeCompare(String(b.status)));
    expect(claimed).toEqual({
      status: 'claimed',
      board_token: expect.stringMatching(/^cbs_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/),
      screen: {
        uuid: body.data.uuid,
        name: 'Stage door',
        names: 'short',
        check_in_event_uuid: null,
        business_name: tenant.business.name,
        timezone: 'UTC',
        week_start: 'monday',
      },
    });
    expect(others.map((each) => each.status)).toEqual(Array(4).fill('pending'));
    expect((await readOwn(claimed.board_token)).body.data).toEqual(claimed.screen);
  });

  test('stores no code and only a digest of the token once it is claimed', async () => {
    const { uuid, token } = await pair();
    const stored = await service.prisma.screen.findFirstOrThrow({ where: { uuid } });
    expect(stored).toMatchObject({ code: null, createdById: tenant.admin.id, claimedAt: start });
    expect(stored.secretHash).toHaveLength(32);
    expect(Object.values(stored).map(String).join()).not.toContain(token.slice(17, 49));
  });

  test('of the same code twice is a conflict, and in two businesses the first one counts', async () => {
    const { code, secret } = await issueCode(service);
    const other = await service.createTenant();
    await approve(code);
    later(1);
    expect((await approve(code, {}, other.as.admin)).status).toBe(201);
    expect(await approve(code)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await claim(service, secret)).screen.business_name).toBe(tenant.business.name);
  });

  test.each<[string, object, string]>([
    ['no code', { code: 'ABCD-EFG' }, 'code'],
    ['a code with other letters', { code: 'ABCD-EFG$' }, 'code'],
    ['no name', { name: '  ' }, 'name'],
    ['other names', { names: 'initials' }, 'names'],
    ['an empty city', { city: '' }, 'city'],
    ['an unknown client', { client_id: limits.int4Max }, 'client_id'],
    ['an unknown position', { position_id: limits.int4Max }, 'position_id'],
    ['an unknown field', { pay: true }, 'pay'],
  ])('with %s is refused', async (_, input, field) => {
    const { code } = await issueCode(service);
    const { status, body } = await approve(code, input);
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: [field] });
  });

  test('takes no client and no position of another business', async () => {
    const { code } = await issueCode(service);
    const other = await service.createTenant();
    const position = await service.createPosition(other.business);
    const { body } = await approve(code, { client_id: other.client.id, position_id: position.id });
    expect(Object.keys(body.errors)).toEqual(['client_id', 'position_id']);
  });

  test('is repeated under its idempotency key without another screen', async () => {
    const { code } = await issueCode(service);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const send = () =>
      service.call('POST', '/v1/screens', { as: tenant.as.admin, headers, body: { code, name: 'Lobby' } });
    expect((await send()).body).toEqual((await send()).body);
    expect(await list()).toHaveLength(1);
  });

  test('of one screen more than a business may have is a conflict', async () => {
    await service.prisma.screen.createMany({
      data: Array.from({ length: limits.receiversMax }, (_, index) => ({
        businessId: tenant.business.id,
        name: `Screen ${index}`,
        names: 'short' as const,
        createdById: tenant.admin.id,
        claimableUntil: new Date(start.getTime() + 1000),
      })),
    });
    const { code } = await issueCode(service);
    expect((await approve(code)).status).toBe(409);
    // Approvals that nobody has claimed in time take no room.
    later(2);
    expect((await approve(code)).status).toBe(201);
  });
});

describe('a screen', () => {
  test('is listed with when it was last seen, to the minute', async () => {
    const { uuid, token } = await pair();
    later(30);
    await readOwn(token);
    expect((await list())[0]).toMatchObject({ uuid, last_seen_at: start.toISOString() });
    later(60);
    await readOwn(token);
    expect((await list())[0]).toMatchObject({ uuid, last_seen_at: now.toISOString() });
    const { body } = await service.graphql(
      'query ($id: ID!) { screen(id: $id) { uuid names client { name } position { title } lastSeenAt } screens { name } }',
      { as: tenant.as.admin, variables: { id: uuid } },
    );
    expect(body.data).toEqual({
      screen: { uuid, names: 'SHORT', client: null, position: null, lastSeenAt: now.toISOString() },
      screens: [{ name: 'Stage door' }],
    });
  });

  test('is revoked at once by an admin of its business', async () => {
    const { uuid, token } = await pair();
    const other = await service.createTenant();
    const revoke = (as: string) => service.call('DELETE', `/v1/screens/${uuid}`, { as });
    expect((await revoke(other.as.admin)).status).toBe(404);
    expect((await readOwn(token)).status).toBe(200);
    expect((await revoke(tenant.as.admin)).body.data).toMatchObject({ uuid, name: 'Stage door' });
    expect(await readOwn(token)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    expect((await revoke(tenant.as.admin)).status).toBe(404);
    expect((await service.call('GET', `/v1/screens/${uuid}`, { as: tenant.as.admin })).status).toBe(404);
    expect(await list()).toEqual([]);
  });

  test('that was not claimed yet is revoked with its code', async () => {
    const { code, secret } = await issueCode(service);
    const { body } = await approve(code);
    await service.call('DELETE', `/v1/screens/${body.data.uuid}`, { as: tenant.as.admin });
    expect((await claim(service, secret)).status).toBe('pending');
  });

  test('revokes itself', async () => {
    const { token } = await pair();
    expect((await service.call('DELETE', '/v1/my_screen', { as: token })).body.data).toEqual({ revoked: 1 });
    expect((await readOwn(token)).status).toBe(401);
  });

  test('does not open with another secret, or a public id alone', async () => {
    const [{ token }, { token: other }] = [await pair(), await pair()];
    const [, id] = token.split('_');
    const [, , secret] = other.split('_');
    for (const wrong of [`cbs_${id}_${secret}`, `cbs_${id}_`, token.replace('cbs_', 'cbk_'), `${token}x`])
      expect((await readOwn(wrong)).status).toBe(401);
  });

  test('leaves its approval, its claim and its revocation in the audit trail, without secrets', async () => {
    const { uuid, token, secret, code } = await pair({ name: 'Lobby' });
    await service.call('DELETE', `/v1/screens/${uuid}`, { as: tenant.as.admin });
    const entries = await service.prisma.auditEntry.findMany({
      where: { businessId: tenant.business.id, action: { startsWith: 'screens.' } },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action, actorKind, subjectKind }) => [action, actorKind, subjectKind])).toEqual([
      ['screens.approve', 'user', 'screen'],
      ['screens.claim', 'screen', 'screen'],
      ['screens.revoke', 'user', 'screen'],
    ]);
    const text = JSON.stringify(entries);
    for (const hidden of [secret, token, code, code.replace('-', '')]) expect(text).not.toContain(hidden);
    const { body } = await service.graphql('{ auditEntries(first: 10) { nodes { action actorKind } } }', {
      as: tenant.as.admin,
    });
    expect(JSON.stringify(body.data)).toContain('"SCREEN"');
  });
});

test.each(['not a secret', '', 'x'.repeat(43), `${'x'.repeat(43)}.`, `${'x'.repeat(42)}.1764000000`])(
  'a claim with %p is refused as wrong input',
  async (secret) => {
    const { status, body } = await service.call('POST', '/v1/screens/claims', { body: { secret } });
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: ['secret'] });
  },
);

describe('the limits on tries', () => {
  test('bound the codes that one address asks for, over REST and GraphQL together', async () => {
    const headers = fromFreshAddress();
    const ask = async () => (await service.call('POST', '/v1/screens/codes', { headers })).status;
    const statuses = [];
    for (let i = 0; i < 60; i++) statuses.push(await ask());
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await ask()).toBe(429);
    const { body } = await service.graphql('mutation { createScreenCode { code } }', { headers });
    expect(body.errors[0].extensions.code).toBe('RATE_LIMITED');
    const elsewhere = await service.call('POST', '/v1/screens/codes', { headers: fromFreshAddress() });
    expect(elsewhere.status).toBe(200);
  });

  test('bound the codes that one admin tries', async () => {
    const statuses = [];
    for (let i = 0; i < 61; i++) statuses.push((await approve('AAAA-AAA!')).status);
    expect(statuses.filter((status) => status === 429)).toEqual([]);
    // Only codes that could be some count.
    for (let i = 0; i < 60; i++) await approve('AAAA-AAAA');
    expect((await approve('AAAA-AAAB')).status).toBe(429);
  });
});
