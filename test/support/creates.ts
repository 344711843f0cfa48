import { randomUUID } from 'node:crypto';
import type { GraphQLObjectType } from 'graphql';
import { buildSelection } from '../../src/bin/isolation/documents.ts';
import { createSchema } from '../../src/nouns.ts';
import type { TestApp } from './app.ts';
import type { Tenant } from './factories.ts';
import { delegateOf, inRestNames, newFields, resources, type AnyResource } from './resources.ts';

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

type Send = Create['send'];

/** Inputs with REST's names where they exist, so that both dialects can send the same values. */
const inputs = {
  event: (what: string) => ({
    title: `A ${what} gala`,
    start_time: '2027-01-01 18:00:00',
    end_time: '2027-01-02 02:00:00',
    timezone: 'Europe/London',
    client_id: null,
  }),
  user: (what: string, { business }: Tenant) => ({
    email: `${what}-${business.id}@example.com`,
    name: 'Robin Fields',
    role: 'staff',
    password: 'enough of a password',
  }),
  feed: (what: string) => ({ kind: 'business', name: `The ${what} feed` }),
  apiKey: (what: string) => ({ name: `The ${what} key` }),
  webhook: (what: string) => ({ url: `https://${what}.example/` }),
  screen: (what: string) => ({ code: what === 'same' ? 'KDWM-7RXQ' : 'QXR7-MWDK', name: `The ${what} screen` }),
};

const rest =
  (
    url: string | ((scene: Scene, what: string) => string),
    bodyOf: (what: string, tenant: Tenant, scene: Scene) => object,
    method: 'POST' | 'PUT' = 'POST',
  ): Send =>
  async (service, scene, key, what = 'same') => {
    const { tenant } = scene;
    const { status, headers, body } = await service.call(method, typeof url === 'string' ? url : url(scene, what), {
      as: tenant.as.admin,
      body: bodyOf(what, tenant, scene),
      ...(key !== null && { headers: { 'idempotency-key': key } }),
    });
    const { code = 'OK', message = '', errors = {} } = body;
    const retryAfterS = headers['retry-after'] === undefined ? undefined : Number(headers['retry-after']);
    return { code, message, errors, it: body, status, headers, retryAfterS };
  };

const mutation =
  (
    text: (scene: Scene, what: string) => string,
    variablesOf: (scene: Scene, what: string) => object = () => ({}),
  ): Send =>
  async (service, scene, key, what = 'same') => {
    const { status, headers, body } = await service.graphql(`mutation ${text(scene, what)}`, {
      as: scene.tenant.as.admin,
      variables: { key, ...variablesOf(scene, what) },
    });
    const [error] = body.errors ?? [];
    const { code = 'OK', errors = {}, retryAfter: retryAfterS } = error?.extensions ?? {};
    return { code, message: error?.message ?? '', errors, it: body.data?.it ?? null, status, headers, retryAfterS };
  };

const inGraphQl = ({
  start_time: startTime,
  end_time: endTime,
  client_id: clientId,
  ...same
}: ReturnType<typeof inputs.event>) => ({
  ...same,
  startTime,
  endTime,
  clientId,
});

const event = 'id uuid title startTime startsAt timezone client { id } createdAt modifiedAt version';
const shift = 'id uuid startTime startsAt payRate overrideReason createdAt modifiedAt version';

const pattern = { rule: 'available', weekday: 'friday', timezone: 'UTC' };

const counted = {
  patterns: (service: TestApp, businessId: number) =>
    service.prisma.availabilityPattern.count({ where: { businessId } }),
  exceptions: (service: TestApp, businessId: number) =>
    service.prisma.availabilityException.count({ where: { businessId } }),
  screens: (service: TestApp, businessId: number) => service.prisma.screen.count({ where: { businessId } }),
  events: (service: TestApp, businessId: number) => service.prisma.event.count({ where: { businessId } }),
  callTimes: (service: TestApp, businessId: number) => service.prisma.callTime.count({ where: { businessId } }),
  shifts: (service: TestApp, businessId: number) => service.prisma.workShift.count({ where: { businessId } }),
  users: (service: TestApp, businessId: number) => service.prisma.user.count({ where: { businessId } }),
  userQualifications: (service: TestApp, businessId: number) =>
    service.prisma.userQualification.count({ where: { businessId } }),
  feeds: (service: TestApp, businessId: number) => service.prisma.feed.count({ where: { businessId } }),
  apiKeys: (service: TestApp, businessId: number) => service.prisma.apiKey.count({ where: { businessId } }),
  offers: (service: TestApp, businessId: number) => service.prisma.offer.count({ where: { businessId } }),
  swaps: (service: TestApp, businessId: number) => service.prisma.shiftSwap.count({ where: { businessId } }),
  webhooks: (service: TestApp, businessId: number) => service.prisma.webhookEndpoint.count({ where: { businessId } }),
};

const schema = createSchema();
const mutations = schema.getMutationType()!.getFields();

/** The creates of a plain resource. */
function createsOf(resource: AnyResource): [string, Create][] {
  const { model, url, operations } = resource;
  const nameOf = (what: string) => `The ${what} one`;
  const facts: Omit<Create, 'send'> = {
    operation: operations.create.operation.name,
    count: ({ prisma }, businessId) => delegateOf(prisma, resource).count({ where: { businessId } }),
  };
  const selection = buildSelection(schema.getType(model) as GraphQLObjectType, { depth: 1, perPage: 5 });
  const field = `create${model}`;
  const inputType = String(mutations[field]!.args.find(({ name }) => name === 'input')!.type);
  const send = mutation(
    () => `($key: String, $input: ${inputType}) { it: ${field}(idempotencyKey: $key, input: $input) ${selection} }`,
    (_, what) => ({ input: newFields(resource, nameOf(what)) }),
  );
  const sendInRest = rest(url, (what) => inRestNames(newFields(resource, nameOf(what))));
  return [
    [`POST ${url}`, { ...facts, send: sendInRest }],
    [field, { ...facts, send }],
  ];
}

/** A call time of a new event with one person. */
const newCallTimeIn = ({ callTime: { positionId }, tenant: { staff } }: Scene) => ({
  position_id: positionId,
  staff_needed: 1,
  start_time: '2027-01-01 17:00:00',
  end_time: '2027-01-01 23:00:00',
  people: [{ user_id: staff.id, pay_rate: '30.5' }],
});

const newCallTimeInGraphQl = (scene: Scene) => {
  const {
    position_id: positionId,
    staff_needed: staffNeeded,
    start_time: startTime,
    end_time: endTime,
  } = newCallTimeIn(scene);
  return {
    positionId,
    staffNeeded,
    startTime,
    endTime,
    people: [{ userId: scene.tenant.staff.id, payRate: '30.5' }],
  };
};

/** Resource ids name events only where they are unique. */
const withUniqueResourceIds =
  (send: Send): Send =>
  async (service, scene, key, what) => {
    const { id } = scene.tenant.business;
    await service.prisma.business.updateMany({
      where: { id, uniqueResourceIds: false },
      data: { uniqueResourceIds: true },
    });
    return send(service, scene, key, what);
  };

/** Sends a claim, which is one of the staff member. */
const asStaff =
  (send: Send): Send =>
  (service, scene, key, what) => {
    const { tenant } = scene;
    return send(service, { ...scene, tenant: { ...tenant, as: { ...tenant.as, admin: tenant.as.staff } } }, key, what);
  };

const claimed = (scene: Scene, what: string) => (what === 'same' ? scene.claimable : scene.alsoClaimable).uuid;

const swapped = (scene: Scene, what: string) => (what === 'same' ? scene.swappable : scene.alsoSwappable).uuid;

export const creates: Readonly<Record<string, Create>> = {
  'POST /v1/offers': {
    operation: 'offers.send',
    count: counted.offers,
    send: rest('/v1/offers', (what, { staff }, scene) => ({
      call_time_uuid: claimed(scene, what),
      user_ids: [staff.id],
      message: `The ${what} one`,
    })),
  },
  offerShift: {
    operation: 'offers.send',
    count: counted.offers,
    send: mutation(
      (scene, what) =>
        `($key: String) { it: offerShift(idempotencyKey: $key, callTimeId: "${claimed(scene, what)}", input: { userIds: [${scene.tenant.staff.id}], message: "The ${what} one" })
          { id uuid message expiresAt createdAt recipients { id uuid state createdAt } } }`,
    ),
  },
  'POST /v1/open_call_times/{uuid}/actions/claim': {
    operation: 'callTimes.claim',
    count: counted.offers,
    send: asStaff(
      rest(
        (scene, what) => `/v1/open_call_times/${claimed(scene, what)}/actions/claim`,
        () => ({}),
      ),
    ),
  },
  claimCallTime: {
    operation: 'callTimes.claim',
    count: counted.offers,
    send: asStaff(
      mutation(
        (scene, what) =>
          `($key: String) { it: claimCallTime(idempotencyKey: $key, id: "${claimed(scene, what)}") { id uuid state respondedAt createdAt version } }`,
      ),
    ),
  },
  'POST /v1/shift_swaps': {
    operation: 'swaps.request',
    count: counted.swaps,
    send: asStaff(rest('/v1/shift_swaps', (what, _, scene) => ({ shift_uuid: swapped(scene, what) }))),
  },
  requestSwap: {
    operation: 'swaps.request',
    count: counted.swaps,
    send: asStaff(
      mutation(
        (scene, what) =>
          `($key: String) { it: requestSwap(idempotencyKey: $key, input: { shiftId: "${swapped(scene, what)}" }) { id uuid state createdAt version } }`,
      ),
    ),
  },
  'POST /v1/events/batch': {
    operation: 'events.createMany',
    count: counted.events,
    send: rest('/v1/events/batch', (what, _, scene) => ({
      inputs: [
        { ...inputs.event(what), call_times: [newCallTimeIn(scene)] },
        { ...inputs.event(what), call_times: [newCallTimeIn(scene)] },
        { ...inputs.event(what), end_time: 'soon' },
      ],
    })),
  },
  createEvents: {
    operation: 'events.createMany',
    count: counted.events,
    send: mutation(
      () => `($key: String, $inputs: [CreateEventInput!]!) { it: createEvents(idempotencyKey: $key, inputs: $inputs)
        { event { ${event} workShifts { ${shift} } } error { code message errors { field messages } } clashes { kind shiftUuid } } }`,
      (scene, what) => {
        const one = { ...inGraphQl(inputs.event(what)), callTimes: [newCallTimeInGraphQl(scene)] };
        return { inputs: [one, one, { ...one, endTime: 'soon' }] };
      },
    ),
  },
  'PUT /v1/events/by_resource_id/{id}': {
    operation: 'events.upsert',
    count: counted.events,
    send: withUniqueResourceIds(rest('/v1/events/by_resource_id/A%2F1', (what) => inputs.event(what), 'PUT')),
  },
  upsertEvent: {
    operation: 'events.upsert',
    count: counted.events,
    send: withUniqueResourceIds(
      mutation(
        () => `($key: String, $input: UpsertEventInput!) {
          it: upsertEvent(idempotencyKey: $key, resourceId: "A/1", input: $input) { isNew event { ${event} } } }`,
        (_, what) => ({ input: inGraphQl(inputs.event(what)) }),
      ),
    ),
  },
  'POST /api/v1/users/batch': {
    operation: 'users.createMany',
    count: counted.users,
    send: rest('/api/v1/users/batch', (what, tenant) => ({
      inputs: [inputs.user(what, tenant), inputs.user(what, tenant), { ...inputs.user(what, tenant), email: 'none' }],
    })),
  },
  createUsers: {
    operation: 'users.createMany',
    count: counted.users,
    send: mutation(
      () => `($key: String, $inputs: [CreateUserInput!]!) { it: createUsers(idempotencyKey: $key, inputs: $inputs)
        { user { id name email role createdAt updatedAt version } error { code message errors { field messages } } } }`,
      ({ tenant }, what) => {
        const one = { ...inputs.user(what, tenant), role: 'STAFF' };
        return { inputs: [one, one, { ...one, email: 'none' }] };
      },
    ),
  },
  'POST /v1/events': { operation: 'events.create', count: counted.events, send: rest('/v1/events', inputs.event) },
  createEvent: {
    operation: 'events.create',
    count: counted.events,
    send: mutation(
      () =>
        `($key: String, $input: CreateEventInput!) { it: createEvent(idempotencyKey: $key, input: $input) { ${event} } }`,
      (_, what) => ({ input: inGraphQl(inputs.event(what)) }),
    ),
  },
  'POST /v1/events/{uuid}/copy': {
    operation: 'events.copy',
    count: counted.events,
    send: rest(
      ({ event: { uuid } }) => `/v1/events/${uuid}/copy`,
      (what) => ({ days: what === 'same' ? 7 : 14 }),
    ),
  },
  'POST /v1/call_times': {
    operation: 'callTimes.create',
    count: counted.callTimes,
    send: rest('/v1/call_times', (what, _, { event: { uuid }, callTime: { positionId } }) => ({
      event_uuid: uuid,
      position_id: positionId,
      staff_needed: what === 'same' ? 1 : 2,
      pay_rate: '25.5',
      start_time: '2026-12-05 16:00:00',
      end_time: '2026-12-05 17:00:00',
    })),
  },
  'POST /v1/call_times/batch': {
    operation: 'callTimes.changeMany',
    status: 200,
    count: counted.callTimes,
    send: rest('/v1/call_times/batch', (what, _, { event: { uuid }, callTime: { positionId } }) => ({
      event_uuid: uuid,
      changes: [
        {
          position_id: positionId,
          staff_needed: what === 'same' ? 1 : 2,
          pay_rate: '25.5',
          start_time: '2026-12-05 16:00:00',
          end_time: '2026-12-05 17:00:00',
        },
      ],
    })),
  },
  'POST /v1/work_shifts': {
    operation: 'workShifts.assign',
    count: counted.shifts,
    send: rest('/v1/work_shifts', (what, { staff }, { callTime: { uuid } }) => ({
      call_time_uuid: uuid,
      user_id: staff.id,
      pay_rate: '30.5',
      ...(what === 'other' && { override_reason: 'Once more' }),
    })),
  },
  'POST /v1/work_shifts/batch': {
    operation: 'workShifts.assignMany',
    count: counted.shifts,
    send: rest('/v1/work_shifts/batch', (what, { staff, client }, { callTime: { uuid } }) => ({
      inputs: [
        { call_time_uuid: uuid, user_id: staff.id, pay_rate: what === 'same' ? '30.5' : '40' },
        { call_time_uuid: uuid, user_id: staff.id },
        { call_time_uuid: uuid, user_id: client.id },
      ],
    })),
  },
  'POST /v1/custom_fields': {
    operation: 'customFields.create',
    count: (service, businessId) => service.prisma.customField.count({ where: { businessId } }),
    send: rest('/v1/custom_fields', (what) => ({ name: `The ${what} tier`, type: 'select', options: ['$date', 'b'] })),
  },
  'POST /v1/users/{staff_id}/availability/patterns': {
    operation: 'availabilityPatterns.create',
    count: counted.patterns,
    send: rest(
      ({ tenant }) => `/v1/users/${tenant.staff.id}/availability/patterns`,
      (what) => ({ ...pattern, start_time: what === 'same' ? '09:00' : '10:00', end_time: '17:00' }),
    ),
  },
  'POST /v1/users/{staff_id}/availability/exceptions': {
    operation: 'availabilityExceptions.create',
    count: counted.exceptions,
    send: rest(
      ({ tenant }) => `/v1/users/${tenant.staff.id}/availability/exceptions`,
      (note) => ({ rule: 'unavailable', starts_at: '2031-01-01T00:00:00Z', ends_at: '2031-01-02T00:00:00Z', note }),
    ),
  },
  createAvailabilityPattern: {
    operation: 'availabilityPatterns.create',
    count: counted.patterns,
    send: mutation(
      (
        { tenant },
        what,
      ) => `($key: String) { it: createAvailabilityPattern(idempotencyKey: $key, staffId: ${tenant.staff.id},
        input: { rule: AVAILABLE, weekday: FRIDAY, timezone: "UTC", startTime: "${what === 'same' ? '09:00' : '10:00'}", endTime: "17:00" })
        { availabilityPattern { uuid startTime version } contradictedShifts { uuid } } }`,
    ),
  },
  createAvailabilityException: {
    operation: 'availabilityExceptions.create',
    count: counted.exceptions,
    send: mutation(
      (
        { tenant },
        what,
      ) => `($key: String) { it: createAvailabilityException(idempotencyKey: $key, staffId: ${tenant.staff.id},
        input: { rule: UNAVAILABLE, startsAt: "2031-01-01T00:00:00Z", endsAt: "2031-01-02T00:00:00Z", note: "${what}" })
        { availabilityException { uuid startsAt endsAt note } contradictedShifts { uuid } } }`,
    ),
  },
  copyEvent: {
    operation: 'events.copy',
    count: counted.events,
    send: mutation(
      (scene, what) => `($key: String) { it: copyEvent(idempotencyKey: $key, id: "${scene.event.uuid}",
        input: { days: ${what === 'same' ? 7 : 14} }) { event { ${event} } } }`,
    ),
  },
  createCallTime: {
    operation: 'callTimes.create',
    count: counted.callTimes,
    send: mutation(
      ({ event: { uuid }, callTime: { positionId } }, what) =>
        `($key: String) { it: createCallTime(idempotencyKey: $key, eventId: "${uuid}", input: { positionId: ${positionId},
          staffNeeded: ${what === 'same' ? 1 : 2}, payRate: "25.5", startTime: "2026-12-05 16:00:00", endTime: "2026-12-05 17:00:00" })
          { id uuid position { title } payRate startsAt createdAt modifiedAt version } }`,
    ),
  },
  changeCallTimes: {
    operation: 'callTimes.changeMany',
    count: counted.callTimes,
    send: mutation(
      ({ event: { uuid }, callTime: { positionId } }, what) =>
        `($key: String) { it: changeCallTimes(idempotencyKey: $key, input: { eventId: "${uuid}", changes: [{ positionId: ${positionId},
          staffNeeded: ${what === 'same' ? 1 : 2}, payRate: "25.5", startTime: "2026-12-05 16:00:00", endTime: "2026-12-05 17:00:00" }] })
          { callTimes { id uuid position { title } payRate startsAt createdAt modifiedAt version } } }`,
    ),
  },
  assignShift: {
    operation: 'workShifts.assign',
    count: counted.shifts,
    send: mutation(
      ({ callTime, tenant }, what) =>
        `($key: String) { it: assignShift(idempotencyKey: $key, input: { callTimeId: "${callTime.uuid}", userId: ${tenant.staff.id},
          payRate: "30.5"${what === 'same' ? '' : ', override: { reason: "Once more" }'} }) { shift { ${shift} } } }`,
    ),
  },
  assignShifts: {
    operation: 'workShifts.assignMany',
    count: counted.shifts,
    send: mutation(
      ({ callTime, tenant }, what) =>
        `($key: String) { it: assignShifts(idempotencyKey: $key, inputs: [
           { callTimeId: "${callTime.uuid}", userId: ${tenant.staff.id}, payRate: "${what === 'same' ? 30.5 : 40}" },
           { callTimeId: "${callTime.uuid}", userId: ${tenant.staff.id} },
           { callTimeId: "${callTime.uuid}", userId: ${tenant.client.id} }])
           { shift { ${shift} } error { code message errors { field messages } } clashes { kind shiftUuid startsAt endsAt minutes } } }`,
    ),
  },
  ...Object.fromEntries(resources.flatMap(createsOf)),
  createCustomField: {
    operation: 'customFields.create',
    count: (service, businessId) => service.prisma.customField.count({ where: { businessId } }),
    send: mutation(
      (_, what) => `($key: String) { it: createCustomField(idempotencyKey: $key,
        input: { name: "The ${what} tier", type: SELECT, options: ["$date", "b"] }) { uuid name type options sort version } }`,
    ),
  },
  'POST /v1/user_qualifications': {
    operation: 'userQualifications.create',
    count: counted.userQualifications,
    send: rest('/v1/user_qualifications', (what, { staff }, { qualification }) => ({
      ...{ user_id: staff.id, qualification_id: qualification.id, level: what === 'same' ? 2 : 3 },
      valid_until: '2027-03-31',
    })),
  },
  createUserQualification: {
    operation: 'userQualifications.create',
    count: counted.userQualifications,
    send: mutation(
      ({ tenant, qualification }, what) => `($key: String) { it: createUserQualification(idempotencyKey: $key,
        input: { userId: ${tenant.staff.id}, qualificationId: ${qualification.id}, level: ${what === 'same' ? 2 : 3}, validUntil: "2027-03-31" })
        { id level validFrom validUntil reference version } }`,
    ),
  },
  'POST /api/v1/users': { operation: 'users.create', count: counted.users, send: rest('/api/v1/users', inputs.user) },
  createUser: {
    operation: 'users.create',
    count: counted.users,
    send: mutation(
      () => `($key: String, $input: CreateUserInput!) { it: createUser(idempotencyKey: $key, input: $input)
        { id name email role createdAt updatedAt version } }`,
      ({ tenant }, what) => ({ input: { ...inputs.user(what, tenant), role: 'STAFF' } }),
    ),
  },
  'POST /v1/tokens/business': {
    operation: 'apiKeys.create',
    count: counted.apiKeys,
    send: rest('/v1/tokens/business', inputs.apiKey),
  },
  'POST /v1/feeds': { operation: 'feeds.create', count: counted.feeds, send: rest('/v1/feeds', inputs.feed) },
  createFeed: {
    operation: 'feeds.create',
    count: counted.feeds,
    send: mutation(
      () =>
        '($key: String, $input: CreateFeedInput!) { it: createFeed(idempotencyKey: $key, input: $input) { feed { id name } path } }',
      (_, what) => ({ input: { ...inputs.feed(what), kind: 'BUSINESS' } }),
    ),
  },
  'POST /v1/webhooks': {
    operation: 'webhooks.create',
    count: counted.webhooks,
    send: rest('/v1/webhooks', inputs.webhook),
  },
  createWebhookEndpoint: {
    operation: 'webhooks.create',
    count: counted.webhooks,
    send: mutation(
      () => `($key: String, $input: CreateWebhookEndpointInput!) { it: createWebhookEndpoint(idempotencyKey: $key, input: $input)
        { webhookEndpoint { id url } secret } }`,
      (_, what) => ({ input: inputs.webhook(what) }),
    ),
  },
  'POST /v1/screens': {
    operation: 'screens.approve',
    count: counted.screens,
    send: rest('/v1/screens', inputs.screen),
  },
  approveScreen: {
    operation: 'screens.approve',
    count: counted.screens,
    send: mutation(
      () => `($key: String, $input: ApproveScreenInput!) { it: approveScreen(idempotencyKey: $key, input: $input)
        { id uuid name names createdAt claimableUntil } }`,
      (_, what) => ({ input: inputs.screen(what) }),
    ),
  },
  createApiKey: {
    operation: 'apiKeys.create',
    count: counted.apiKeys,
    send: mutation(
      () =>
        '($key: String, $input: CreateApiKeyInput!) { it: createApiKey(idempotencyKey: $key, input: $input) { apiKey { id name } key } }',
      (_, what) => ({ input: inputs.apiKey(what) }),
    ),
  },
};

export const newKey = (): string => randomUUID();
