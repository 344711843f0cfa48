import { beforeAll, describe, expect, test } from '@jest/globals';
import { useOneTenant } from './support/app.ts';
import { ownFields, snakeCase } from './support/event-dialects.ts';
import { eventInputs, eventTexts, furtherInRest } from './support/event-fields.ts';
import { createFullAndBare } from './support/full-event.ts';
import { usePackage } from './support/package.ts';

/*
 * Every JSON shape of the contract: its keys, in its order, each with its type and format. Fields that the field list of events
 * shows beyond the contract come behind its keys.
 */

type Row = Record<string, unknown>;
type Shape = Record<string, (value: unknown) => boolean>;

const text = (value: unknown) => typeof value === 'string';
const number = (value: unknown) => typeof value === 'number';
const integer = Number.isInteger;
const array = Array.isArray;
const uuid = (value: unknown) => text(value) && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
const time = (value: unknown) => text(value) && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value);
const oneOf =
  (...values: unknown[]) =>
  (value: unknown) =>
    values.includes(value);
const orNull = (fits: (value: unknown) => boolean) => (value: unknown) => value === null || fits(value);
const flag = oneOf('true', 'false');
const status = oneOf('active', 'draft', 'canceled', 'deleted');

const head = {
  uuid,
  resource_id: text,
  title: text,
  description: text,
  private_notes: text,
  dress_code: text,
  start_date_time: time,
  start_time_tbd: flag,
  end_date_time: time,
  end_time_tbd: flag,
  address: text,
  address_line_2: text,
  room: text,
  city: text,
  state: text,
  zip: text,
  latitude: text,
  longitude: text,
  status,
};
const changed = {
  uuid,
  title: text,
  start_time: time,
  end_time: time,
  timezone: text,
  venue_name: text,
  address: text,
  city: text,
  state: text,
  zip: text,
  description: text,
  dress_code: text,
  status,
};
const shiftTimes = {
  start_time: orNull(time),
  start_time_tbd: flag,
  end_time: orNull(time),
  end_time_tbd: flag,
  pay_rate: orNull(number),
  confirmed: oneOf('yes', 'no'),
};
const stamps = { created_at: time, modified_at: time };
const names = { position: text, first_name: text, last_name: text };

const shapes = {
  envelope: { success: oneOf(true), data: (value) => typeof value === 'object' && value !== null, message: text },
  page: { current_page: integer, data: array, per_page: integer, total: integer, last_page: integer },
  item: { ...head, ...stamps, call_times: array, work_shifts: array, custom_fields: array },
  earlierItem: { ...head, created: time, updated: time },
  read: { event: (value) => typeof value === 'object', call_times: array, work_shifts: array, custom_fields: array },
  earlierRead: { event: (value) => typeof value === 'object', call_times: array },
  single: { id: integer, ...changed },
  created: { id: integer, ...changed, business_id: integer, client_id: orNull(integer) },
  changed,
  callTime: {
    uuid,
    position: text,
    staff_needed_count: integer,
    start_time: time,
    start_time_tbd: flag,
    end_time: time,
    end_time_tbd: flag,
    notes_for_staff: text,
    payrate_unit: oneOf('Hour', 'Day', 'Flat'),
    payrate: number,
    dress_code: text,
  },
  earlierCallTime: {
    id: integer,
    position_id: integer,
    skill_level_id: orNull(integer),
    count: integer,
    start_time: time,
    end_time: time,
    payrate: (value) => text(value) && /^\d+\.\d\d$/.test(value),
    payrate_unit: oneOf('hour', 'day', 'flat'),
    dress_code: text,
  },
  shift: { uuid, ...names, ...shiftTimes, status: oneOf('active'), ...stamps },
  shiftItem: { uuid, event_name: text, ...names, ...shiftTimes, ...stamps },
  customField: { field_uuid: uuid, field_name: text, field_value: text },
} satisfies Record<string, Shape>;

const further: Partial<Record<keyof typeof shapes, 'list' | 'single'>> = {
  item: 'list',
  earlierItem: 'list',
  single: 'single',
  created: 'single',
  changed: 'single',
};
const furtherKeys = (name: keyof typeof shapes) => {
  const place = further[name];
  return place ? furtherInRest(place).map(snakeCase) : [];
};

/** The keys of a shape with further ones, which stand before its lists. */
function withFurther(keys: string[], more: string[]): string[] {
  const isList = (key: string) => ['call_times', 'work_shifts', 'custom_fields'].includes(key);
  return [...keys.filter((key) => !isList(key)), ...more, ...keys.filter(isList)];
}

function expectShape(value: unknown, name: keyof typeof shapes): void {
  const row = value as Row;
  const shape: Shape = shapes[name];
  const misfits = Object.entries(shape).filter(([key, fits]) => !fits(row[key]));
  expect({ name, keys: Object.keys(row), misfits: misfits.map(([key]) => [key, row[key]]) }).toEqual({
    name,
    keys: withFurther(Object.keys(shape), furtherKeys(name)),
    misfits: [],
  });
}

const service = usePackage();
const tenant = useOneTenant(service);

beforeAll(async () => {
  await createFullAndBare(service, tenant);
});

async function get(path: string) {
  const { status: code, body } = await service.call('GET', path, { as: tenant.as.admin });
  expect(code).toBe(200);
  expectShape(body, 'envelope');
  expect(body.message).toBe('');
  return body.data;
}

const list = async (path: string): Promise<Row[]> => {
  const page = await get(path);
  expectShape(page, 'page');
  return page.data;
};

const uuidOf = async (title: string): Promise<string> =>
  String((await list('/v1/events')).find((item) => item['title'] === title)?.['uuid']);

interface Children {
  call_times: Row[];
  work_shifts: Row[];
  custom_fields: Row[];
}

function expectChildren({ call_times, work_shifts, custom_fields }: Children, title: unknown): void {
  const counts = [call_times.length, work_shifts.length, custom_fields.length];
  expect(counts).toEqual(title === 'Full' ? [3, 2, 3] : [0, 0, 0]);
  for (const callTime of call_times) expectShape(callTime, 'callTime');
  for (const shift of work_shifts) expectShape(shift, 'shift');
  for (const field of custom_fields) expectShape(field, 'customField');
}

test('the list of events', async () => {
  const items = await list('/v1/events');
  expect(items).toHaveLength(2);
  for (const item of items) {
    expectShape(item, 'item');
    expectChildren(item as unknown as Children, item['title']);
  }
});

test('every field that an event can be created with is in the list or in the single event', async () => {
  const { event } = await get(`/v1/events/${await uuidOf('Full')}`);
  const shown = new Set([...Object.keys((await list('/v1/events'))[0] ?? {}), ...Object.keys(event as Row)]);
  // The contract shows the client in the answer to a create alone.
  expect(eventInputs.filter((name) => !shown.has(name))).toEqual(['client_id']);
});

test('the earlier list of events', async () => {
  const items = await list('/v1/objects/events');
  expect(items).toHaveLength(2);
  for (const item of items) expectShape(item, 'earlierItem');
});

test.each(['Full', 'Bare'])('the single event: %s', async (title) => {
  const read = await get(`/v1/events/${await uuidOf(title)}`);
  expectShape(read, 'read');
  expectShape(read.event, 'single');
  expectChildren(read, title);
});

test.each(['Full', 'Bare'])('the earlier single event: %s', async (title) => {
  const read = await get(`/v1/objects/events/${await uuidOf(title)}`);
  expectShape(read, 'earlierRead');
  expectShape(read.event, 'single');
  expect(read.call_times).toHaveLength(title === 'Full' ? 3 : 0);
  for (const callTime of read.call_times) expectShape(callTime, 'earlierCallTime');
});

test('the list of work shifts', async () => {
  const items = await list(`/v1/work_shifts/event/${await uuidOf('Full')}`);
  expect(items).toHaveLength(2);
  for (const item of items) expectShape(item, 'shiftItem');
});

test.each([{}, { description: 'All', venue_name: 'V', client: true }])(
  'an event created and changed: %j',
  async (more) => {
    const { as, client } = await service.createTenant();
    const { client: hasClient, ...fields } = { client: false, ...more };
    const body = {
      title: 'New',
      start_time: '2026-12-05 18:00:00',
      end_time: '2026-12-05 19:00:00',
      timezone: 'UTC',
      ...fields,
      ...(hasClient && { client_id: client.id }),
    };
    const { body: created } = await service.call('POST', '/v1/events', { as: as.admin, body });
    expectShape(created, 'envelope');
    expectShape(created.data, 'created');
    const { body: updated } = await service.call('PUT', `/v1/events/${created.data.uuid}`, {
      as: as.admin,
      body: fields,
    });
    expectShape(updated, 'envelope');
    expectShape(updated.data, 'changed');
  },
);

describe('an unset field', () => {
  test('is the empty text in REST, and null in GraphQL', async () => {
    const item = (await list('/v1/events')).find(({ title }) => title === 'Bare');
    const empty = Object.entries(item ?? {}).filter(([, value]) => value === '');
    expect(empty.map(([key]) => key)).toEqual([
      ...'resource_id description private_notes dress_code address address_line_2 room city state zip'.split(' '),
      ...['latitude', 'longitude'],
      ...furtherKeys('item'),
    ]);
    const { body } = await service.graphql(`{ event(id: "${String(item?.['uuid'])}") { ${ownFields} } }`, {
      as: tenant.as.admin,
    });
    const nulls = Object.entries(body.data.event as Row).filter(([, value]) => value === null);
    expect(nulls.map(([key]) => key).sort()).toEqual(Object.keys(eventTexts).sort());
  });
});

describe('order and values of the children', () => {
  test('call times are sorted by start, then by creation; without a rate they show that of the position', async () => {
    const { call_times } = await get(`/v1/events/${await uuidOf('Full')}`);
    expect(call_times).toMatchObject([
      { start_time: '2026-12-05 16:00:00', payrate: 21.5, payrate_unit: 'Hour', notes_for_staff: '', dress_code: '' },
      {
        position: 'Bartender',
        start_time: '2026-12-05 17:00:00',
        start_time_tbd: 'false',
        end_time_tbd: 'true',
        notes_for_staff: 'Side door',
        payrate: 30,
        payrate_unit: 'Day',
        dress_code: 'Apron',
      },
      { start_time: '2026-12-05 17:00:00', payrate: 21.5, payrate_unit: 'Flat', staff_needed_count: 2 },
    ]);
  });

  test('custom fields are sorted by their place in the form, then by creation', async () => {
    const { custom_fields } = await get(`/v1/events/${await uuidOf('Full')}`);
    expect(custom_fields.map(({ field_name, field_value }: Row) => [field_name, field_value])).toEqual([
      ['First', 'First value'],
      ['Last', 'Last value'],
      ['Also last', 'Also last value'],
    ]);
  });
});
