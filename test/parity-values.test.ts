import { beforeAll, describe, expect, test } from '@jest/globals';
import { demoPassword } from '../src/access/demo.ts';
import type { Business } from '../src/generated/prisma/client.ts';
import { createSchema } from '../src/nouns.ts';
import { useService } from './support/app.ts';
import { createFullAndBare } from './support/full-event.ts';
import { callRoute, parityMap, type ParityMap } from './support/parity-map.ts';
import type { Route } from './support/parity.ts';
import {
  createResourceRow,
  delegateOf,
  inRestNames,
  newFields,
  newName,
  resources,
  type AnyResource,
} from './support/resources.ts';
import { takeShare } from './support/share.mjs';

/* Both dialects tell the same of the demo data, value by value, by the map that the test of parity checks. */

type Input = Readonly<Record<string, unknown>>;

let map: ParityMap;
let business: Business;
let admin: string;

const service = useService({ isAlone: true, isDemo: true });

beforeAll(async () => {
  map = parityMap(service.app.http.swagger(), createSchema());
  await service.prisma.business.updateMany({ data: { plan: 'enterprise' } });
  [business] = (await service.prisma.business.findMany({ orderBy: { id: 'asc' } })) as [Business];
  const user = await service.prisma.user.findFirstOrThrow({ where: { businessId: business.id, role: 'admin' } });
  admin = await service.tokenOf(user);
});

const routeOf = (operationId: string): Route => map.routes.find((route) => route.operationId === operationId)!;

async function inRest(route: Route, sent: Input, as: string | undefined): Promise<unknown> {
  const { status, body } = await callRoute(service, route, sent, as);
  expect({ route: route.operationId, isSuccess: status < 300, body }).toMatchObject({ isSuccess: true });
  return body;
}

async function inGraphQl(route: Route, sent: Input, as: string | undefined): Promise<unknown> {
  const { body } = await service.graphql(map.operationFor(route, sent), { as });
  expect({ route: route.operationId, errors: body.errors }).toEqual({ route: route.operationId, errors: undefined });
  return map.printedBy(route, body.data.it);
}

/** Fields that differ between any two answers, such as generated ids and times. */
const ofTheMoment = new Set(
  'id uuid created_at updated_at modified_at access_token key last_four last_used_at'.split(' '),
);

const settled = (value: unknown, isWrite: boolean): unknown => {
  if (Array.isArray(value)) return value.map((each) => settled(each, isWrite));
  if (typeof value !== 'object' || value === null) return value;
  const { success: _, message: __, ...rest } = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(rest).map(([name, inner]) => [
      name,
      isWrite && ofTheMoment.has(name) ? typeof inner : settled(inner, isWrite),
    ]),
  );
};

/** Reads through both dialects; answers what REST said. */
async function compare(operationId: string, sent: Input = {}, as = admin) {
  const route = routeOf(operationId);
  const rest = await inRest(route, sent, as);
  expect(settled(await inGraphQl(route, sent, as), false)).toEqual(settled(rest, false));
  // oxlint-disable-next-line no-explicit-any -- looked into freely
  return rest as any;
}

describe('REST and GraphQL return the same for', () => {
  test.each(['events.list', 'events.listEarlier'])(
    'every page of %s, by status and in both directions',
    async (operationId) => {
      let seen = 0;
      for (const filter of [{}, { status: 'deleted' }, { status: 'draft', sort_order: 'asc' }, { sort_order: 'desc' }])
        for (let page = 1, last = 1; page <= last; page++) {
          const { data } = await compare(operationId, { ...filter, page, per_page: 20 });
          last = data.last_page;
          seen += data.data.length;
        }
      expect(seen).toBeGreaterThan(80);
      await compare(operationId);
      await compare(operationId, { page: 9999 });
    },
  );

  test('single events and their shifts', async () => {
    const events = await service.prisma.event.findMany({ where: { businessId: business.id }, orderBy: { id: 'asc' } });
    let shifts = 0;
    for (const { uuid } of takeShare('events', events, 6, (event) => event === events[0])) {
      await compare('events.get', { uuid });
      await compare('events.getEarlier', { uuid });
      const { data } = await compare('workShifts.listOfEvent', { event_uuid: uuid, page: 1, per_page: 100 });
      shifts += data.total;
    }
    expect(shifts).toBeGreaterThan(0);
    await compare('workShifts.listOfEvent', { event_uuid: events[0]!.uuid, page: 2, per_page: 1 });
    await compare('workShifts.listOfEvent', { event_uuid: events[0]!.uuid });
  });

  test('an event in which everything is set, and one in which nothing is', async () => {
    const tenant = await service.createTenant();
    await createFullAndBare(service, tenant);
    const { data } = await compare('events.list', {}, tenant.as.admin);
    expect(data.total).toBe(2);
    await compare('events.listEarlier', {}, tenant.as.admin);
    for (const { uuid } of data.data) {
      await compare('events.get', { uuid }, tenant.as.admin);
      await compare('events.getEarlier', { uuid }, tenant.as.admin);
      await compare('workShifts.listOfEvent', { event_uuid: uuid }, tenant.as.admin);
    }
  });

  test('users, API keys and plain resources', async () => {
    for (const filter of [{}, { role: 'admin' }, { role: 'staff' }, { role: 'client' }])
      for (const page of [1, 2]) await compare('users.list', { ...filter, page, per_page: 30 });
    const { data } = await compare('users.list');
    for (const { id } of takeShare('users', data as { id: number }[], 3)) await compare('users.get', { id });
    const { key } = await service.createKey(business, { name: 'Used' });
    await service.createKey(business, { name: 'Unused' });
    await service.call('GET', '/v1/events', { as: key });
    expect((await compare('apiKeys.list')).data.length).toBeGreaterThan(1);
    for (const resource of resources) {
      const { id } = await createResourceRow(service.prisma, resource, business.id);
      const { list, get } = resource.operations;
      expect((await compare(list.operation.name)).data).toContainEqual(expect.objectContaining({ id }));
      if (get) expect((await compare(get.operation.name, { id })).data).toMatchObject({ id });
    }
  });
});

describe('REST and GraphQL answer the same to', () => {
  const event = {
    title: 'Spring gala',
    start_time: '2027-03-14 01:30:00',
    end_time: '2027-03-14 23:00:00',
    timezone: 'America/New_York',
    description: 'Text\nof two lines "quoted"',
    address_line_2: 'Second floor',
    latitude: '40.7500',
    start_time_tbd: true,
    private_notes: null,
    status: 'draft',
  };
  const newUser = (index: number) => ({
    email: `parity${index}-${Math.random()}@example.com`,
    name: 'Robin van der Fields',
    role: 'staff',
    password: 'enough of a password',
  });
  const anyUser = async () => (await service.createUser(business, 'staff')).id;
  const keyId = async () => (await service.createKey(business)).apiKey.publicId;

  /** Input for each operation, created anew for each dialect; `as` if the caller is not the admin. */
  const samples: Record<string, (index: number) => Promise<{ sent: Input; as?: string | undefined }>> = {
    'tokens.login': async () => {
      const { email } = await service.prisma.user.findFirstOrThrow({
        where: { businessId: business.id, passwordHash: { not: null } },
      });
      return { sent: { email, password: demoPassword, scope: 'users:write read' }, as: undefined };
    },
    'tokens.revokeUsed': async () => ({
      sent: {},
      as: await service.tokenOf(await service.createUser(business, 'staff')),
    }),
    'tokens.revokeAllOwn': async () => {
      const user = await service.createUser(business, 'client');
      await service.tokenOf(user);
      return { sent: {}, as: await service.tokenOf(user) };
    },
    'apiKeys.create': async () => ({
      sent: { name: 'Payroll', scopes: ['staffing:write', 'read'], expires_at: '2030-01-31T12:00:00+02:00' },
    }),
    'apiKeys.revoke': async () => ({ sent: { keyId: await keyId() } }),
    'apiKeys.revokeAll': async () => {
      await service.prisma.apiKey.updateMany({ where: { businessId: business.id }, data: { revokedAt: new Date() } });
      for (const _ of [1, 2, 3]) await keyId();
      return { sent: {} };
    },
    'events.create': async () => {
      const client = await service.prisma.user.findFirstOrThrow({ where: { businessId: business.id, role: 'client' } });
      return { sent: { ...event, client_id: client.id } };
    },
    'events.update': async () => ({
      sent: { ...event, uuid: (await service.createEvent(business)).uuid, status: 'canceled', end_time_tbd: 'true' },
    }),
    'users.create': async (index) => ({ sent: newUser(index) }),
    'users.update': async () => ({ sent: { id: await anyUser(), name: 'Alex', role: 'client' } }),
    'users.delete': async () => ({ sent: { id: await anyUser() } }),
    ...Object.fromEntries(resources.flatMap(samplesOf)),
  };

  /** Samples of a plain resource. A name is unique: nothing may have it before the call. */
  function samplesOf(resource: AnyResource): [string, () => Promise<{ sent: Input }>][] {
    const { create, update, remove } = resource.operations;
    const newId = async (name?: string) => (await createResourceRow(service.prisma, resource, business.id, name)).id;
    const freeName = async () => {
      await delegateOf(service.prisma, resource).deleteMany({
        where: { businessId: business.id, [resource.name]: 'Parity' },
      });
      return 'Parity';
    };
    return [
      [create.operation.name, async () => ({ sent: inRestNames(newFields(resource, await freeName())) })],
      [update.operation.name, async () => ({ sent: { id: await newId(), ...newName(resource, await freeName()) } })],
      [remove.operation.name, async () => ({ sent: { id: await newId(await freeName()) } })],
    ];
  }

  test('every route that writes, each of which has a sample', () => {
    const writing = map.routes.filter(({ method }) => method !== 'GET').map(({ operationId }) => operationId);
    expect(Object.keys(samples).sort()).toEqual(writing.sort());
  });

  test.each(Object.keys(samples))('%s', async (operationId) => {
    const route = routeOf(operationId);
    const answers = [];
    for (const [index, call] of [inRest, inGraphQl].entries()) {
      const { sent, as = operationId === 'tokens.login' ? undefined : admin } = await samples[operationId]!(index);
      const answer = settled(await call(route, sent, as), true) as {
        data?: { email?: string; call_times?: unknown[]; work_shifts?: unknown[] };
      };
      if (answer.data?.email) answer.data.email = typeof answer.data.email;
      // REST shows what a new event has brought, where it brought something.
      if (answer.data && operationId === 'events.create')
        answer.data = { call_times: [], work_shifts: [], ...answer.data };
      answers.push(answer);
    }
    expect(answers[1]).toEqual(answers[0]);
    // A deletion is confirmed by words in REST, by the row in GraphQL.
    if (operationId !== 'users.delete') expect(answers[0]).toEqual({ data: expect.anything() });
  });
});
