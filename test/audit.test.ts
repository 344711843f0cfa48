import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { registeredOperations } from '../src/access/operation-record.ts';
import { deleteAuditEntriesBefore } from '../src/db/audit-entries.ts';
import type { AuditEntry, User } from '../src/generated/prisma/client.ts';
import { useService, useTenant } from './support/app.ts';
import { asker } from './support/ask.ts';
import { password, type Tenant } from './support/factories.ts';
import { claim, createScreen, issueCode, type ClaimedScreen } from './support/screens.ts';
import { callSession } from './support/sessions.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';

const query = asker(() => service, 'query');
const mutation = asker(() => service, 'mutation');
const next = 'another for tests';

const service = useService({ env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000' } });
const tenant = useTenant(service);

const entriesOf = ({ business }: Tenant): Promise<AuditEntry[]> =>
  service.prisma.auditEntry.findMany({ where: { businessId: business.id }, orderBy: { id: 'asc' } });

/** Some entries are written beside the answer. */
async function entriesOnce(count: number): Promise<AuditEntry[]> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const entries = await entriesOf(tenant);
    if (entries.length >= count) return entries;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return entriesOf(tenant);
}

const logIn = (email: string, as = password) =>
  service.call('POST', '/v1/auth/login', { body: { email, password: as } });

interface Case {
  readonly does: () => Promise<unknown>;
  readonly leaves: () => Partial<AuditEntry>;
}

const audited = registeredOperations()
  .filter((operation) => operation.audited)
  .map(({ name }) => name);

let invited: User | undefined;

function feedCase(method: 'POST' | 'DELETE', action: string): Case {
  let publicId: string;
  return {
    does: async () => {
      ({ publicId } = await service.createFeed(tenant.admin, { name: 'All events' }));
      return service.call(method, `/v1/feeds/${publicId}${action}`, { as: tenant.as.admin });
    },
    leaves: () => ({
      ...{ subjectKind: 'feed', subjectId: expect.any(Number) as never },
      details: { feed: publicId, kind: 'business', name: 'All events', owner: tenant.admin.id },
    }),
  };
}

/** The entry that each audited operation leaves. The test of an audited operation without a row here fails. */
const cases: Record<string, Case> = {
  'tokens.login': {
    does: () => logIn(tenant.staff.email),
    leaves: () => ({
      actorId: tenant.staff.id,
      actorName: tenant.staff.name,
      subjectId: tenant.staff.id,
      details: null,
    }),
  },
  'tokens.revokeUsed': {
    does: () => service.call('DELETE', '/v1/tokens/personal', { as: tenant.as.admin }),
    leaves: () => ({ subjectId: tenant.admin.id, details: { revokedTokens: 1 } }),
  },
  'tokens.revokeAllOwn': {
    does: () => service.call('DELETE', '/v1/tokens/personal/all', { as: tenant.as.admin }),
    leaves: () => ({ subjectId: tenant.admin.id, details: { revokedTokens: 1 } }),
  },
  'invitations.create': {
    does: async () => {
      const { id } = (invited = await service.createUser(tenant.business, 'staff', { passwordHash: null }));
      return service.call('POST', `/api/v1/users/${id}/invitation`, { as: tenant.as.admin });
    },
    leaves: () => ({ subjectId: invited!.id, details: { role: 'staff', email: invited!.email } }),
  },
  'invitations.createMany': {
    does: async () => {
      const { id } = (invited = await service.createUser(tenant.business, 'staff', { passwordHash: null }));
      return service.call('POST', '/v1/invitations/batch', { as: tenant.as.admin, body: { user_ids: [id] } });
    },
    leaves: () => ({ subjectId: invited!.id, details: { role: 'staff', email: invited!.email } }),
  },
  'invitations.claim': {
    does: async () => {
      const { user, secret } = await service.createInvitation(tenant.business);
      invited = user;
      return service.call('POST', '/v1/invitations/claims', { body: { secret, password: next } });
    },
    leaves: () => ({ actorId: invited!.id, actorName: invited!.name, subjectId: invited!.id, details: null }),
  },
  'sessions.revoke': {
    does: async () => {
      const { uuid } = await service.createSession(tenant.admin);
      return service.call('DELETE', `/v1/sessions/${uuid}`, { as: tenant.as.admin });
    },
    leaves: () => ({ subjectId: tenant.admin.id, details: { session: expect.any(String) as never } }),
  },
  'sessions.revokeOthers': {
    does: async () => {
      await service.createSession(tenant.admin);
      return service.call('DELETE', '/v1/sessions', { as: tenant.as.admin });
    },
    leaves: () => ({ subjectId: tenant.admin.id, details: { ended: 1 } }),
  },
  'sessions.revokeKept': {
    does: async () => {
      const { cookie } = await service.createSession(tenant.admin);
      return callSession(service, 'DELETE', { cookie });
    },
    leaves: () => ({ subjectId: tenant.admin.id, details: { revokedTokens: 0 } }),
  },
  'feeds.create': {
    does: () =>
      service.call('POST', '/v1/feeds', { as: tenant.as.admin, body: { kind: 'business', name: 'All events' } }),
    leaves: () => ({
      ...{ subjectKind: 'feed', subjectId: expect.any(Number) as never },
      details: {
        feed: expect.stringMatching(/^\w{12}$/) as never,
        kind: 'business',
        name: 'All events',
        owner: tenant.admin.id,
      },
    }),
  },
  'feeds.rotate': feedCase('POST', '/actions/rotate'),
  'feeds.revoke': feedCase('DELETE', ''),
  'apiKeys.create': {
    does: () => service.call('POST', '/v1/tokens/business', { as: tenant.as.admin, body: { name: 'Payroll' } }),
    leaves: () => ({
      subjectKind: 'apiKey',
      subjectId: expect.any(Number) as never,
      details: { name: 'Payroll', keyId: expect.stringMatching(/^\w{12}$/) as never, scopes: ['full'] },
    }),
  },
  'apiKeys.revoke': {
    does: () => service.call('DELETE', `/v1/tokens/business/${tenant.apiKey.publicId}`, { as: tenant.as.admin }),
    leaves: () => ({
      subjectKind: 'apiKey',
      subjectId: tenant.apiKey.id,
      details: { name: tenant.apiKey.name, keyId: tenant.apiKey.publicId },
    }),
  },
  'apiKeys.revokeAll': {
    does: () => service.call('DELETE', '/v1/tokens/business', { as: tenant.as.admin }),
    leaves: () => ({ subjectKind: 'business', subjectId: tenant.business.id, details: { revokedKeys: 1 } }),
  },
  'business.update': {
    does: () => service.call('PUT', '/v1/business', { as: tenant.as.admin, body: { unique_resource_ids: true } }),
    leaves: () => ({
      subjectKind: 'business',
      subjectId: tenant.business.id,
      details: { uniqueResourceIds: { from: false, to: true } },
    }),
  },
  'passwords.change': {
    does: () =>
      mutation(
        tenant.as.admin,
        `{ it: changePassword(input: { current: "${password}", next: "${next}" }) { revoked } }`,
      ),
    leaves: () => ({ subjectId: tenant.admin.id, details: { revokedTokens: 0 } }),
  },
  'passwords.reset': {
    does: () =>
      mutation(tenant.as.admin, `{ it: resetPassword(userId: ${tenant.staff.id}, password: "${next}") { revoked } }`),
    leaves: () => ({ subjectId: tenant.staff.id, details: { revokedTokens: 1 } }),
  },
  'passwords.setForgotten': {
    does: async () => {
      const secret = await service.createMail(tenant.staff, 'password');
      return service.call('POST', '/v1/passwords/forgotten/claims', { body: { secret, password: next } });
    },
    leaves: () => ({
      ...{ actorId: tenant.staff.id, actorName: tenant.staff.name, subjectId: tenant.staff.id },
      details: { revokedTokens: 1 },
    }),
  },
  'users.createMany': {
    does: () =>
      service.call('POST', '/api/v1/users/batch', {
        as: tenant.as.admin,
        body: {
          inputs: [{ email: `many-${tenant.business.id}@example.com`, password: next, name: 'Robin', role: 'staff' }],
        },
      }),
    leaves: () => ({
      subjectId: expect.any(Number) as never,
      details: { role: 'staff', email: `many-${tenant.business.id}@example.com` },
    }),
  },
  'users.create': {
    does: () =>
      service.call('POST', '/api/v1/users', {
        as: tenant.as.admin,
        body: { email: `new-${tenant.business.id}@example.com`, password: next, name: 'Robin', role: 'staff' },
      }),
    leaves: () => ({
      subjectId: expect.any(Number) as never,
      details: { role: 'staff', email: `new-${tenant.business.id}@example.com` },
    }),
  },
  'users.update': {
    does: () =>
      service.call('PUT', `/api/v1/users/${tenant.staff.id}`, {
        as: tenant.as.admin,
        body: { role: 'client', name: 'Kim' },
      }),
    leaves: () => ({
      subjectId: tenant.staff.id,
      details: { role: { from: 'staff', to: 'client' }, name: { from: tenant.staff.name, to: 'Kim' } },
    }),
  },
  'users.delete': {
    does: () => service.call('DELETE', `/api/v1/users/${tenant.staff.id}`, { as: tenant.as.admin }),
    leaves: () => ({
      subjectId: tenant.staff.id,
      details: { role: 'staff', email: tenant.staff.email, revokedTokens: 1 },
    }),
  },
};

/** Calls an operation on a new webhook. Which facts are kept of each stands in webhooks.test.ts. */
const webhookCase = (method: 'POST' | 'PUT' | 'DELETE', path = '', body?: object): (typeof cases)[string] => ({
  does: async () => {
    const webhook = await service.createWebhook(tenant.business);
    const { uuid } = await service.createWebhookMessage(webhook);
    const url = `/v1/webhooks/${webhook.uuid}${path.replace('{message}', uuid)}`;
    const as = tenant.as.admin;
    // Only one that is disabled can be enabled.
    const data = { disabledAt: new Date(), disabledReason: 'caller' };
    if (path.endsWith('enable')) await service.prisma.webhookEndpoint.updateMany({ where: { id: webhook.id }, data });
    return service.call(method, url, { as, ...(body && { body }) });
  },
  leaves: () => ({
    subjectKind: 'webhookEndpoint',
    subjectId: expect.any(Number) as never,
    details: expect.any(Object) as never,
  }),
});

Object.assign(cases, {
  'webhooks.create': {
    ...webhookCase('POST'),
    does: () =>
      service.call('POST', '/v1/webhooks', { as: tenant.as.admin, body: { url: 'https://receiver.example/' } }),
  },
  'webhooks.update': webhookCase('PUT', '', { description: 'Payroll' }),
  'webhooks.delete': webhookCase('DELETE'),
  'webhooks.rotate': webhookCase('POST', '/actions/rotate'),
  'webhooks.disable': webhookCase('POST', '/actions/disable'),
  'webhooks.enable': webhookCase('POST', '/actions/enable'),
  'webhooks.test': webhookCase('POST', '/actions/test'),
  'webhooks.resend': webhookCase('POST', '/messages/{message}/actions/resend'),
  'webhooks.resendSince': webhookCase('POST', '/actions/resend', { since: '2026-01-01T00:00:00Z' }),
});

/** A case of a screen that is in use. */
const screenCase = (does: (screen: ClaimedScreen) => Promise<unknown>, byScreen = false): Case => {
  let claimed: ClaimedScreen;
  return {
    does: async () => does((claimed = await createScreen(service.prisma, tenant))),
    leaves: () => {
      const { id, uuid, name } = claimed.screen;
      const actor = byScreen ? { actorKind: 'screen', actorId: id, actorName: name } : {};
      return { ...actor, subjectKind: 'screen', subjectId: id, details: { screen: uuid, name } };
    },
  };
};

async function claimApproved(): Promise<void> {
  const { code, secret } = await issueCode(service);
  const claimableUntil = new Date(Date.now() + 60_000);
  const { screen } = await createScreen(service.prisma, tenant);
  const unclaimed = { code: code.replace('-', ''), claimableUntil, claimedAt: null, publicId: null, secretHash: null };
  await service.prisma.screen.updateMany({ where: { uuid: screen.uuid }, data: unclaimed });
  expect((await claim(service, secret)).status).toBe('claimed');
}

Object.assign(cases, {
  'screens.approve': {
    does: () =>
      service.call('POST', '/v1/screens', { as: tenant.as.admin, body: { code: 'KDWM-7RXQ', name: 'Lobby' } }),
    leaves: () => ({
      subjectKind: 'screen',
      subjectId: expect.any(Number),
      details: {
        screen: expect.any(String),
        name: 'Lobby',
        names: 'short',
        filter: { clientId: null, positionId: null, city: null, text: null },
        checkInEvent: null,
      },
    }),
  },
  'screens.claim': {
    does: claimApproved,
    leaves: () => ({
      actorKind: 'screen',
      actorId: expect.any(Number),
      actorName: 'Stage door',
      subjectKind: 'screen',
      subjectId: expect.any(Number),
      details: { screen: expect.any(String) },
    }),
  },
  'screens.revoke': screenCase(({ screen: { uuid } }) =>
    service.call('DELETE', `/v1/screens/${uuid}`, { as: tenant.as.admin }),
  ),
  'screens.revokeOwn': screenCase(({ token }) => service.call('DELETE', '/v1/my_screen', { as: token }), true),
});

describe('an audited operation', () => {
  test('has a case in this test', () => {
    expect(Object.keys(cases).sort()).toEqual(audited);
  });

  test.each(audited)('%s leaves one audit entry', async (action) => {
    const { does, leaves } = cases[action]!;
    await does();
    const entries = await entriesOf(tenant);
    expect(entries).toEqual([
      {
        businessId: tenant.business.id,
        id: expect.any(Number),
        at: expect.any(Date),
        action,
        outcome: 'done',
        actorKind: 'user',
        actorId: tenant.admin.id,
        actorName: tenant.admin.name,
        subjectKind: 'user',
        address: '127.0.0.1',
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        ...leaves(),
      },
    ]);
    const [stored] = await service.prisma.$queryRaw<{ text: string }[]>`
      SELECT string_agg(a::text, ' ') AS text FROM audit_entries a WHERE business_id = ${tenant.business.id}`;
    for (const secret of [password, next, '$argon2', ...Object.values(tenant.as)])
      expect(stored!.text).not.toContain(secret);
  });

  test('fails if its audit entry cannot be stored', async () => {
    await service.prisma.$executeRawUnsafe(
      `ALTER TABLE audit_entries ADD CONSTRAINT no_room CHECK (business_id <> ${tenant.business.id})`,
    );
    try {
      const headers = { authorization: `Bearer ${tenant.as.admin}` };
      const user = { email: `${randomUUID()}@example.com`, password: next, name: 'Robin', role: 'staff' };
      const calls = [
        { method: 'POST', url: '/api/v1/users', headers, payload: user },
        { method: 'DELETE', url: '/v1/tokens/business', headers },
        { method: 'POST', url: '/v1/auth/login', payload: { email: tenant.staff.email, password } },
      ] as const;
      for (const call of calls) expect((await service.app.http.inject(call)).statusCode).toBe(500);
    } finally {
      await service.prisma.$executeRawUnsafe('ALTER TABLE audit_entries DROP CONSTRAINT no_room');
    }
    const where = { businessId: tenant.business.id };
    expect(await service.prisma.user.count({ where })).toBe(3);
    expect(await service.prisma.apiKey.count({ where: { ...where, revokedAt: null } })).toBe(1);
    expect(await service.prisma.personalToken.count({ where: { ...where, userId: tenant.staff.id } })).toBe(1);
  });

  test('leaves no entry if it was rolled back or changed nothing', async () => {
    const put = (body: object) =>
      service.call('PUT', `/api/v1/users/${tenant.staff.id}`, { as: tenant.as.admin, body });
    expect((await put({ email: tenant.client.email })).status).toBe(409);
    expect((await put({})).status).toBe(200);
    expect((await service.call('DELETE', `/api/v1/users/${tenant.admin.id}`, { as: tenant.as.admin })).status).toBe(
      409,
    );
    await service.call('DELETE', '/v1/tokens/business/A1b2C3d4E5f6', { as: tenant.as.admin });
    expect(await entriesOf(tenant)).toEqual([]);
  });

  test('with an API key is recorded for the key', async () => {
    await service.call('DELETE', `/api/v1/users/${tenant.staff.id}`, { as: tenant.as.key });
    expect(await entriesOf(tenant)).toMatchObject([
      { action: 'users.delete', actorKind: 'apiKey', actorId: tenant.apiKey.id, actorName: tenant.apiKey.name },
    ]);
  });

  test('adds no SQL statement to reads', async () => {
    const before = sqlCount();
    await service.call('GET', '/v1/events', { as: tenant.as.admin });
    await service.call('GET', '/api/v1/users', { as: tenant.as.admin });
    await service.graphql('{ viewer { name } events { nodes { title customFields { fieldName } } } }', {
      as: tenant.as.key,
    });
    expect(statementsSince(before).filter((sql) => sql.includes('audit_entries'))).toEqual([]);
  });
});

describe('a refusal of a known caller', () => {
  test('leaves one entry an hour for each caller and operation, however often it is repeated', async () => {
    for (let count = 0; count < 20; count++) await service.call('GET', '/api/v1/users', { as: tenant.as.staff });
    await service.graphql('{ users { totalCount } a: users { totalCount } conflicts: positions { id } }', {
      as: tenant.as.staff,
    });
    await service.call('GET', '/api/v1/users', { as: tenant.as.client });
    const refused = { outcome: 'refused', actorKind: 'user', subjectKind: null, subjectId: null, details: null };
    const entries = await entriesOf(tenant);
    expect(entries).toMatchObject([
      { ...refused, action: 'users.list', actorId: tenant.staff.id },
      { ...refused, action: 'positions.list', actorId: tenant.staff.id },
      { ...refused, action: 'users.list', actorId: tenant.client.id },
    ]);
  });

  test('is recorded when a rule of the service refuses, without the changes that were refused', async () => {
    const { status } = await service.call('DELETE', `/api/v1/users/${tenant.admin.id}`, { as: tenant.as.key });
    expect(status).toBe(403);
    expect(await entriesOf(tenant)).toMatchObject([
      { action: 'users.delete', outcome: 'refused', actorKind: 'apiKey', actorId: tenant.apiKey.id },
    ]);
  });

  test('is not recorded for hidden parts of an answer or for anonymous callers', async () => {
    const event = await service.createEvent(tenant.business, { clientId: tenant.client.id });
    await service.createShift(event, tenant.staff);
    for (const as of [tenant.as.staff, tenant.as.client]) {
      const { body } = await service.graphql(
        `{ event(id: "${event.uuid}") {
             customFields { fieldName } customFieldsConnection { totalCount } coverage { needed } labourCost { planned }
             callTimes { coverage { needed } labourCost { planned } } } }`,
        { as },
      );
      expect(body.errors).toBeUndefined();
    }
    await service.call('GET', '/api/v1/users');
    expect(await entriesOf(tenant)).toEqual([]);
  });
});

test('a wrong password leaves one entry a minute for an existing user and none for an unknown one', async () => {
  for (let count = 0; count < 3; count++) expect((await logIn(tenant.staff.email, 'wrong')).status).toBe(401);
  await logIn(`${randomUUID()}@example.com`, 'wrong');
  await logIn(tenant.client.email, 'wrong');
  expect(await entriesOnce(2)).toMatchObject(
    [tenant.staff, tenant.client].map(({ id }) => ({
      action: 'tokens.login',
      outcome: 'failed',
      actorKind: 'anonymous',
      actorId: null,
      subjectKind: 'user',
      subjectId: id,
      address: '127.0.0.1',
    })),
  );
});

describe('the list', () => {
  const fields =
    'id: databaseId at action outcome actorKind actorId: actorDatabaseId actorName subjectKind subjectId: subjectDatabaseId details address requestId';
  const ask = (args = '', as = tenant.as.admin) =>
    query(
      as,
      `{ it: auditEntries${args} { totalCount nodes { ${fields} } edges { cursor } pageInfo { hasNextPage endCursor } } }`,
    );

  async function fill(count: number): Promise<void> {
    await service.prisma.auditEntry.createMany({
      data: Array.from({ length: count }, (_, index) => ({
        businessId: tenant.business.id,
        // Pairs at one time: their ids decide.
        at: new Date(Date.UTC(2026, 10, 1, 0, Math.floor(index / 2))),
        action: index % 3 === 0 ? 'users.update' : 'tokens.login',
        outcome: index % 2 === 0 ? 'done' : 'failed',
        actorKind: 'user',
        actorId: index % 2 === 0 ? tenant.admin.id : tenant.staff.id,
      })),
    });
  }

  test('is newest first, and reading it by cursor returns each entry once', async () => {
    await fill(25);
    const seen: number[] = [];
    let after = '';
    for (;;) {
      const { it } = await ask(`(first: 7${after && `, after: "${after}"`})`);
      seen.push(...it.nodes.map(({ id }: { id: number }) => id));
      expect(it.totalCount).toBe(25);
      if (!it.pageInfo.hasNextPage) break;
      after = it.pageInfo.endCursor;
    }
    const stored = (await entriesOf(tenant)).sort((a, b) => b.at.getTime() - a.at.getTime() || b.id - a.id);
    expect(seen).toEqual(stored.map(({ id }) => id));
    expect((await ask('(page: 2, perPage: 10)')).it.nodes.map(({ id }: AuditEntry) => id)).toEqual(seen.slice(10, 20));
  });

  test('can be filtered by action, caller, outcome and time', async () => {
    await fill(12);
    const counted = async (filter: string) => (await ask(`(filter: { ${filter} })`)).it.totalCount as number;
    expect(await counted('action: "users.update"')).toBe(4);
    expect(await counted(`actorDatabaseId: ${tenant.admin.id}, actorKind: USER`)).toBe(6);
    expect(await counted('outcome: FAILED, action: "users.update"')).toBe(2);
    expect(await counted('from: "2026-11-01T00:01:00Z", to: "2026-11-01T00:03:00Z"')).toBe(4);
    expect(await counted('actorKind: OPERATOR')).toBe(0);
  });

  test('shows an entry as it was stored', async () => {
    await service.call('PUT', `/api/v1/users/${tenant.staff.id}`, { as: tenant.as.admin, body: { role: 'client' } });
    const [stored] = await entriesOf(tenant);
    const { businessId: _, at, ...entry } = stored!;
    expect((await ask()).it.nodes).toEqual([
      {
        ...entry,
        at: at.toISOString(),
        outcome: 'DONE',
        actorKind: 'USER',
        details: { role: { from: 'staff', to: 'client' } },
      },
    ]);
  });

  test.each([
    ['a cursor that is none', '(after: "x")', 'after'],
    ['a page that is too large', '(first: 101)', 'first'],
    ['an actor that can be none', '(filter: { actorDatabaseId: 0 })', 'filter.actorDatabaseId'],
  ])('refuses %s', async (_what, args, field) => {
    const { code, errors } = await ask(args);
    expect({ code, fields: Object.keys(errors) }).toEqual({ code: 'VALIDATION_FAILED', fields: [field] });
  });
});

test('old entries are deleted a bounded number at a time, the oldest first', async () => {
  const at = (day: number) => new Date(Date.UTC(2020, 0, day));
  await service.prisma.auditEntry.createMany({
    data: [1, 2, 3, 4].map((day) => ({
      businessId: tenant.business.id,
      at: at(day),
      action: `day ${day}`,
      outcome: 'done',
      actorKind: 'operator',
    })),
  });
  expect(await deleteAuditEntriesBefore(service.prisma, at(4), 2)).toBe(2);
  expect((await entriesOf(tenant)).map(({ action }) => action)).toEqual(['day 3', 'day 4']);
  expect(await deleteAuditEntriesBefore(service.prisma, at(4), 2)).toBe(1);
  expect(await deleteAuditEntriesBefore(service.prisma, at(4), 2)).toBe(0);
});
