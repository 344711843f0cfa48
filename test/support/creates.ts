import { randomUUID } from 'node:crypto';
import { buildDocument, buildSelection, type SchemaField } from '../../src/bin/isolation/documents.ts';
import { createSchema } from '../../src/nouns.ts';
import type { TestApp } from './app.ts';
import type { Tenant } from './factories.ts';
import { newFields, resources, type AnyResource } from './resources.ts';
import { toGraphQl, toRest } from './rest-names.ts';

/* Every create that can be sent again under a key, in both dialects. */

/** Rows that the creates refer to. */
export async function createScene(service: TestApp) {
  const tenant = await service.createTenant();
  const event = await service.createEvent(tenant.business);
  const callTime = await service.createCallTime(event, { staffNeeded: 100 });
  const later = { claims: 'open', positionId: callTime.positionId } as const;
  const claimable = await service.createCallTime(event, {
    ...later,
    ...{ start: '2990-01-05 08:00:00', end: '2990-01-05 10:00:00' },
  });
  const alsoClaimable = await service.createCallTime(event, {
    ...later,
    ...{ start: '2990-01-06 08:00:00', end: '2990-01-06 10:00:00' },
  });
  const qualification = await service.createQualification(tenant.business);
  const onDay = (day: number) =>
    service.createShift(event, tenant.staff, {
      ...{ positionId: callTime.positionId, start: `2990-01-${day} 08:00:00`, end: `2990-01-${day} 10:00:00` },
    });
  const [swappable, alsoSwappable] = [await onDay(11), await onDay(12)];
  return { tenant, event, callTime, claimable, alsoClaimable, swappable, alsoSwappable, qualification };
}

export type Scene = Awaited<ReturnType<typeof createScene>>;

export interface Created {
  /** `OK`, or the code of the failure. */
  readonly code: string;
  readonly message: string;
  readonly errors: Record<string, string[]>;
  /** The whole answer. */
  readonly it: unknown;
  /** Status in REST. */
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly retryAfterS: number | undefined;
}

export interface Create {
  /** Name of the operation behind it. */
  readonly operation: string;
  /** Sends the same each time, or something else. */
  readonly send: (service: TestApp, scene: Scene, key: string | null, what?: 'same' | 'other') => Promise<Created>;
  /** Status in REST of a create that changes rows as well; that of all others is 201. */
  readonly status?: 200;
  /** How many rows there are. */
  readonly count: (service: TestApp, businessId: number) => Promise<number>;
}

/** One create in both dialects. */
interface Both {
  readonly operation: string;
  readonly route: string;
  readonly field: string;
  /** Prisma's name of the rows that are created. */
  readonly rows: keyof TestApp['prisma'] & string;
  /** Arguments of the field. Those that name a row stand in the address of the route or in its body. */
  readonly args: (what: 'same' | 'other', scene: Scene) => Args;
  readonly status?: 200;
  /** Only staff make it. */
  readonly byStaff?: true;
  /** Only where resource ids are unique. */
  readonly byResourceId?: true;
}

interface Args extends Record<string, unknown> {
  readonly input?: object;
}

const newEvent = (what: string) => ({
  title: `A ${what} gala`,
  startTime: '2027-01-01 18:00:00',
  endTime: '2027-01-02 02:00:00',
  timezone: 'Europe/London',
  clientId: null,
});

const newUser = (what: string, { business }: Tenant) => ({
  email: `${what}-${business.id}@example.com`,
  name: 'Robin Fields',
  role: 'staff',
  password: 'enough of a password',
});

/** A call time of a new event with one person. */
const newCallTimeIn = ({ callTime: { positionId }, tenant: { staff } }: Scene) => ({
  positionId,
  staffNeeded: 1,
  startTime: '2027-01-01 17:00:00',
  endTime: '2027-01-01 23:00:00',
  people: [{ userId: staff.id, payRate: '30.5' }],
});

const callTimeOfEvent = (what: string, { callTime: { positionId } }: Scene) => ({
  positionId,
  staffNeeded: what === 'same' ? 1 : 2,
  payRate: '25.5',
  startTime: '2026-12-05 16:00:00',
  endTime: '2026-12-05 17:00:00',
});

const claimed = (what: string, scene: Scene) => (what === 'same' ? scene.claimable : scene.alsoClaimable).uuid;
const swapped = (what: string, scene: Scene) => (what === 'same' ? scene.swappable : scene.alsoSwappable).uuid;

/** The create of a plain resource. */
const createOf = (resource: AnyResource): Both => ({
  operation: resource.operations.create.operation.name,
  route: `POST ${resource.url}`,
  field: `create${resource.model}`,
  rows: resource.noun,
  args: (what) => ({ input: newFields(resource, `The ${what} one`) }),
});

const inBoth: readonly Both[] = [
  {
    operation: 'offers.send',
    route: 'POST /v1/offers',
    field: 'offerShift',
    rows: 'offer',
    args: (what, scene) => ({
      callTimeId: claimed(what, scene),
      input: { userIds: [scene.tenant.staff.id], message: `The ${what} one` },
    }),
  },
  {
    operation: 'callTimes.claim',
    route: 'POST /v1/open_call_times/{id}/actions/claim',
    field: 'claimCallTime',
    rows: 'offer',
    args: (what, scene) => ({ id: claimed(what, scene) }),
    byStaff: true,
  },
  {
    operation: 'swaps.request',
    route: 'POST /v1/shift_swaps',
    field: 'requestSwap',
    rows: 'shiftSwap',
    args: (what, scene) => ({ input: { shiftId: swapped(what, scene) } }),
    byStaff: true,
  },
  {
    operation: 'events.createMany',
    route: 'POST /v1/events/batch',
    field: 'createEvents',
    rows: 'event',
    args: (what, scene) => {
      const one = { ...newEvent(what), callTimes: [newCallTimeIn(scene)] };
      return { inputs: [one, one, { ...one, endTime: 'soon' }] };
    },
  },
  {
    operation: 'events.upsert',
    route: 'PUT /v1/events/by_resource_id/{resourceId}',
    field: 'upsertEvent',
    rows: 'event',
    args: (what) => ({ resourceId: 'A/1', input: newEvent(what) }),
    byResourceId: true,
  },
  {
    operation: 'users.createMany',
    route: 'POST /api/v1/users/batch',
    field: 'createUsers',
    rows: 'user',
    args: (what, { tenant }) => {
      const one = newUser(what, tenant);
      return { inputs: [one, one, { ...one, email: 'none' }] };
    },
  },
  {
    operation: 'events.create',
    route: 'POST /v1/events',
    field: 'createEvent',
    rows: 'event',
    args: (what) => ({ input: newEvent(what) }),
  },
  {
    operation: 'events.copy',
    route: 'POST /v1/events/{id}/copy',
    field: 'copyEvent',
    rows: 'event',
    args: (what, { event }) => ({ id: event.uuid, input: { days: what === 'same' ? 7 : 14 } }),
  },
  {
    operation: 'callTimes.create',
    route: 'POST /v1/call_times',
    field: 'createCallTime',
    rows: 'callTime',
    args: (what, scene) => ({ eventId: scene.event.uuid, input: callTimeOfEvent(what, scene) }),
  },
  {
    operation: 'callTimes.changeMany',
    route: 'POST /v1/call_times/batch',
    field: 'changeCallTimes',
    rows: 'callTime',
    args: (what, scene) => ({ input: { eventId: scene.event.uuid, changes: [callTimeOfEvent(what, scene)] } }),
    status: 200,
  },
  {
    operation: 'workShifts.assign',
    route: 'POST /v1/work_shifts',
    field: 'assignShift',
    rows: 'workShift',
    args: (what, { callTime, tenant }) => ({
      input: {
        callTimeId: callTime.uuid,
        userId: tenant.staff.id,
        payRate: '30.5',
        ...(what === 'other' && { override: { reason: 'Once more' } }),
      },
    }),
  },
  {
    operation: 'workShifts.assignMany',
    route: 'POST /v1/work_shifts/batch',
    field: 'assignShifts',
    rows: 'workShift',
    args: (what, { callTime: { uuid: callTimeId }, tenant: { staff, client } }) => ({
      inputs: [
        { callTimeId, userId: staff.id, payRate: what === 'same' ? '30.5' : '40' },
        { callTimeId, userId: staff.id },
        { callTimeId, userId: client.id },
      ],
    }),
  },
  {
    operation: 'customFields.create',
    route: 'POST /v1/custom_fields',
    field: 'createCustomField',
    rows: 'customField',
    args: (what) => ({ input: { name: `The ${what} tier`, type: 'select', options: ['$date', 'b'] } }),
  },
  {
    operation: 'availabilityPatterns.create',
    route: 'POST /v1/users/{staffId}/availability/patterns',
    field: 'createAvailabilityPattern',
    rows: 'availabilityPattern',
    args: (what, { tenant }) => ({
      staffId: tenant.staff.id,
      input: {
        ...{ rule: 'available', weekday: 'friday', timezone: 'UTC', endTime: '17:00' },
        startTime: what === 'same' ? '09:00' : '10:00',
      },
    }),
  },
  {
    operation: 'availabilityExceptions.create',
    route: 'POST /v1/users/{staffId}/availability/exceptions',
    field: 'createAvailabilityException',
    rows: 'availabilityException',
    args: (note, { tenant }) => ({
      staffId: tenant.staff.id,
      input: { rule: 'unavailable', startsAt: '2031-01-01T00:00:00Z', endsAt: '2031-01-02T00:00:00Z', note },
    }),
  },
  {
    operation: 'availabilityPatterns.createMany',
    route: 'POST /v1/availability/patterns/batch',
    field: 'createAvailabilityPatterns',
    rows: 'availabilityPattern',
    args: (what, { tenant }) => {
      const window = { rule: 'available', weekday: 'friday', timezone: 'UTC', endTime: '17:00' };
      const one = { staffId: tenant.staff.id, ...window, startTime: what === 'same' ? '09:00' : '10:00' };
      return { inputs: [one, { ...one, startTime: 'noon' }] };
    },
  },
  {
    operation: 'availabilityExceptions.createMany',
    route: 'POST /v1/availability/exceptions/batch',
    field: 'createAvailabilityExceptions',
    rows: 'availabilityException',
    args: (note, { tenant }) => {
      const span = { startsAt: '2031-01-01T00:00:00Z', endsAt: '2031-01-02T00:00:00Z' };
      const one = { staffId: tenant.staff.id, rule: 'unavailable', ...span, note };
      return { inputs: [one, { ...one, endsAt: span.startsAt }] };
    },
  },
  ...resources.map(createOf),
  {
    operation: 'userQualifications.createMany',
    route: 'POST /v1/user_qualifications/batch',
    field: 'createUserQualifications',
    rows: 'userQualification',
    args: (what, { tenant, qualification }) => {
      const one = { userId: tenant.staff.id, qualificationId: qualification.id, validUntil: '2027-03-31' };
      return {
        inputs: [
          { ...one, level: what === 'same' ? 2 : 3 },
          { ...one, level: 9 },
        ],
      };
    },
  },
  {
    operation: 'userQualifications.create',
    route: 'POST /v1/user_qualifications',
    field: 'createUserQualification',
    rows: 'userQualification',
    args: (what, { tenant, qualification }) => ({
      input: {
        ...{ userId: tenant.staff.id, qualificationId: qualification.id, validUntil: '2027-03-31' },
        level: what === 'same' ? 2 : 3,
      },
    }),
  },
  {
    operation: 'users.create',
    route: 'POST /api/v1/users',
    field: 'createUser',
    rows: 'user',
    args: (what, { tenant }) => ({ input: newUser(what, tenant) }),
  },
  {
    operation: 'apiKeys.create',
    route: 'POST /v1/tokens/business',
    field: 'createApiKey',
    rows: 'apiKey',
    args: (what) => ({ input: { name: `The ${what} key` } }),
  },
  {
    operation: 'feeds.create',
    route: 'POST /v1/feeds',
    field: 'createFeed',
    rows: 'feed',
    args: (what) => ({ input: { kind: 'business', name: `The ${what} feed` } }),
  },
  {
    operation: 'webhooks.create',
    route: 'POST /v1/webhooks',
    field: 'createWebhookEndpoint',
    rows: 'webhookEndpoint',
    args: (what) => ({ input: { url: `https://${what}.example/` } }),
  },
  {
    operation: 'screens.approve',
    route: 'POST /v1/screens',
    field: 'approveScreen',
    rows: 'screen',
    args: (what) => ({ input: { code: what === 'same' ? 'KDWM-7RXQ' : 'QXR7-MWDK', name: `The ${what} screen` } }),
  },
];

async function prepare(service: TestApp, { byStaff, byResourceId }: Both, { tenant }: Scene): Promise<string> {
  const data = { uniqueResourceIds: true };
  // Written once, because a create that is sent again must find nothing changed.
  const where = { id: tenant.business.id, uniqueResourceIds: false };
  if (byResourceId) await service.prisma.business.updateMany({ where, data });
  return byStaff ? tenant.as.staff : tenant.as.admin;
}

const mutations = createSchema().getMutationType()!.getFields();

/** A parameter of a route has the name that REST gives it, if the route is documented. */
const documented = (route: string) =>
  route
    .replace('{staffId}', '{staff_id}')
    .replace('{resourceId}', '{id}')
    .replace(/\{id\}(?=\/(actions|copy))/, '{uuid}');

const inRest =
  (both: Both): Create['send'] =>
  async (service, scene, key, what = 'same') => {
    const as = await prepare(service, both, scene);
    const { input = {}, ...named } = both.args(what, scene);
    const [method, template = ''] = both.route.split(' ');
    const url = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(named[name]);
      delete named[name];
      return encodeURIComponent(value);
    });
    const { status, headers, body } = await service.call(method as 'POST', url, {
      as,
      body: toRest({ ...named, ...input }),
      ...(key !== null && { headers: { 'idempotency-key': key } }),
    });
    const { code = 'OK', message = '', errors = {} } = body;
    const retryAfterS = headers['retry-after'] === undefined ? undefined : Number(headers['retry-after']);
    return { code, message, errors, it: body, status, headers, retryAfterS };
  };

const inGraphQl =
  (both: Both): Create['send'] =>
  async (service, scene, key, what = 'same') => {
    const as = await prepare(service, both, scene);
    const field = mutations[both.field] as SchemaField;
    const call = { field, variables: { idempotencyKey: key, ...toGraphQl(both.args(what, scene)) } };
    const { query, variables } = buildDocument(
      'mutation',
      [call],
      buildSelection(field.type, { depth: 3, perPage: 5 }),
    );
    const { status, headers, body } = await service.graphql(query, { as, variables });
    const [error] = body.errors ?? [];
    const { code = 'OK', errors = {}, retryAfter: retryAfterS } = error?.extensions ?? {};
    const it = body.data?.[both.field] ?? null;
    return { code, message: error?.message ?? '', errors, it, status, headers, retryAfterS };
  };

export const creates: Readonly<Record<string, Create>> = Object.fromEntries(
  inBoth.flatMap((both): [string, Create][] => {
    const { operation, rows, status } = both;
    const table = (service: TestApp) => service.prisma[rows] as unknown as { count(of: object): Promise<number> };
    const facts = {
      operation,
      count: (service: TestApp, businessId: number) => table(service).count({ where: { businessId } }),
    };
    return [
      [documented(both.route), { ...facts, send: inRest(both), ...(status && { status }) }],
      [both.field, { ...facts, send: inGraphQl(both) }],
    ];
  }),
);

export const newKey = (): string => randomUUID();
