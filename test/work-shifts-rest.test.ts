import { beforeEach, describe, expect, test } from '@jest/globals';
import { useService, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';

/* Call times and work shifts through the routes beyond the contract. */

let tenant: Tenant;
let event: Awaited<ReturnType<TestApp['createEvent']>>;
let positionId: number;

const service = useService();

beforeEach(async () => {
  tenant = await service.createTenant();
  positionId = (await service.createPosition(tenant.business, { title: 'Usher', defaultPayRate: '21.5' })).id;
  event = await service.createEvent(tenant.business, { title: 'Gala', timezone: 'America/New_York' });
});

const admin = () => ({ as: tenant.as.admin });

const post = (url: string, body?: object) => service.call('POST', url, { ...admin(), ...(body && { body }) });
const get = (url: string, as = tenant.as.admin) => service.call('GET', url, { as });

const newCallTime = () => ({
  event_uuid: event.uuid,
  position_id: positionId,
  staff_needed: 1,
  start_time: '2026-12-05 17:00:00',
  end_time: '2026-12-05 23:30:00',
});

async function createCallTime(more: object = {}) {
  const { status, headers, body } = await post('/v1/call_times', { ...newCallTime(), ...more });
  expect({ status, body }).toMatchObject({ status: 201 });
  return { ...body.data, etag: headers['etag'] };
}

describe('a call time', () => {
  test('is created, read, changed and deleted in one shape, with instants that carry the offset', async () => {
    const created = await createCallTime({ pay_rate: '30', dress_code: 'Black' });
    expect(created).toMatchObject({
      event_uuid: event.uuid,
      position_id: positionId,
      position: 'Usher',
      skill_level_id: null,
      staff_needed: 1,
      start_time: '2026-12-05 17:00:00',
      starts_at: '2026-12-05T17:00:00-05:00',
      start_time_tbd: false,
      ends_at: '2026-12-05T23:30:00-05:00',
      duration_minutes: 390,
      pay_rate: '30.00',
      pay_unit: 'hour',
      notes_for_staff: '',
      dress_code: 'Black',
      timezone: 'America/New_York',
      version: 1,
      etag: '"1"',
      coverage: { needed: 1, assigned: 0, open: 1, fill_rate: 0, state: 'EMPTY' },
      labour_cost: { planned: '0.00', open: '195.00', currency: 'USD' },
    });
    const { etag: _, ...shown } = created;
    const url = `/v1/call_times/${created.uuid}`;
    expect((await get(url)).body.data).toEqual(shown);
    expect((await get(`/v1/call_times?event_uuid=${event.uuid}`)).body.data).toMatchObject({ total: 1, data: [shown] });

    const changed = await service.call('PUT', url, { ...admin(), body: { staff_needed: 3, start_time_tbd: 'true' } });
    expect(changed.body.data).toMatchObject({
      staff_needed: 3,
      start_time_tbd: true,
      duration_minutes: null,
      version: 2,
    });
    const removed = await service.call('DELETE', url, admin());
    expect(removed.body).toMatchObject({ success: true, data: { uuid: created.uuid }, message: 'Call time deleted.' });
    expect((await get(url)).status).toBe(404);
  });

  test('is refused with the names of REST', async () => {
    const { status, body } = await post('/v1/call_times', { ...newCallTime(), staff_needed: 0, bogus_field: 1 });
    expect(status).toBe(422);
    expect(Object.keys(body.errors).sort()).toEqual(['bogus_field', 'staff_needed']);
    const unknown = await post('/v1/call_times', { ...newCallTime(), event_uuid: crypto.randomUUID() });
    expect([unknown.status, unknown.body.message]).toEqual([404, 'No such event.']);
  });

  test('with active shifts is not deleted, and the refusal counts them', async () => {
    const { uuid } = await createCallTime();
    await post('/v1/work_shifts', { call_time_uuid: uuid, user_id: tenant.staff.id });
    const { status, body } = await service.call('DELETE', `/v1/call_times/${uuid}`, admin());
    expect([status, body.code, body.in_use]).toEqual([409, 'CONFLICT', { work_shifts: 1 }]);
    const tooFew = await service.call('PUT', `/v1/call_times/${uuid}`, { ...admin(), body: { staff_needed: 1 } });
    expect(tooFew.status).toBe(200);
  });

  test('is listed by position and skill level, page by page', async () => {
    const other = (await service.createPosition(tenant.business)).id;
    const uuids = [];
    for (const position of [positionId, other, other])
      uuids.push((await createCallTime({ position_id: position })).uuid);
    const list = async (query: string) => (await get(`/v1/call_times?event_uuid=${event.uuid}&${query}`)).body;
    expect((await list(`position_id=${other}`)).data.data.map(({ uuid }: { uuid: string }) => uuid)).toEqual(
      uuids.slice(1),
    );
    expect((await list('per_page=1&page=2')).data).toMatchObject({ total: 3, last_page: 3, current_page: 2 });
    expect((await list('per_page=0')).errors).toEqual({ per_page: ['must be at least 1'] });
    expect((await get('/v1/call_times')).body.data.total).toBe(3);
  });
});

describe('an assignment', () => {
  test('takes the values of its call time, and shows the event and the call time', async () => {
    const callTime = await createCallTime();
    const { status, headers, body } = await post('/v1/work_shifts', {
      call_time_uuid: callTime.uuid,
      user_id: tenant.staff.id,
    });
    expect([status, headers['etag']]).toEqual([201, '"1"']);
    expect(body.data).toMatchObject({
      event_uuid: event.uuid,
      event_name: 'Gala',
      call_time_uuid: callTime.uuid,
      user_id: tenant.staff.id,
      position: 'Usher',
      status: 'active',
      confirmed: false,
      starts_at: '2026-12-05T17:00:00-05:00',
      pay_rate: null,
      override_reason: '',
    });
    expect((await get(`/v1/work_shifts/${body.data.uuid}`)).body.data).toEqual(body.data);
  });

  test('that breaks a rule is refused with the clashes as data, and made with a reason', async () => {
    const { uuid } = await createCallTime();
    const assignment = { call_time_uuid: uuid, user_id: tenant.staff.id };
    const first = await post('/v1/work_shifts', assignment);
    const refused = await post('/v1/work_shifts', assignment);
    expect([refused.status, refused.body.code]).toEqual([409, 'CLASH']);
    expect(refused.body.clashes).toEqual([
      expect.objectContaining({ kind: 'OVERFILLED', call_time_uuid: uuid, needed: 1, assigned: 1, user_id: null }),
      expect.objectContaining({
        kind: 'OVERLAP',
        shift_uuid: first.body.data.uuid,
        event_uuid: event.uuid,
        starts_at: '2026-12-05T22:00:00.000Z',
        minutes: 390,
      }),
    ]);
    const made = await post('/v1/work_shifts', { ...assignment, override_reason: 'Two are better' });
    expect([made.status, made.body.data.override_reason]).toEqual([201, 'Two are better']);
    const blank = await post('/v1/work_shifts', { ...assignment, override_reason: ' ' });
    expect(blank.body.errors).toEqual({ override_reason: ['must not be blank'] });
  });

  test('is one of several, each with a result of its own', async () => {
    const { uuid } = await createCallTime({ staff_needed: 2 });
    const { status, body } = await post('/v1/work_shifts/batch', {
      inputs: [
        { call_time_uuid: uuid, user_id: tenant.staff.id },
        { call_time_uuid: uuid, user_id: tenant.staff.id },
        { call_time_uuid: uuid, user_id: tenant.client.id, bogus_field: 1 },
        { call_time_uuid: uuid, user_id: 0 },
        'nothing',
      ],
    });
    expect(status).toBe(201);
    const [made, clashing, unknown, wrong, nothing] = body.data;
    expect(made).toMatchObject({ work_shift: { call_time_uuid: uuid }, error: null });
    expect(clashing).toMatchObject({ work_shift: null, error: { code: 'CLASH', clashes: [{ kind: 'OVERLAP' }] } });
    expect(unknown.error).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: { bogus_field: ['is not a known field'] },
    });
    expect(wrong.error.errors).toEqual({ user_id: ['must be at least 1'] });
    expect(nothing.error.code).toBe('VALIDATION_FAILED');
    const tooMany = await post('/v1/work_shifts/batch', { inputs: Array.from({ length: 101 }, () => ({})) });
    expect(tooMany.body.errors).toEqual({ inputs: ['must have at most 100 items'] });
    expect((await post('/v1/work_shifts/batch', { inputs: 'all' })).status).toBe(422);
  });
});

describe('a shift', () => {
  const shiftOf = async (times: object = {}) => {
    const { uuid } = await createCallTime(times);
    return (await post('/v1/work_shifts', { call_time_uuid: uuid, user_id: tenant.staff.id })).body.data;
  };

  test('is confirmed by its staff member, and canceled by an admin only', async () => {
    // Staff give no shift back from its start on.
    event = await service.createEvent(tenant.business, { start: '2990-01-08 18:00:00', end: '2990-01-08 23:00:00' });
    const { uuid } = await shiftOf({ start_time: '2990-01-08 17:00:00', end_time: '2990-01-08 23:30:00' });
    const act = (action: string, as: string) =>
      service.call('POST', `/v1/work_shifts/${uuid}/actions/${action}`, { as });
    expect((await act('confirm', tenant.as.staff)).body.data).toMatchObject({ confirmed: true, version: 2 });
    expect((await act('unconfirm', tenant.as.staff)).body.data).toMatchObject({ confirmed: false });
    expect((await act('cancel', tenant.as.staff)).status).toBe(403);
    expect((await act('decline', tenant.as.staff)).body.data).toMatchObject({ status: 'canceled' });
    const late = await act('confirm', tenant.as.admin);
    expect([late.status, late.body.code]).toEqual([409, 'CONFLICT']);
    expect((await act('cancel', tenant.as.admin)).body.message).toBe('Work shift canceled.');
  });

  test('is changed, deleted and restored', async () => {
    const { uuid } = await shiftOf();
    const put = (body: object) => service.call('PUT', `/v1/work_shifts/${uuid}`, { ...admin(), body });
    expect((await put({ pay_rate: '33.5', end_time: null })).body.data).toMatchObject({
      pay_rate: '33.50',
      end_time: null,
      ends_at: null,
      duration_minutes: null,
    });
    expect((await service.call('DELETE', `/v1/work_shifts/${uuid}`, admin())).body.data.status).toBe('deleted');
    expect((await put({ status: 'active' })).body.data.status).toBe('active');
    expect((await put({ pay_rate: 33.5 })).body.errors).toHaveProperty('pay_rate');
  });

  test('is listed by event, call time or staff member, with filters', async () => {
    const shift = await shiftOf();
    const uuids = async (query: string, as?: string) => {
      const { body } = await get(`/v1/work_shifts?${query}`, as);
      return body.data.data.map(({ uuid }: { uuid: string }) => uuid);
    };
    for (const parent of [
      `event_uuid=${event.uuid}`,
      `call_time_uuid=${shift.call_time_uuid}`,
      `user_id=${tenant.staff.id}`,
    ]) {
      expect(await uuids(parent)).toEqual([shift.uuid]);
      expect(await uuids(`${parent}&confirmed=true`)).toEqual([]);
      expect(await uuids(`${parent}&status=canceled&status=deleted`)).toEqual([]);
      expect(await uuids(`${parent}&status=canceled&status=active`)).toEqual([shift.uuid]);
    }
    expect(await uuids(`event_uuid=${event.uuid}`, tenant.as.staff)).toEqual([shift.uuid]);
    expect(await uuids('', tenant.as.staff)).toEqual([shift.uuid]);
    expect((await get('/v1/my_shifts', tenant.as.staff)).body.data).toMatchObject({
      total: 1,
      data: [{ uuid: shift.uuid, event_name: 'Gala' }],
    });
    expect((await get('/v1/my_shifts?from=2027-01-01T00:00:00Z', tenant.as.staff)).body.data.total).toBe(0);
    expect((await get(`/v1/work_shifts?event_uuid=${event.uuid}&status=lost`)).body.errors).toEqual({
      'status.0': [expect.stringContaining('must be one of')],
    });
    expect(await uuids('')).toEqual([shift.uuid]);
  });
});
