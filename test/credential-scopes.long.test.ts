import { describe, expect, test } from '@jest/globals';
import type { GraphQLField } from 'graphql';
import { registeredOperations, type OperationRecord } from '../src/access/operation-record.ts';
import { mayCall } from '../src/access/actor.ts';
import { buildDocument, buildSelection } from '../src/bin/isolation/documents.ts';
import { credentialScopes, type CredentialScope } from '../src/config/credential-scopes.ts';
import { createSchema } from '../src/nouns.ts';
import { useService, useTenant } from './support/app.ts';
import { addressOf, fieldRows, routeRows } from './support/matrix-rows.ts';
import { unknownTarget } from './support/matrix.ts';
import { resources } from './support/resources.ts';
import { takeShare } from './support/share.mjs';

/* What a narrow credential may do, as an API key and as a token of an admin: every route and root field, with scopes that allow it and others. */

const service = useService();
const tenant = useTenant(service);

const schema = createSchema();
const fields = [
  ...Object.values(schema.getQueryType()!.getFields()).map((field) => ({ kind: 'query' as const, field })),
  ...Object.values(schema.getMutationType()!.getFields()).map((field) => ({ kind: 'mutation' as const, field })),
];

describe('the scopes of operations', () => {
  const scopeByNoun: Record<string, CredentialScope> = {
    events: 'events:write',
    callTimes: 'events:write',
    customFields: 'events:write',
    ...Object.fromEntries(resources.map(({ list }) => [list, 'events:write'] as const)),
    workShifts: 'staffing:write',
    attendance: 'staffing:write',
    offers: 'staffing:write',
    swaps: 'staffing:write',
    availabilityPatterns: 'staffing:write',
    availabilityExceptions: 'staffing:write',
    users: 'users:write',
    userQualifications: 'users:write',
    invitations: 'users:write',
  };
  /** Staff take a place by it: it makes a shift, or a part in an offer. */
  const staffing = ['callTimes.claim'];
  /** Operations that could make a wider credential, or that only the holder of all rights needs. */
  const forFullOnly = [
    ...['apiKeys.create', 'apiKeys.list', 'apiKeys.revoke', 'apiKeys.revokeAll', 'audit.list'],
    ...['passwords.change', 'passwords.reset', 'mails.setOwn', 'tokens.revokeAllOwn', 'business.update'],
    ...['sessions.list', 'sessions.revoke', 'sessions.revokeOthers'],
    // They give out the addresses of calendars.
    ...['feeds.create', 'feeds.revoke', 'feeds.rotate'],
    // They give out the credentials of screens.
    ...['screens.approve', 'screens.get', 'screens.list', 'screens.revoke'],
    // They tell of pay and of internal notes, whatever else the credential may read.
    ...['history.list', 'history.pagesOf'],
  ];
  const openToAll = [
    'rateLimit.get',
    'screens.createCode',
    'screens.claim',
    'screens.revokeOwn',
    'attendance.checkOnScreen',
    'feeds.use',
    'invitations.claim',
    ...['mails.answerOffer', 'mails.showOffer', 'mails.unsubscribe', 'passwords.forget', 'passwords.setForgotten'],
    'sessions.revokeKept',
    'sessions.use',
    'tokens.login',
    'tokens.revokeUsed',
    'viewer.get',
  ];

  test.each(registeredOperations())('$name needs the scope of its noun', ({ name, scopes, writes }) => {
    const noun = name.split('.')[0]!;
    const written = staffing.includes(name) ? 'staffing:write' : scopeByNoun[noun];
    const ofNoun = noun === 'webhooks' ? noun : writes ? written : 'read';
    if (openToAll.includes(name)) expect(scopes).toEqual([]);
    else expect(scopes).toEqual([forFullOnly.includes(name) ? 'full' : ofNoun]);
  });
});

interface Verdict {
  readonly code: string;
  readonly missing?: readonly string[];
}

/** Whether a credential of an admin with one scope may call the operation, and what it lacks if not. */
function expectedOf({ operation }: { operation: OperationRecord }, held: CredentialScope, kind: 'user' | 'apiKey') {
  const actor = { kind, role: 'admin' } as Parameters<typeof mayCall>[0];
  if (!mayCall(actor, operation)) return { code: 'FORBIDDEN' };
  const included = held.endsWith(':write') ? [held, 'read'] : [held];
  const missing = operation.scopes.filter((scope) => !included.includes(scope));
  return missing.length > 0 ? { code: 'FORBIDDEN', missing } : { code: 'allowed' };
}

/** Everything but a refusal counts as allowed: the ids of these calls exist in no business. */
const verdictOf = (code: string | undefined, missing?: readonly string[]): Verdict =>
  code === 'FORBIDDEN' ? { code, ...(missing && { missing }) } : { code: 'allowed' };

async function inRest(name: string, as: string): Promise<Verdict> {
  const target = unknownTarget();
  const body = routeRows[name]!.input?.(target);
  const { method, url } = addressOf(name, target);
  const answer = await service.call(method as 'GET', url, { as, ...(body && { body }) });
  const { code, message } = answer.body;
  const challenge = answer.headers['www-authenticate'] as string | undefined;
  const [, scopes] = /^Bearer error="insufficient_scope", scope="(.+)"$/.exec(challenge ?? '') ?? [];
  // A log-in as nobody is refused in its own way.
  if (code !== 'INVALID_CREDENTIALS') expect(challenge === undefined).toBe(scopes === undefined);
  if (scopes) expect(message).toContain(scopes);
  expect(answer.status === 403).toBe(code === 'FORBIDDEN');
  expect(code).not.toBe('UNAUTHENTICATED');
  return verdictOf(code, scopes?.split(' '));
}

async function inGraphql({ kind, field }: (typeof fields)[number], as: string): Promise<Verdict> {
  const variables = (fieldRows[field.name]!.input?.(unknownTarget()) ?? {}) as Record<string, unknown>;
  const selection = buildSelection(field.type, { depth: 2, perPage: 5 });
  const body = buildDocument(kind, [{ field: field as GraphQLField<unknown, unknown>, variables }], selection);
  const answer = await service.call('POST', '/graphql', { as, body });
  const { code, missingScopes } = (answer.body.errors?.[0]?.extensions ?? {}) as Record<string, never>;
  if (code === 'FORBIDDEN') expect(answer.body.data?.[field.name] ?? null).toBeNull();
  return verdictOf(code, missingScopes);
}

const narrow = credentialScopes.filter((scope) => scope !== 'full');

const credentialOf = {
  apiKey: async (scope: CredentialScope) => (await service.createKey(tenant.business, { scopes: [scope] })).key,
  user: async (scope: CredentialScope) => service.tokenOf(tenant.admin, [scope]),
};

/** One credential for each scope, and another one for each call that may end it. */
function createCredentials(kind: keyof typeof credentialOf) {
  const known = new Map<CredentialScope, Promise<string>>();
  return ({ operation }: { operation: OperationRecord }, scope: CredentialScope): Promise<string> => {
    if (operation.name.includes('revoke')) return credentialOf[kind](scope);
    const credential = known.get(scope) ?? credentialOf[kind](scope);
    known.set(scope, credential);
    return credential;
  };
}

describe.each(['apiKey', 'user'] as const)('a credential of kind %s', (kind) => {
  /**
   * One scope for each verdict on an operation, from route to route another one. Which scope an operation needs is in its record,
   * and what a record means is the same for all.
   */
  const scopesFor = (calls: { operation: OperationRecord }, turn: number) => {
    const inTurn = narrow.map((_, index) => narrow[(index + turn) % narrow.length]!);
    return new Map(inTurn.map((scope) => [JSON.stringify(expectedOf(calls, scope, kind)), scope])).values();
  };

  test('calls in REST what its scope allows, and nothing else', async () => {
    const credentials = createCredentials(kind);
    for (const [turn, [name, { calls }]] of takeShare('scopes in REST', Object.entries(routeRows), 2).entries())
      for (const scope of scopesFor(calls, turn)) {
        const verdict = await inRest(name, await credentials(calls, scope));
        expect({ name, scope, ...verdict }).toEqual({ name, scope, ...expectedOf(calls, scope, kind) });
      }
  });

  test('calls in GraphQL what its scope allows, and nothing else', async () => {
    const credentials = createCredentials(kind);
    for (const [turn, each] of takeShare('scopes in GraphQL', fields, 2).entries()) {
      const { name } = each.field;
      const { calls } = fieldRows[name]!;
      for (const scope of scopesFor(calls, turn)) {
        const verdict = await inGraphql(each, await credentials(calls, scope));
        expect({ name, scope, ...verdict }).toEqual({ name, scope, ...expectedOf(calls, scope, kind) });
      }
    }
  });

  test('with two scopes may do what either allows', async () => {
    const both = ['events:write', 'staffing:write'] as const;
    const as =
      kind === 'user'
        ? await service.tokenOf(tenant.admin, [...both])
        : (await service.createKey(tenant.business, { scopes: [...both] })).key;
    for (const [name, expected] of [
      ['POST /v1/events', 'allowed'],
      ['GET /v1/events', 'allowed'],
      ['POST /api/v1/users', 'FORBIDDEN'],
    ] as const)
      expect({ name, ...(await inRest(name, as)) }).toMatchObject({ name, code: expected });
  });
});

describe('a narrow credential', () => {
  const code = (body: { errors?: { extensions: object }[] }) => body.errors?.[0]?.extensions ?? 'OK';

  test('gets the whole answer to a change, with all that hangs on the row', async () => {
    const event = await service.createEvent(tenant.business, { clientId: tenant.client.id });
    const { id: positionId } = await service.createPosition(tenant.business);
    const callTime = await service.createCallTime(event, { positionId });
    await service.createShift(event, tenant.staff, { positionId, callTimeId: callTime.id });
    const { key } = await service.createKey(tenant.business, { scopes: ['events:write'] });
    const { body } = await service.graphql(
      `mutation { updateEvent(id: "${event.uuid}", input: { title: "Changed" }) {
         event { title client { name } labourCost { confirmed } callTimes { workShifts { user { email } } } } } }`,
      { as: key },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.updateEvent.event.callTimes[0].workShifts[0].user.email).toBe(tenant.staff.email);
  });

  test('copies an event with events:write, and its shifts only with staffing:write', async () => {
    const { uuid } = await service.createEvent(tenant.business);
    const copy = async (as: string, input: string) =>
      code(
        (await service.graphql(`mutation { copyEvent(id: "${uuid}", input: ${input}) { event { uuid } } }`, { as }))
          .body,
      );
    const { key } = await service.createKey(tenant.business, { scopes: ['events:write'] });
    expect(await copy(key, '{ days: 7 }')).toBe('OK');
    expect(await copy(key, '{ days: 7, withShifts: true }')).toEqual({
      code: 'FORBIDDEN',
      missingScopes: ['staffing:write'],
    });
    const { key: wider } = await service.createKey(tenant.business, { scopes: ['events:write', 'staffing:write'] });
    expect(await copy(wider, '{ days: 7, withShifts: true }')).toBe('OK');
  });

  test('of staff keeps to the rows of staff, and confirms shifts only with staffing:write', async () => {
    const event = await service.createEvent(tenant.business);
    const shift = await service.createShift(event, tenant.staff);
    const reader = await service.tokenOf(tenant.staff, ['read']);
    const confirm = `mutation { confirmShift(id: "${shift.uuid}") { confirmed event { title } } }`;
    const own = await service.graphql('{ myShifts { nodes { uuid } } }', { as: reader });
    expect(own.body.data.myShifts.nodes).toEqual([{ uuid: shift.uuid }]);
    expect(code((await service.graphql('{ events { totalCount } }', { as: reader })).body)).toEqual({
      code: 'FORBIDDEN',
    });
    expect(code((await service.graphql(confirm, { as: reader })).body)).toEqual({
      code: 'FORBIDDEN',
      missingScopes: ['staffing:write'],
    });
    const worker = await service.tokenOf(tenant.staff, ['staffing:write']);
    expect((await service.graphql(confirm, { as: worker })).body.data.confirmShift).toEqual({
      confirmed: true,
      event: { title: event.title },
    });
  });

  test('cannot make, change or delete an admin, nor make an admin of somebody', async () => {
    const another = await service.createUser(tenant.business, 'admin');
    const as = await service.tokenOf(tenant.admin, ['users:write']);
    const user = { email: 'new@wide.example', name: 'New', password: 'enough of it' };
    const lacksFull = { status: 403, headers: { 'www-authenticate': expect.stringContaining('scope="full"') } };
    const url = `/api/v1/users/${another.id}`;
    const calls = [
      await service.call('POST', '/api/v1/users', { as, body: { ...user, role: 'admin' } }),
      await service.call('PUT', url, { as, body: { email: 'taken-over@wide.example' } }),
      await service.call('PUT', `/api/v1/users/${tenant.admin.id}`, { as, body: { email: 'own@wide.example' } }),
      await service.call('PUT', `/api/v1/users/${tenant.staff.id}`, { as, body: { role: 'admin' } }),
      await service.call('DELETE', url, { as }),
    ];
    for (const answer of calls) expect(answer).toMatchObject(lacksFull);
    const made = await service.call('POST', '/api/v1/users', { as, body: { ...user, role: 'staff' } });
    expect(made.status).toBe(201);
  });

  test('cannot move the log-in of somebody who has a password to another e-mail address, in both dialects', async () => {
    const as = await service.tokenOf(tenant.admin, ['users:write']);
    const { key } = await service.createKey(tenant.business, { scopes: ['users:write'] });
    const { key: full } = await service.createKey(tenant.business, { scopes: ['full'] });
    const { id, email } = tenant.staff;
    const url = `/api/v1/users/${id}`;
    const mutation = `mutation { updateUser(id: ${id}, input: { email: "thief@wide.example" }) { id } }`;
    for (const credential of [as, key]) {
      const answer = await service.call('PUT', url, { as: credential, body: { email: 'thief@wide.example' } });
      expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      const { body } = await service.graphql(mutation, { as: credential });
      expect(code(body)).toMatchObject({ code: 'FORBIDDEN', missingScopes: ['full'] });
      // The same address is no change, and all else may be changed.
      expect((await service.call('PUT', url, { as: credential, body: { email, name: 'Another Name' } })).status).toBe(
        200,
      );
    }
    const invited = await service.createUser(tenant.business, 'staff', { passwordHash: null });
    const move = { email: `moved-${email}` };
    expect(
      (await service.call('PUT', `/api/v1/users/${invited.id}`, { as: key, body: { email: `first-${email}` } })).status,
    ).toBe(200);
    expect((await service.call('PUT', url, { as: full, body: move })).status).toBe(200);
  });

  test('that is refused leaves one entry in the audit trail', async () => {
    const { key, apiKey } = await service.createKey(tenant.business, { scopes: ['read'] });
    for (const _ of [1, 2])
      await service.call('POST', '/v1/events', {
        as: key,
        body: routeRows['POST /v1/events']!.input!(unknownTarget()),
      });
    const where = { businessId: tenant.business.id, action: 'events.create' };
    expect(await service.prisma.auditEntry.findMany({ where, select: { outcome: true, actorId: true } })).toEqual([
      { outcome: 'refused', actorId: apiKey.id },
    ]);
  });

  test('is told its scopes by viewer', async () => {
    const { key } = await service.createKey(tenant.business, { scopes: ['webhooks', 'events:write'] });
    const { body } = await service.graphql('{ viewer { role scopes } }', { as: key });
    expect(body.data.viewer).toEqual({ role: 'ADMIN', scopes: ['WEBHOOKS', 'EVENTS_WRITE'] });
    const { body: full } = await service.graphql('{ viewer { scopes } }', { as: tenant.as.admin });
    expect(full.data.viewer).toEqual({ scopes: ['FULL'] });
  });
});

describe('a repeated call under an idempotency key', () => {
  const create = (as: string) =>
    service.call('POST', '/v1/events', {
      as,
      headers: { 'idempotency-key': 'the same' },
      body: routeRows['POST /v1/events']!.input!(unknownTarget()),
    });

  test('gets the stored answer only with a credential that may make the call', async () => {
    const first = await create(tenant.as.key);
    expect(first.status).toBe(201);
    for (const scope of ['read', 'staffing:write', 'webhooks'] as const)
      expect((await create(await credentialOf.apiKey(scope))).status).toBe(403);
    const again = await create(await credentialOf.apiKey('events:write'));
    expect(again).toMatchObject({ status: 201, body: first.body, headers: { 'idempotency-replayed': 'true' } });
  });

  test('is refused where its input needs a scope that the credential lacks', async () => {
    const { uuid } = await service.createEvent(tenant.business);
    const copy = (as: string) =>
      service.graphql(
        `mutation { copyEvent(id: "${uuid}", input: { days: 1, withShifts: true }, idempotencyKey: "k") { event { uuid } } }`,
        { as },
      );
    expect((await copy(tenant.as.key)).body.errors).toBeUndefined();
    const { body } = await copy(await credentialOf.apiKey('events:write'));
    expect(body.errors[0].extensions).toEqual({ code: 'FORBIDDEN', missingScopes: ['staffing:write'] });
  });
});
