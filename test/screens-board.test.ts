import { beforeAll, describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import { registeredOperations } from '../src/access/operation-record.ts';
import { encodeGlobalId } from '../src/model/global-ids.ts';
import type { CallTime, Event, Position, Screen, WorkShift } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { createScreen } from './support/screens.ts';
import { keepOpen, subscribe } from './support/streams.ts';

/* What a screen may read: the events of its filter, in the shapes of a screen, and nothing else. */

let origin: string;
let tenant: Tenant;
let bartender: Position;
let server: Position;
let gala: Event;
let barCall: CallTime;
let barShift: WorkShift;
let serverShift: WorkShift;

const from = '2026-12-05T00:00:00Z';
const to = '2026-12-07T00:00:00Z';

const service = useService();

beforeAll(async () => {
  origin = await service.listen();
  tenant = await service.createTenant();
  const { business } = tenant;
  bartender = await service.createPosition(business, { title: 'Bartender' });
  server = await service.createPosition(business, { title: 'Server' });
  gala = await service.createEvent(business, {
    title: 'Winter gala',
    venueName: 'Grand Hall',
    city: 'Boston',
    clientId: tenant.client.id,
    privateNotes: 'PRIVATE',
    description: 'DESCRIPTION',
    address: '1 Secret Lane',
  });
  await service.createEvent(business, { title: 'Book fair 100%', venueName: 'Dock', city: 'New York' });
  barCall = await service.createCallTime(gala, { positionId: bartender.id, notesForStaff: 'NOTES', payRate: '77.00' });
  await service.createCallTime(gala, { positionId: server.id, staffNeeded: 3 });
  const anna = await service.createUser(business, 'staff', {
    name: 'Anna Baker',
    email: `anna-${business.id}@example.com`,
    phone: '+1 555 0100',
  });
  barShift = await service.createShift(gala, anna, {
    positionId: bartender.id,
    callTimeId: barCall.id,
    confirmed: true,
    payRate: '88.00',
    overrideReason: 'REASON',
  });
  serverShift = await service.createShift(gala, tenant.staff, { positionId: server.id });
  await service.createShift(gala, anna, { positionId: server.id, status: 'canceled' });
  await service.createEvent(business, { title: 'A draft', status: 'draft' });
  await service.createEvent(business, { title: 'Called off', status: 'canceled' });
  await service.createEvent((await service.createTenant()).business, { title: 'Of another business' });
  await service.setCustomValue(gala, await service.createCustomField(business), 'CUSTOM');
});
const createToken = async (more: Partial<Screen> = {}) => (await createScreen(service.prisma, tenant, more)).token;
const readRest = async (token: string) =>
  (await service.call('GET', `/v1/my_screen/board?from=${from}&to=${to}`, { as: token })).body.data;
const document = `query ($from: DateTimeISO!, $to: DateTimeISO!) { myScreenBoard(from: $from, to: $to) {
  hasMore events { uuid title timezone start { iso } startsAt endsAt startTimeTbd endTimeTbd venueName room city dressCode
    callTimes { uuid position skillLevel staffNeeded startsAt endsAt startTimeTbd endTimeTbd }
    workShifts { uuid callTimeUuid position firstName lastName confirmed startsAt endsAt } } } }`;
const readGraphql = async (token: string) =>
  (await service.graphql(document, { as: token, variables: { from, to } })).body.data.myScreenBoard;

interface Named {
  readonly title: string;
}
const titlesFor = async (more: Partial<Screen>) => {
  const token = await createToken(more);
  const titles = (await readRest(token)).events.map(({ title }: Named) => title);
  expect((await readGraphql(token)).events.map(({ title }: Named) => title)).toEqual(titles);
  return titles as string[];
};

describe('the board of a screen', () => {
  test('has the active events of the span, with call times and active shifts, in both dialects', async () => {
    const token = await createToken();
    const { events, has_more: hasMore } = await readRest(token);
    expect({ titles: events.map(({ title }: Named) => title), hasMore }).toEqual({
      titles: ['Winter gala', 'Book fair 100%'],
      hasMore: false,
    });
    expect(events[0]).toEqual({
      uuid: gala.uuid,
      title: 'Winter gala',
      timezone: 'America/New_York',
      start: '2026-12-05T18:00:00-05:00',
      starts_at: gala.startsAt.toISOString(),
      ends_at: gala.endsAt.toISOString(),
      start_time_tbd: false,
      end_time_tbd: false,
      venue_name: 'Grand Hall',
      room: null,
      city: 'Boston',
      dress_code: null,
      call_times: [
        expect.objectContaining({ uuid: barCall.uuid, position: 'Bartender', skill_level: null, staff_needed: 2 }),
        expect.objectContaining({ position: 'Server', staff_needed: 3 }),
      ],
      work_shifts: [
        expect.objectContaining({ uuid: barShift.uuid, call_time_uuid: barCall.uuid, confirmed: true }),
        expect.objectContaining({ uuid: serverShift.uuid, call_time_uuid: null, confirmed: false }),
      ],
    });
    const inGraphql = await readGraphql(token);
    expect(inGraphql.events[0]).toMatchObject({
      uuid: gala.uuid,
      start: { iso: '2026-12-05T18:00:00-05:00' },
      startsAt: gala.startsAt.toISOString(),
      workShifts: [{ uuid: barShift.uuid, position: 'Bartender' }, { uuid: serverShift.uuid }],
    });
  });

  test('has no contact, pay, notes, address, custom value or id of a person', async () => {
    const token = await createToken({ names: 'full' });
    const text = JSON.stringify([await readRest(token), await readGraphql(token)]);
    const hidden = ['@example.com', '555 0100', '77.00', '88.00', '20.00', 'PRIVATE', 'DESCRIPTION', 'NOTES', 'REASON'];
    for (const each of [...hidden, 'CUSTOM', 'Secret Lane', '"id"', 'user']) expect(text).not.toContain(each);
  });

  test.each([
    ['full', ['Anna', 'Baker']],
    ['short', ['Anna', 'B.']],
    ['hidden', [null, null]],
  ] as const)('names people %s', async (names, [firstName, lastName]) => {
    const token = await createToken({ names });
    const rest = await readRest(token);
    const graphql = await readGraphql(token);
    expect(rest.events[0].work_shifts[0]).toMatchObject({ first_name: firstName, last_name: lastName });
    expect(graphql.events[0].workShifts[0]).toMatchObject({ firstName, lastName });
    if (names !== 'full') expect(JSON.stringify([rest, graphql])).not.toMatch(/Baker|Fields/);
  });

  test.each<[string, () => Partial<Screen>, string[]]>([
    ['a city', () => ({ city: 'boston' }), ['Winter gala']],
    ['a client', () => ({ clientId: tenant.client.id }), ['Winter gala']],
    ['a text', () => ({ text: 'dock' }), ['Book fair 100%']],
    ['a text as it stands', () => ({ text: '0%' }), ['Book fair 100%']],
    ['a text that nothing has', () => ({ text: '%_' }), []],
    ['a position', () => ({ positionId: bartender.id }), ['Winter gala']],
    ['all of them', () => ({ positionId: bartender.id, city: 'New York' }), []],
    ['a position that is gone', () => ({ positionId: limits.int4Max }), []],
  ])('is filtered by %s', async (_, more, titles) => {
    expect(await titlesFor(more())).toEqual(titles);
  });

  test('of one position has its call times and shifts only', async () => {
    const token = await createToken({ positionId: bartender.id });
    const { events } = await readRest(token);
    expect(events[0].call_times.map(({ uuid }: CallTime) => uuid)).toEqual([barCall.uuid]);
    expect(events[0].work_shifts.map(({ uuid }: WorkShift) => uuid)).toEqual([barShift.uuid]);
    expect(JSON.stringify([events, await readGraphql(token)])).not.toContain('Server');
  });

  test.each([
    ['a span that ends before it begins', to, from],
    ['a span that is too long', from, '2028-12-05T00:00:00Z'],
  ])('is refused for %s', async (_, first, last) => {
    const token = await createToken();
    const url = `/v1/my_screen/board?from=${first}&to=${last}`;
    const { status, body } = await service.call('GET', url, { as: token });
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: ['to'] });
  });

  test('says that there is more than it shows', async () => {
    const { business, admin } = await service.createTenant();
    for (let i = 0; i < limits.screenEventsMax; i++) await service.createEvent(business);
    const { token } = await createScreen(service.prisma, { business, admin });
    expect(await readRest(token)).toMatchObject({ has_more: false });
    await service.createEvent(business);
    const board = await readRest(token);
    expect({ count: board.events.length, hasMore: board.has_more }).toEqual({
      count: limits.screenEventsMax,
      hasMore: true,
    });
  });
});

describe('cached answers', () => {
  test('are not shared by screens with other rights, nor with people', async () => {
    const tokens = await Promise.all([
      createToken({ names: 'full' }),
      createToken({ names: 'hidden' }),
      createToken({ city: 'New York' }),
    ]);
    // Answers are cached when their request comes a second time.
    for (let round = 0; round < 3; round++) {
      const [full, hidden, other] = await Promise.all(tokens.map(readRest));
      expect(full.events[0].work_shifts[0].last_name).toBe('Baker');
      expect(hidden.events[0].work_shifts[0].last_name).toBeNull();
      expect(other.events.map(({ title }: Named) => title)).toEqual(['Book fair 100%']);
      const inGraphql = await Promise.all(tokens.map(readGraphql));
      expect(inGraphql.map(({ events }) => events[0].workShifts[0]?.lastName)).toEqual(['Baker', null, undefined]);
    }
    const url = `/v1/my_screen/board?from=${from}&to=${to}`;
    const tags = await Promise.all(
      tokens.map(async (as) => (await service.call('GET', url, { as })).headers['etag'] as string),
    );
    expect(new Set(tags).size).toBe(3);
    const held = { 'if-none-match': tags[0]! };
    expect((await service.call('GET', url, { as: tokens[0], headers: held })).status).toBe(304);
    expect((await service.call('GET', url, { as: tokens[1], headers: held })).status).toBe(200);
    expect((await service.call('GET', url, { as: tenant.as.admin, headers: held })).status).toBe(403);
  });
});

describe('everything else', () => {
  const open = [
    ...['attendance.checkOnScreen', 'attendance.readScreenCode', 'revision.get'],
    ...['screens.getOwn', 'screens.readBoard', 'screens.revokeOwn'],
  ];

  test('is refused: no operation names screens but those of the board', () => {
    const forScreens = registeredOperations().filter(({ roles }) => roles !== 'anyone' && 'screen' in roles);
    expect(forScreens.map(({ name }) => name)).toEqual(open);
  });

  test('is refused for rows by their global id as well', async () => {
    const token = await createToken();
    const ids = [
      encodeGlobalId('Event', gala.uuid),
      encodeGlobalId('WorkShift', barShift.uuid),
      encodeGlobalId('CallTime', barCall.uuid),
      encodeGlobalId('User', tenant.staff.id),
      encodeGlobalId('Business', tenant.business.id),
    ];
    for (const id of ids) {
      const { body } = await service.graphql('query ($id: ID!) { node(id: $id) { id __typename } }', {
        as: token,
        variables: { id },
      });
      expect(body).toMatchObject({ data: { node: null }, errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    }
  });

  test.each([
    '/v1/events',
    '/v1/changes',
    '/v1/changes/stream',
    '/v1/viewer',
    '/v1/business',
    '/v1/screens',
    '/api/v1/users',
    '/v1/history',
  ])('is refused at %s', async (url) => {
    expect((await service.call('GET', url, { as: await createToken() })).status).toBe(403);
  });

  test('is refused for the stream of changes over GraphQL', async () => {
    const stream = await subscribe(origin, 'subscription { changes { nextCursor } }', {
      as: await createToken(),
    });
    await stream.ended;
    expect(JSON.stringify([stream.events, stream.text()])).toContain('FORBIDDEN');
  });
});

describe('the stream of the data version', () => {
  const keep = keepOpen();

  test('tells a screen of a change, and ends at once when the screen is revoked', async () => {
    const { screen, token } = await createScreen(service.prisma, tenant);
    const stream = await keep(subscribe(origin, 'subscription { revision }', { as: token }));
    await stream.until(() => true);
    await service.createEvent(tenant.business, {
      title: 'New',
      start: '2027-01-01 18:00:00',
      end: '2027-01-01 23:00:00',
    });
    const { revision } = (await service.call('GET', '/v1/revision', { as: token })).body.data;
    await stream.until(({ data }) => data?.data?.revision === revision);
    const revoked = await service.call('DELETE', `/v1/screens/${screen.uuid}`, { as: tenant.as.admin });
    expect(revoked.status).toBe(200);
    await stream.ended;
    expect(JSON.stringify(stream.events)).toContain('UNAUTHENTICATED');
  });
});
