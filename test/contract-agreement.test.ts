import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';
import { flattenRow } from './support/flat-rows.ts';
import { children, ownFields, snakeCase } from './support/event-dialects.ts';
import { eventInputs, furtherInRest } from './support/event-fields.ts';
import type { Tenant } from './support/factories.ts';
import { createFullAndBare } from './support/full-event.ts';

type Row = Record<string, unknown>;

let service: TestApp;
let tenant: Tenant;
let events: Row[];

beforeAll(async () => {
  service = await startApp();
  tenant = await service.createTenant();
  await createFullAndBare(service, tenant);
  const query = `{ events { nodes { ${ownFields} ${children} } } }`;
  events = flattenRow((await service.graphql(query, { as: tenant.as.admin })).body.data.events.nodes);
});

afterAll(() => service.close());

const get = async (path: string) => (await service.call('GET', path, { as: tenant.as.admin })).body.data;

/* GraphQL's answer in REST's words. */

const words = (value: unknown) => value ?? '';
const stamp = (value: unknown) => String(value).slice(0, 19).replace('T', ' ');
const lower = (value: unknown) => String(value).toLowerCase();
const further = (place: 'list' | 'single', event: Row) =>
  Object.fromEntries(furtherInRest(place).map((name) => [snakeCase(name), words(event[name])]));
const inHead = (event: Row) => ({
  ...further('list', event),
  uuid: event['uuid'],
  resource_id: words(event['resourceId']),
  title: event['title'],
  description: words(event['description']),
  private_notes: words(event['privateNotes']),
  dress_code: words(event['dressCode']),
  start_date_time: event['startTime'],
  start_time_tbd: String(event['startTimeTbd']),
  end_date_time: event['endTime'],
  end_time_tbd: String(event['endTimeTbd']),
  address: words(event['address']),
  address_line_2: words(event['addressLine2']),
  room: words(event['room']),
  city: words(event['city']),
  state: words(event['state']),
  zip: words(event['zip']),
  latitude: words(event['latitude']),
  longitude: words(event['longitude']),
  status: lower(event['status']),
});
const inSingle = (event: Row) => {
  const { uuid: name, title, description, dress_code, address, city, state, zip, status: at } = inHead(event);
  const same = { uuid: name, title, description, dress_code, address, city, state, zip, status: at };
  const { id, startTime, endTime, timezone, venueName } = event;
  return {
    ...further('single', event),
    id,
    ...same,
    start_time: startTime,
    end_time: endTime,
    timezone,
    venue_name: words(venueName),
  };
};
const inCallTime = (row: Row) => ({
  uuid: row['uuid'],
  position: row['position'],
  staff_needed_count: row['staffNeeded'],
  start_time: row['startTime'],
  start_time_tbd: String(row['startTimeTbd']),
  end_time: row['endTime'],
  end_time_tbd: String(row['endTimeTbd']),
  notes_for_staff: words(row['notesForStaff']),
  payrate_unit: { HOUR: 'Hour', DAY: 'Day', FLAT: 'Flat' }[String(row['payUnit'])],
  payrate: Number(row['payRate']),
  dress_code: words(row['dressCode']),
});
const inEarlierCallTime = (row: Row) => ({
  id: row['id'],
  position_id: row['positionId'],
  skill_level_id: row['skillLevelId'],
  count: row['staffNeeded'],
  start_time: row['startTime'],
  end_time: row['endTime'],
  payrate: Number(row['payRate']).toFixed(2),
  payrate_unit: lower(row['payUnit']),
  dress_code: words(row['dressCode']),
});
const inShift = (row: Row) => ({
  uuid: row['uuid'],
  position: row['position'],
  first_name: row['firstName'],
  last_name: row['lastName'],
  start_time: row['startTime'],
  start_time_tbd: String(row['startTime'] === null),
  end_time: row['endTime'],
  end_time_tbd: String(row['endTime'] === null),
  pay_rate: row['payRate'] === null ? null : Number(row['payRate']),
  confirmed: row['confirmed'] ? 'yes' : 'no',
  status: lower(row['status']),
  created_at: stamp(row['createdAt']),
  modified_at: stamp(row['modifiedAt']),
});
const inChildren = (event: Row) => ({
  call_times: (event['callTimes'] as Row[]).map(inCallTime),
  work_shifts: (event['workShifts'] as Row[]).map(inShift),
  custom_fields: (event['customFields'] as Row[]).map(({ fieldUuid, fieldName, fieldValue }) => ({
    field_uuid: fieldUuid,
    field_name: fieldName,
    field_value: fieldValue,
  })),
});

test('REST shows every field that an event can be created with', async () => {
  const [item] = (await get('/v1/events')).data as Row[];
  const { event } = await get(`/v1/events/${String(item?.['uuid'])}`);
  const shown = new Set([...Object.keys(item ?? {}), ...Object.keys(event as Row)]);
  // The contract shows the client in the answer to a create alone.
  expect(eventInputs.filter((name) => !shown.has(name))).toEqual(['client_id']);
});

describe('GraphQL and REST return the same values, field by field', () => {
  test('in the lists', async () => {
    expect(events).toHaveLength(2);
    const stamped = (event: Row) => [stamp(event['createdAt']), stamp(event['modifiedAt'])];
    expect((await get('/v1/events')).data).toEqual(
      events.map((event) => {
        const [created_at, modified_at] = stamped(event);
        return { ...inHead(event), created_at, modified_at, ...inChildren(event) };
      }),
    );
    expect((await get('/v1/objects/events')).data).toEqual(
      events.map((event) => {
        const [created, updated] = stamped(event);
        return { ...inHead(event), created, updated };
      }),
    );
  });

  test('in the single events and the list of shifts', async () => {
    for (const event of events) {
      const name = String(event['uuid']);
      expect(await get(`/v1/events/${name}`)).toEqual({ event: inSingle(event), ...inChildren(event) });
      expect(await get(`/v1/objects/events/${name}`)).toEqual({
        event: inSingle(event),
        call_times: (event['callTimes'] as Row[]).map(inEarlierCallTime),
      });
      const shifts = inChildren(event).work_shifts.map((row) => ({
        ...row,
        status: undefined,
        event_name: event['title'],
      }));
      expect((await get(`/v1/work_shifts/event/${name}`)).data).toEqual(shifts);
    }
  });
});
