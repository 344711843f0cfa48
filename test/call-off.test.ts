import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Event, User, WorkShift } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService } from './support/app.ts';
import { createScreen } from './support/screens.ts';

/* Calling off takes a reason, and views of shifts say what became of their events. */

const service = useService();
const tenant = useOneTenant(service);

const ask = (method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown, as = tenant.as.admin) =>
  service.call(method, url, { as, ...(body !== undefined && { body }) });
const cancel = (uuid: string, body?: unknown) => ask('POST', `/v1/work_shifts/${uuid}/actions/cancel`, body);

describe('the reason of a cancel', () => {
  let event: Event;
  beforeAll(async () => void (event = await service.createEvent(tenant.business)));
  const createShift = () => service.createShift(event, tenant.staff);

  test('is kept on the shift and in the history, and is null again once the shift is active', async () => {
    const { uuid } = await createShift();
    const reason = 'The client needs fewer people.';
    const { status, body } = await cancel(uuid, { reason });
    expect([status, body.data]).toMatchObject([200, { status: 'canceled', cancel_reason: reason, declined_at: null }]);
    const { data } = (await ask('GET', `/v1/history/work_shifts/${uuid}?per_page=1`)).body.data;
    expect(JSON.stringify(data[0])).toContain(reason);
    const restored = await ask('PUT', `/v1/work_shifts/${uuid}`, { status: 'active' });
    expect(restored.body.data).toMatchObject({ status: 'active', cancel_reason: '' });
  });

  test('can be left out, with the body or in it, and given afterwards', async () => {
    const { uuid } = await createShift();
    for (const body of [undefined, {}, { reason: null }]) {
      const { status, body: answer } = await cancel(uuid, body);
      expect([body, status, answer.data?.cancel_reason]).toEqual([body, 200, '']);
    }
    expect((await cancel(uuid, { reason: 'Ill' })).body.data.cancel_reason).toBe('Ill');
    expect((await cancel(uuid)).body.data.cancel_reason).toBe('Ill');
  });

  test.each([{ reason: '' }, { reason: ' \u200b' }, { reason: 7 }, { reason: 'x'.repeat(1001) }, { why: 'x' }])(
    '%j is refused',
    async (body) => {
      const { uuid } = await createShift();
      const { status, body: answer } = await cancel(uuid, body);
      expect([status, Object.keys(answer.errors)]).toEqual([422, Object.keys(body)]);
    },
  );

  test('is taken in GraphQL, and hidden from the person', async () => {
    const { uuid } = await createShift();
    const { body } = await service.graphql(
      'mutation ($id: ID!, $reason: String) { cancelShift(id: $id, reason: $reason) { status cancelReason } }',
      { as: tenant.as.admin, variables: { id: uuid, reason: 'Too late twice' } },
    );
    expect(body.data.cancelShift).toEqual({ status: 'CANCELED', cancelReason: 'Too late twice' });
    const own = await ask('GET', `/v1/work_shifts/${uuid}`, undefined, tenant.as.staff);
    expect(own.body.data).toMatchObject({ status: 'canceled', cancel_reason: '' });
  });
});

test("a shift shows the status of its event, also among the person's own", async () => {
  const event = await service.createEvent(tenant.business, { title: 'Called off' });
  const { uuid } = await service.createShift(event, tenant.staff);
  const statuses = async () => {
    const { data } = (await ask('GET', '/v1/my_shifts?per_page=100', undefined, tenant.as.staff)).body.data;
    const own = (data as { uuid: string; event_status: string }[]).find((shift) => shift.uuid === uuid);
    const one = await ask('GET', `/v1/work_shifts/${uuid}`, undefined, tenant.as.staff);
    return [own?.event_status, one.body.data.event_status];
  };
  expect(await statuses()).toEqual(['active', 'active']);
  expect((await ask('PUT', `/v1/events/${event.uuid}`, { status: 'canceled' })).status).toBe(200);
  expect(await statuses()).toEqual(['canceled', 'canceled']);
});

describe('a screen', () => {
  const from = '2031-03-01T00:00:00Z';
  const to = '2031-03-02T00:00:00Z';
  const create = (start: string, end: string, more = {}) =>
    service.createEvent(tenant.business, { start, end, timezone: 'UTC', ...more });
  const shiftAt = (event: Event, user: User, start: string, end: string) =>
    service.createShift(event, user, { start, end });

  test('says who is booked twice, also by an event outside of its span or its filter', async () => {
    const { business } = tenant;
    const [mira, zoe, ann] = await Promise.all(
      ['Mira', 'Zoe', 'Ann'].map((name) => service.createUser(business, 'staff', { name })),
    );
    const night = await create('2031-03-01 20:00:00', '2031-03-02 04:00:00', { city: 'Boston' });
    const next = await create('2031-03-02 01:00:00', '2031-03-02 05:00:00', { city: 'Rome' });
    const off = await create('2031-03-02 01:00:00', '2031-03-02 05:00:00', { status: 'canceled' });
    const shifts: WorkShift[] = [];
    for (const user of [mira!, zoe!, ann!])
      shifts.push(await shiftAt(night, user, '2031-03-01 20:00:00', '2031-03-02 04:00:00'));
    await shiftAt(next, mira!, '2031-03-02 01:00:00', '2031-03-02 05:00:00');
    await shiftAt(next, zoe!, '2031-03-02 04:00:00', '2031-03-02 05:00:00');
    await shiftAt(off, ann!, '2031-03-02 01:00:00', '2031-03-02 05:00:00');
    const { token } = await createScreen(service.prisma, tenant, { city: 'Boston' });
    const rest = await ask('GET', `/v1/my_screen/board?from=${from}&to=${to}`, undefined, token);
    const graphql = await service.graphql(
      `query ($from: DateTimeISO!, $to: DateTimeISO!) { myScreenBoard(from: $from, to: $to) { events { workShifts { uuid doubleBooked } } } }`,
      { as: token, variables: { from, to } },
    );
    const expected = Object.fromEntries(shifts.map(({ uuid }, index) => [uuid, index === 0]));
    const inRest = rest.body.data.events[0].work_shifts as { uuid: string; double_booked: boolean }[];
    const inGraphql = graphql.body.data.myScreenBoard.events[0].workShifts as { uuid: string; doubleBooked: boolean }[];
    expect(Object.fromEntries(inRest.map((shift) => [shift.uuid, shift.double_booked]))).toEqual(expected);
    expect(Object.fromEntries(inGraphql.map((shift) => [shift.uuid, shift.doubleBooked]))).toEqual(expected);
  });
});
