import { beforeAll, describe, expect, test } from '@jest/globals';
import { useOneTenant, useService } from './support/app.ts';
import { asker } from './support/ask.ts';
import { createFullAndBare } from './support/full-event.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';

/* Whole events: `?fields=full`, own events, copies and deletions. */

const query = asker(() => service, 'query');

const service = useService();
const tenant = useOneTenant(service);

beforeAll(async () => {
  await createFullAndBare(service, tenant);
});

const get = (url: string, as = tenant.as.admin, headers = {}) => service.call('GET', url, { as, headers });

async function fullEvents() {
  const { body } = await get('/v1/events?fields=full&status=active');
  const called = (wanted: string) => body.data.data.find(({ title }: { title: string }) => title === wanted);
  return { bare: called('Bare'), full: called('Full') };
}

describe('?fields=full', () => {
  test('gives one shape in lists and in single reads, with its own media type', async () => {
    const { full, bare } = await fullEvents();
    for (const event of [full, bare]) {
      const { headers, body } = await get(`/v1/events/${event.uuid}?fields=full`);
      expect(headers['content-type']).toBe('application/json; profile=full; charset=utf-8');
      expect(body).toEqual({ success: true, data: event, message: '' });
      expect(headers['etag']).toMatch(/^"1\./);
    }
    expect(Object.keys(full)).toEqual(Object.keys(bare));
    expect((await get(`/v1/events/${full.uuid}`)).headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('says what GraphQL says of the event, its call times, shifts and values', async () => {
    const { full } = await fullEvents();
    const { it } = await query(
      tenant.as.admin,
      `{ it: event(id: "${full.uuid}") { title status resourceId privateNotes venueName latitude startTime startTimeTbd version
        start { iso } end { iso } durationMinutes coverage { needed assigned confirmed open fillRate state }
        labourCost { planned confirmed open unpricedShifts unpricedOpen currency }
        callTimes { uuid staffNeeded start { iso } end { iso } durationMinutes notesForStaff coverage { needed open } }
        workShifts { uuid confirmed status start { iso } durationMinutes callTime { uuid } firstName }
        customFields { fieldUuid fieldName fieldValue } } }`,
    );
    expect(full).toMatchObject({
      title: it.title,
      status: 'active',
      resource_id: it.resourceId,
      private_notes: it.privateNotes,
      venue_name: it.venueName,
      latitude: '40.7500',
      start_time: it.startTime,
      start_time_tbd: it.startTimeTbd,
      starts_at: it.start.iso,
      ends_at: it.end.iso,
      duration_minutes: it.durationMinutes,
      version: it.version,
      client_id: tenant.client.id,
      business_id: tenant.business.id,
      coverage: {
        needed: it.coverage.needed,
        assigned: it.coverage.assigned,
        confirmed: it.coverage.confirmed,
        open: it.coverage.open,
        fill_rate: it.coverage.fillRate,
        state: it.coverage.state,
      },
      labour_cost: {
        planned: it.labourCost.planned,
        confirmed: it.labourCost.confirmed,
        open: it.labourCost.open,
        unpriced_shifts: it.labourCost.unpricedShifts,
        unpriced_open: it.labourCost.unpricedOpen,
        currency: it.labourCost.currency,
      },
    });
    expect(full.call_times.length).toBe(3);
    for (const [index, callTime] of it.callTimes.entries())
      expect(full.call_times[index]).toMatchObject({
        uuid: callTime.uuid,
        event_uuid: full.uuid,
        staff_needed: callTime.staffNeeded,
        starts_at: callTime.start.iso,
        ends_at: callTime.end.iso,
        duration_minutes: callTime.durationMinutes,
        notes_for_staff: callTime.notesForStaff ?? '',
        coverage: callTime.coverage,
      });
    expect(full.work_shifts.length).toBe(2);
    for (const [index, shift] of it.workShifts.entries())
      expect(full.work_shifts[index]).toMatchObject({
        uuid: shift.uuid,
        confirmed: shift.confirmed,
        starts_at: shift.start.iso,
        duration_minutes: shift.durationMinutes,
        call_time_uuid: shift.callTime?.uuid ?? null,
        first_name: shift.firstName,
      });
    expect(full.custom_fields).toEqual(
      it.customFields.map((value: Record<string, string>) => ({
        field_uuid: value['fieldUuid'],
        field_name: value['fieldName'],
        field_value: value['fieldValue'],
      })),
    );
  });

  test('shows texts that are not set as empty, and everything else that is missing as null', async () => {
    const { bare } = await fullEvents();
    expect(bare).toMatchObject({
      description: '',
      resource_id: '',
      client_id: null,
      call_times: [],
      work_shifts: [],
      custom_fields: [],
      coverage: { needed: 0, fill_rate: null, state: 'NONE_NEEDED' },
      labour_cost: { planned: '0.00' },
    });
  });

  test('refuses another value and leaves the contract as it is without it', async () => {
    for (const url of ['/v1/events', `/v1/events/${(await fullEvents()).full.uuid}`]) {
      const { status, body } = await get(`${url}?fields=some`);
      expect([status, body.errors]).toEqual([422, { fields: ['must be one of full'] }]);
    }
    const { body } = await get('/v1/events');
    expect(body.data.data[0]).not.toHaveProperty('timezone');
  });

  test('is cached with a tag of its own, and takes the same statements for few and many events', async () => {
    const { headers } = await get('/v1/events?fields=full');
    const again = await get('/v1/events?fields=full', tenant.as.admin, { 'if-none-match': String(headers['etag']) });
    expect(again.status).toBe(304);
    const counted = async (perPage: number) => {
      const before = sqlCount();
      await get(`/v1/events?fields=full&per_page=${perPage}`);
      return statementsSince(before).length;
    };
    const one = await counted(1);
    for (let index = 0; index < 5; index++) await createFullAndBare(service, await service.createTenant());
    expect(await counted(2)).toBe(one);
  });
});

describe('the list of events takes', () => {
  const titles = async (filter: string) => {
    const { status, body } = await get(`/v1/events?${filter}`);
    expect({ filter, status, errors: body.errors }).toMatchObject({ status: 200 });
    return body.data.data.map(({ title }: { title: string }) => title).sort();
  };

  test('the filter of GraphQL', async () => {
    const { full, bare } = await fullEvents();
    expect(await titles('search=ull')).toEqual(['Full']);
    expect(await titles(`resource_id=${encodeURIComponent(full.resource_id)}`)).toEqual(['Full']);
    expect(await titles('resource_id=none')).toEqual([]);
    expect(await titles(`client_id=${tenant.client.id}`)).toEqual(['Full']);
    expect(await titles(`staff_id=${tenant.staff.id}`)).toEqual(['Full']);
    expect(await titles(`position_id=${full.call_times[0].position_id}`)).toEqual(['Full']);
    expect(await titles('coverage_below=0.99')).toEqual(['Full']);
    expect(await titles(`city=${encodeURIComponent(full.city)}`)).toContain('Full');
    const [value] = full.custom_fields;
    const field = `custom_field_uuid=${value.field_uuid}&custom_field_value=${encodeURIComponent(value.field_value)}`;
    expect(await titles(field)).toEqual(['Full']);
    const day = bare.start_time.slice(0, 10);
    expect(await titles(`date_from=${day}&date_to=${day}`)).toContain('Bare');
    expect(await titles('date_from=2999-01-01')).toEqual([]);
    expect(await titles(`starts_from=${encodeURIComponent(bare.starts_at)}`)).toContain('Bare');
    expect(await titles('updated_since=2999-01-01T00:00:00Z')).toEqual([]);
    expect(await titles('updated_since=2020-01-01T00:00:00%2B02:00&fields=full')).toEqual(['Bare', 'Full']);
    const { body } = await get('/v1/events?sort_by=title&sort_order=desc');
    expect(body.data.data.map(({ title }: { title: string }) => title)).toEqual(['Full', 'Bare']);
  });

  test('no value that is wrong, and names it as it was sent', async () => {
    const refused: readonly (readonly [string, string])[] = [
      ['updated_since=yesterday', 'updated_since'],
      ['date_from=2027-02-30', 'date_from'],
      ['client_id=x', 'client_id'],
      ['coverage_below=2', 'coverage_below'],
      ['sort_by=color', 'sort_by'],
      ['custom_field_value=x', 'custom_field_uuid'],
      ['custom_field_uuid=x&custom_field_value=x', 'custom_field_uuid'],
      ['resource_id=%20', 'resource_id'],
    ];
    for (const [filter, name] of refused) {
      const { status, body } = await get(`/v1/events?${filter}`);
      expect({ filter, status, names: Object.keys(body.errors ?? {}) }).toEqual({ filter, status: 422, names: [name] });
    }
  });
});

describe('an event', () => {
  test('is deleted, and brought back by another status', async () => {
    const { uuid } = await service.createEvent(tenant.business, { title: 'Short' });
    const url = `/v1/events/${uuid}`;
    const deleted = await service.call('DELETE', url, { as: tenant.as.admin });
    expect(deleted.body).toMatchObject({ success: true, data: { uuid, status: 'deleted' }, message: 'Event deleted.' });
    expect((await get('/v1/events?search=Short')).body.data.total).toBe(0);
    expect((await get('/v1/events?search=Short&status=deleted')).body.data.total).toBe(1);
    const back = await service.call('PUT', url, { as: tenant.as.admin, body: { status: 'active' } });
    expect(back.body.data.status).toBe('active');
  });

  test('is copied with its call times, values and, if asked for, shifts', async () => {
    const { full } = await fullEvents();
    const copy = (body: object) => service.call('POST', `/v1/events/${full.uuid}/copy`, { as: tenant.as.admin, body });
    const { status, body } = await copy({ days: 7, title: 'Again' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ title: 'Again', status: 'draft', resource_id: '', work_shifts: [] });
    expect(body.data.call_times).toHaveLength(3);
    expect(body.data.custom_fields).toHaveLength(3);
    const clashing = await copy({ days: 7, with_shifts: 'true' });
    expect([clashing.status, clashing.body.clashes?.length > 0]).toEqual([409, true]);
    const twice = await copy({ days: 7, with_shifts: true, override_reason: 'Twice' });
    expect([twice.status, twice.body.data?.work_shifts.length]).toEqual([201, 2]);
    expect((await copy({})).body.errors).toEqual({ days: ['is required'] });
  });

  test('is read by its client and its staff without what is not for them', async () => {
    const { full } = await fullEvents();
    const own = await get(`/v1/my_events/${full.uuid}`, tenant.as.client);
    expect(own.body.data).toMatchObject({ title: 'Full', private_notes: '', labour_cost: null, custom_fields: null });
    expect(own.body.data.coverage).toMatchObject({ needed: full.coverage.needed });
    expect(own.body.data.call_times[0]).toMatchObject({ notes_for_staff: '', pay_rate: null });
    const worked = await get(`/v1/my_events/${full.uuid}`, tenant.as.staff);
    expect(worked.body.data).toMatchObject({ coverage: null, labour_cost: null });
    const list = await get('/v1/my_events?status=active', tenant.as.client);
    expect(list.body.data).toMatchObject({ total: 1, data: [{ uuid: full.uuid }] });
    expect((await get(`/v1/my_events/${(await fullEvents()).bare.uuid}`, tenant.as.client)).status).toBe(404);
  });
});
