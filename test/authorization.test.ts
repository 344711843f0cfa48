import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createSchema } from '../src/graphql/schema.ts';
import { gate, type GateParts } from '../src/http/gate.ts';
import { createServer } from '../src/http/server.ts';
import { startApp, type TestApp } from './support/app.ts';
import { configOf } from './support/config.ts';
import { password, type Cast } from './support/factories.ts';

let service: TestApp;

beforeAll(async () => {
  service = await startApp({ env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000' } });
});

afterAll(() => service.close());

const actors = ['anonymous', 'client', 'staff', 'admin', 'API key', "other business's admin"] as const;
type ActorName = (typeof actors)[number];

/** What a call can name: rows of the one business. */
interface Target {
  readonly uuid: string;
  readonly userId: number;
  readonly positionId: number;
  readonly callTimeUuid: string;
  /** Of the cast's staff member. */
  readonly shiftUuid: string;
  /** Which nothing points to. */
  readonly unused: { readonly positionId: number; readonly skillLevelId: number; readonly fieldUuid: string };
  readonly keyId: string;
  readonly email: string;
}

const newEvent = {
  title: 'Gala',
  start_time: '2026-12-31 18:00:00',
  end_time: '2026-12-31 23:00:00',
  timezone: 'Europe/London',
};
const newUser = () => ({
  email: `${randomUUID()}@example.com`,
  password: 'enough of it',
  name: 'Robin',
  role: 'staff',
});

type Body = (target: Target) => object;

/** Statuses in the order of the actors above. */
type Row = readonly [statuses: readonly number[], body?: Body];

const admins = [401, 403, 403, 200, 200];
const adminsInPerson = [401, 403, 403, 200, 403];

/** Every route of the OpenAPI document: a new one without a row fails. */
const routes: Record<string, Row> = {
  'POST /v1/auth/login': [[200, 200, 200, 200, 200, 200], ({ email }) => ({ email, password })],
  'GET /v1/tokens/business': [[...adminsInPerson, 200]],
  'POST /v1/tokens/business': [[401, 403, 403, 201, 403, 201], () => ({ name: 'Key' })],
  'DELETE /v1/tokens/business': [[...adminsInPerson, 200]],
  'DELETE /v1/tokens/business/{keyId}': [[...adminsInPerson, 404]],
  'DELETE /v1/tokens/personal': [[401, 200, 200, 200, 403, 200]],
  'DELETE /v1/tokens/personal/all': [[401, 200, 200, 200, 403, 200]],
  'GET /v1/events': [[...admins, 200]],
  'POST /v1/events': [[401, 403, 403, 201, 201, 201], () => newEvent],
  'GET /v1/events/{uuid}': [[...admins, 404]],
  'PUT /v1/events/{uuid}': [[...admins, 404], () => ({ title: 'Changed' })],
  'GET /v1/objects/events': [[...admins, 200]],
  'GET /v1/objects/events/{uuid}': [[...admins, 404]],
  'GET /v1/work_shifts/event/{event_uuid}': [[...admins, 404]],
  'GET /api/v1/users': [[...admins, 200]],
  'POST /api/v1/users': [[401, 403, 403, 201, 201, 201], newUser],
  'GET /api/v1/users/{id}': [[...admins, 404]],
  'PUT /api/v1/users/{id}': [[...admins, 404], () => ({ name: 'Changed' })],
  'DELETE /api/v1/users/{id}': [[...admins, 404]],
};

const codes: Record<number, string> = { 401: 'UNAUTHENTICATED', 403: 'FORBIDDEN', 404: 'NOT_FOUND' };

interface Stage {
  readonly cast: Cast;
  readonly stranger: Cast;
  readonly target: Target;
  readonly credential: (actor: ActorName) => string | undefined;
}

let standing: Promise<Stage> | undefined;

/** The scene, as long as no call has changed it: then `clear` makes way for a new one. */
const stage = (): Promise<Stage> => (standing ??= setStage());
const clear = () => {
  standing = undefined;
};

async function setStage(): Promise<Stage> {
  const [cast, stranger] = [await service.createCast(), await service.createCast()];
  const event = await service.createEvent(cast.business);
  const { uuid } = event;
  const callTime = await service.createCallTime(event);
  const shift = await service.createShift(event, cast.staff, { positionId: callTime.positionId });
  const position = await service.createPosition(cast.business);
  const skillLevel = await service.prisma.skillLevel.create({ data: { businessId: cast.business.id, name: 'Expert' } });
  const field = await service.createCustomField(cast.business);
  const user = await service.createUser(cast.business, 'staff');
  const { apiKey } = await service.createKey(cast.business);
  const credentials: Record<ActorName, string | undefined> = {
    anonymous: undefined,
    client: cast.as.client,
    staff: cast.as.staff,
    admin: cast.as.admin,
    'API key': cast.as.key,
    "other business's admin": stranger.as.admin,
  };
  return {
    cast,
    stranger,
    target: {
      uuid,
      userId: user.id,
      positionId: callTime.positionId,
      callTimeUuid: callTime.uuid,
      shiftUuid: shift.uuid,
      unused: { positionId: position.id, skillLevelId: skillLevel.id, fieldUuid: field.uuid },
      keyId: apiKey.publicId,
      email: user.email,
    },
    credential: (actor) => credentials[actor],
  };
}

function callOf(route: string, target: Target) {
  const [method, template] = route.split(' ') as ['GET', string];
  const url = template
    .replace(/\{(uuid|event_uuid)\}/, target.uuid)
    .replace('{id}', String(target.userId))
    .replace('{keyId}', target.keyId);
  const body = routes[route]![1]?.(target);
  return { method, url, ...(body && { body }) };
}

/** All rows of a business, save the stamps that reading leaves behind. */
async function rowsOf({ business }: Cast): Promise<unknown> {
  const rowsIn = (table: string) =>
    `'${table}', (SELECT json_agg(to_jsonb(t) - 'last_used_at' ORDER BY to_jsonb(t)::text) FROM ${table} t WHERE business_id = ${business.id})`;
  const [row] = await service.prisma.$queryRawUnsafe<{ rows: unknown }[]>(
    `SELECT json_build_object(${tables.map(rowsIn).join(', ')}) AS rows`,
  );
  return row?.rows;
}

const tables = [
  'users',
  'personal_tokens',
  'api_keys',
  'events',
  'call_times',
  'work_shifts',
  'positions',
  'skill_levels',
  'custom_fields',
  'custom_field_values',
];

const cases = (table: Record<string, readonly [readonly unknown[], ...unknown[]]>) =>
  Object.entries(table).flatMap(([name, [expected]]) =>
    actors.map((actor, index) => ({ name, actor, expected: expected[index] })),
  );

/** What browsers and probes ask for; scripts and styles beside. */
const publicPages = ['/', '/openapi.json', '/graphql/schema.graphql', '/healthz', '/readyz'];

describe('the table of routes', () => {
  test('has a row for every route of the OpenAPI document, and a status for every actor', () => {
    const { paths } = service.app.http.swagger() as { paths: Record<string, object> };
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(Object.keys(routes).sort()).toEqual(documented.sort());
    for (const [statuses] of Object.values(routes)) expect(statuses).toHaveLength(actors.length);
  });

  test('and the pages are all that the running service has', () => {
    const parents: string[] = [];
    const addresses = service.app.http
      .printRoutes({ commonPrefix: false })
      .split('\n')
      .flatMap((line) => {
        const [, indent = '', part] = /^([│ ]*)[└├]── (\S+) \(/.exec(line) ?? [];
        if (part === undefined) return [];
        const depth = indent.length / 4;
        parents.length = depth;
        parents.push(part);
        return [parents.join('').replaceAll(/:(\w+)/g, '{$1}')];
      });
    const known = new Set(Object.keys(routes).map((route) => route.split(' ')[1]));
    const pages = addresses.filter((address) => !known.has(address) && !/^\/(docs|assets)(\/|$)/.test(address));
    expect(addresses).toEqual(expect.arrayContaining([...known]));
    expect(new Set(pages)).toEqual(new Set(['/graphql', ...publicPages]));
  });

  test.each(publicPages)('has no say over %s, which is for everyone', async (url) => {
    expect((await service.app.http.inject({ url })).statusCode).toBe(200);
  });

  test('cannot be slipped past: a route that does not say who may call it refuses to boot', async () => {
    const server = await createServer(configOf(), pino({ level: 'silent' }));
    await server.register(gate, {} as GateParts);
    server.get('/forgotten', () => 'secret');
    await expect(server.ready()).rejects.toThrow('/forgotten does not say who may call it');
  });
});

describe('in REST', () => {
  test.each(cases(routes))('$name by $actor: $expected', async ({ name, actor, expected }) => {
    const { cast, stranger, target, credential } = await stage();
    const before = [await rowsOf(cast), await rowsOf(stranger)];
    const { method, url, body } = callOf(name, target);
    const answer = await service.call(method, url, { as: credential(actor), body });
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: expected,
      code: codes[expected as number],
    });
    const after = [await rowsOf(cast), await rowsOf(stranger)];
    if (answer.status >= 400) {
      expect(after).toEqual(before);
    } else if (name !== 'POST /v1/auth/login') {
      // Whatever it did, it did to the business of the caller.
      const untouched = actor === "other business's admin" ? 0 : 1;
      expect(after[untouched]).toEqual(before[untouched]);
      if (method !== 'GET') expect(after[1 - untouched]).not.toEqual(before[1 - untouched]);
    }
    if (answer.status < 400 && method !== 'GET') clear();
  });

  test.each(Object.keys(routes).filter((route) => route.startsWith('GET')))(
    'HEAD asks for the same credential as %s',
    async (route) => {
      const { target } = await stage();
      const { url } = callOf(route, target);
      expect((await service.app.http.inject({ method: 'HEAD', url })).statusCode).toBe(401);
    },
  );

  test('who may not do it is told so before anything about the body', async () => {
    const { cast } = await stage();
    for (const [as, status] of [
      [undefined, 401],
      [cast.as.staff, 403],
    ] as const) {
      const headers = { 'content-type': 'application/json', ...(as && { authorization: `Bearer ${as}` }) };
      const reply = await service.app.http.inject({ method: 'POST', url: '/v1/events', headers, payload: '{' });
      expect(reply.statusCode).toBe(status);
    }
  });

  const named = Object.keys(routes).filter((route) => route.includes('{'));

  test.each(named)('a row of another business is answered as an unknown one, byte by byte: %s', async (route) => {
    const { stranger, target } = await stage();
    const unknown = { ...target, uuid: randomUUID(), userId: 2_147_483_647, keyId: 'A1b2C3d4E5f6' };
    const answers = [];
    for (const name of [target, unknown]) {
      const { method, url, body } = callOf(route, name);
      const headers = { authorization: `Bearer ${stranger.as.admin}` };
      const reply = await service.app.http.inject({ method, url, headers, ...(body && { payload: body }) });
      const ofTheMoment = ['x-request-id', 'date', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
      const shown = Object.entries(reply.headers).filter(([header]) => !ofTheMoment.includes(header));
      answers.push({ status: reply.statusCode, headers: shown, body: reply.body });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]!.status).toBe(404);
  });
});

describe('in GraphQL', () => {
  const input = `{ title: "Gala", startTime: "2026-12-31 18:00:00", endTime: "2026-12-31 23:00:00", timezone: "UTC" }`;
  const whole = [undefined, 'FORBIDDEN', 'FORBIDDEN'];
  const anyAdmin = ['UNAUTHENTICATED', ...whole.slice(1), undefined, undefined, undefined];
  const ownAdmin = [...anyAdmin.slice(0, 5), 'NOT_FOUND'];
  const anyone = Array<undefined>(6).fill(undefined);
  const withinReach = ['UNAUTHENTICATED', 'NOT_FOUND', undefined, ...ownAdmin.slice(3)];
  const onlyIn = (place: number) => ['UNAUTHENTICATED', ...Array(5).fill('FORBIDDEN')].with(place, undefined);
  const adminInPerson = anyAdmin.with(4, 'FORBIDDEN');
  const everyoneInPerson = ['UNAUTHENTICATED', ...anyone.slice(1)].with(4, 'FORBIDDEN');
  const ownAdminAndStaff = ['UNAUTHENTICATED', 'FORBIDDEN', undefined, undefined, undefined, 'NOT_FOUND'];
  const callTimeInput = `staffNeeded: 2, startTime: "2026-12-31 18:00:00", endTime: "2026-12-31 23:00:00"`;
  const span = 'from: "2026-12-01T00:00:00Z", to: "2027-01-01T00:00:00Z"';
  const changeOfShift =
    (mutation: string, input = '') =>
    ({ shiftUuid }: Target) =>
      `mutation { ${mutation}(uuid: "${shiftUuid}"${input}) { uuid } }`;

  /** Every root field, with the code that each actor gets. */
  const fields: Record<string, readonly [readonly (string | undefined)[], (target: Target) => string]> = {
    viewer: [['UNAUTHENTICATED', ...anyone.slice(1)], () => '{ viewer { name } }'],
    rateLimit: [anyone, () => '{ rateLimit { limit } }'],
    event: [withinReach, ({ uuid }) => `{ event(uuid: "${uuid}") { title } }`],
    myEvents: [onlyIn(1), () => '{ myEvents { totalCount } }'],
    myShifts: [onlyIn(2), () => '{ myShifts { totalCount } }'],
    events: [anyAdmin, () => '{ events { totalCount } }'],
    coverage: [anyAdmin, () => `{ coverage(${span}, groupBy: DAY) { total { needed } } }`],
    labourCost: [anyAdmin, () => `{ labourCost(${span}, groupBy: DAY) { total { planned } } }`],
    conflicts: [anyAdmin, () => `{ conflicts(${span}) { totalCount } }`],
    login: [anyone, ({ email }) => `mutation { login(email: "${email}", password: "${password}") { accessToken } }`],
    createEvent: [anyAdmin, () => `mutation { createEvent(input: ${input}) { uuid } }`],
    updateEvent: [
      ownAdmin,
      ({ uuid }) => `mutation { updateEvent(uuid: "${uuid}", input: { title: "Changed" }) { uuid } }`,
    ],
    createCallTime: [
      ownAdmin,
      ({ uuid, positionId }) =>
        `mutation { createCallTime(eventUuid: "${uuid}", input: { positionId: ${positionId}, ${callTimeInput} }) { uuid } }`,
    ],
    updateCallTime: [
      ownAdmin,
      ({ callTimeUuid }) => `mutation { updateCallTime(uuid: "${callTimeUuid}", input: { staffNeeded: 3 }) { uuid } }`,
    ],
    deleteCallTime: [ownAdmin, ({ callTimeUuid }) => `mutation { deleteCallTime(uuid: "${callTimeUuid}") { uuid } }`],
    assignShift: [
      ownAdmin,
      ({ callTimeUuid, userId }) =>
        `mutation { assignShift(input: { callTimeUuid: "${callTimeUuid}", userId: ${userId} }) { uuid } }`,
    ],
    // What one of many is refused for stands in its result.
    assignShifts: [
      anyAdmin,
      ({ callTimeUuid, userId }) =>
        `mutation { assignShifts(inputs: [{ callTimeUuid: "${callTimeUuid}", userId: ${userId} }]) { error { code } } }`,
    ],
    updateShift: [ownAdmin, changeOfShift('updateShift', ', input: { payRate: "30" }')],
    confirmShift: [ownAdminAndStaff, changeOfShift('confirmShift')],
    unconfirmShift: [ownAdminAndStaff, changeOfShift('unconfirmShift')],
    declineShift: [ownAdminAndStaff, changeOfShift('declineShift')],
    cancelShift: [ownAdmin, changeOfShift('cancelShift')],
    deleteShift: [ownAdmin, changeOfShift('deleteShift')],
    copyEvent: [ownAdmin, ({ uuid }) => `mutation { copyEvent(uuid: "${uuid}", input: { days: 7 }) { uuid } }`],
    positions: [anyAdmin, () => '{ positions { title } }'],
    createPosition: [
      anyAdmin,
      () => 'mutation { createPosition(input: { title: "Rigger", defaultPayRate: "20" }) { id } }',
    ],
    updatePosition: [
      ownAdmin,
      ({ unused }) => `mutation { updatePosition(id: ${unused.positionId}, input: { title: "Changed" }) { id } }`,
    ],
    deletePosition: [ownAdmin, ({ unused }) => `mutation { deletePosition(id: ${unused.positionId}) { id } }`],
    skillLevels: [anyAdmin, () => '{ skillLevels { name } }'],
    createSkillLevel: [anyAdmin, () => 'mutation { createSkillLevel(input: { name: "Novice" }) { id } }'],
    updateSkillLevel: [
      ownAdmin,
      ({ unused }) => `mutation { updateSkillLevel(id: ${unused.skillLevelId}, input: { name: "Changed" }) { id } }`,
    ],
    deleteSkillLevel: [ownAdmin, ({ unused }) => `mutation { deleteSkillLevel(id: ${unused.skillLevelId}) { id } }`],
    customFieldDefinitions: [anyAdmin, () => '{ customFieldDefinitions { name } }'],
    createCustomField: [
      anyAdmin,
      () => 'mutation { createCustomField(input: { name: "Menu", type: MULTILINE }) { uuid } }',
    ],
    updateCustomField: [
      ownAdmin,
      ({ unused }) =>
        `mutation { updateCustomField(uuid: "${unused.fieldUuid}", input: { name: "Changed" }) { uuid } }`,
    ],
    deleteCustomField: [
      ownAdmin,
      ({ unused }) => `mutation { deleteCustomField(uuid: "${unused.fieldUuid}") { uuid } }`,
    ],
    setCustomFieldValues: [
      ownAdmin,
      ({ uuid, unused }) =>
        `mutation { setCustomFieldValues(eventUuid: "${uuid}", values: [{ fieldUuid: "${unused.fieldUuid}", value: "x" }]) { uuid } }`,
    ],
    users: [anyAdmin, () => '{ users { totalCount } }'],
    user: [ownAdmin, ({ userId }) => `{ user(id: ${userId}) { name } }`],
    createUser: [
      anyAdmin,
      () =>
        `mutation { createUser(input: { email: "${randomUUID()}@example.com", password: "enough of it", name: "Robin", role: STAFF }) { id } }`,
    ],
    updateUser: [ownAdmin, ({ userId }) => `mutation { updateUser(id: ${userId}, input: { name: "Changed" }) { id } }`],
    deleteUser: [ownAdmin, ({ userId }) => `mutation { deleteUser(id: ${userId}) { id } }`],
    changePassword: [
      everyoneInPerson,
      () => `mutation { changePassword(input: { current: "${password}", next: "another for tests" }) { revoked } }`,
    ],
    resetPassword: [
      ownAdmin,
      ({ userId }) => `mutation { resetPassword(userId: ${userId}, password: "another for tests") { revoked } }`,
    ],
    logout: [everyoneInPerson, () => 'mutation { logout { revoked } }'],
    logoutEverywhere: [everyoneInPerson, () => 'mutation { logoutEverywhere { revoked } }'],
    apiKeys: [adminInPerson, () => '{ apiKeys { name } }'],
    createApiKey: [adminInPerson, () => 'mutation { createApiKey(input: { name: "Key" }) { id } }'],
    revokeApiKey: [
      adminInPerson.with(5, 'NOT_FOUND'),
      ({ keyId }) => `mutation { revokeApiKey(id: "${keyId}") { revoked } }`,
    ],
    revokeAllApiKeys: [adminInPerson, () => 'mutation { revokeAllApiKeys { revoked } }'],
  };

  test('the table has a row for every root field', () => {
    const schema = createSchema();
    const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) => Object.keys(type!.getFields()));
    expect(Object.keys(fields).sort()).toEqual(roots.sort());
    expect(schema.getSubscriptionType()).toBeFalsy();
  });

  test.each(cases(fields))('$name by $actor: $expected', async ({ name, actor, expected }) => {
    const { cast, stranger, target, credential } = await stage();
    const before = [await rowsOf(cast), await rowsOf(stranger)];
    const { status, body } = await service.graphql(fields[name]![1](target), { as: credential(actor) });
    expect(body.errors?.[0].extensions.code).toBe(expected);
    expect(status).toBe(expected === 'UNAUTHENTICATED' ? 401 : 200);
    if (expected === undefined) {
      clear();
      expect(Object.keys(body.data)).toEqual([name]);
    } else {
      expect(Object.values(body.data ?? {}).filter((value) => value !== null)).toEqual([]);
      expect([await rowsOf(cast), await rowsOf(stranger)]).toEqual(before);
    }
  });

  test('an event of another business is answered as an unknown one', async () => {
    const { stranger, target } = await stage();
    for (const name of ['event', 'updateEvent']) {
      const [foreign, unknown] = [target, { ...target, uuid: randomUUID() }].map((each) =>
        service.graphql(fields[name]![1](each), { as: stranger.as.admin }),
      );
      expect((await foreign!).body).toEqual((await unknown!).body);
    }
  });
});
