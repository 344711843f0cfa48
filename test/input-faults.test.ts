import { beforeAll, describe, expect, test } from '@jest/globals';
import { useOneTenant } from './support/app.ts';
import { asker } from './support/ask.ts';
import { usePackage } from './support/package.ts';

/* All faults of an input are reported together: those of its schema, and those of rules over fields that are right. */

let uuid: string;
const mutate = asker(() => service, 'mutation');

const backwards = { start_time: '2027-05-01 12:00:00', end_time: '2027-05-01 10:00:00' };
const notAfter = ['must be after the start'];
const unknown = ['is not a known field'];

const service = usePackage();
const tenant = useOneTenant(service);

beforeAll(async () => {
  const body = { ...backwards, end_time: '2027-05-01 14:00:00', title: 'Gala', timezone: 'Europe/London' };
  uuid = (await service.call('POST', '/v1/events', { as: tenant.as.admin, body })).body.data.uuid;
});

const errorsOf = async (method: 'POST' | 'PUT', url: string, body: object) => {
  const answer = await service.call(method, url, { as: tenant.as.admin, body });
  expect(answer.status).toBe(422);
  return answer.body.errors;
};

describe('in REST', () => {
  test('an unknown field does not hide that the end is before the start', async () => {
    const body = { ...backwards, title: '', timezone: 'Europe/London', client_id: 1_000_000, colour: 'red' };
    expect(await errorsOf('POST', '/v1/events', body)).toEqual({
      colour: unknown,
      title: [expect.any(String)],
      client_id: ['must be the id of a client of this business'],
      end_time: notAfter,
    });
  });

  test('a change is judged with what is stored', async () => {
    const url = `/v1/events/${uuid}`;
    expect(await errorsOf('PUT', url, { end_time: '2027-05-01 11:00:00', colour: 'red' })).toEqual({
      colour: unknown,
      end_time: notAfter,
    });
    expect(await errorsOf('PUT', url, { start_time: '2027-03-28 01:30:00', room: 7 })).toEqual({
      room: [expect.any(String)],
      start_time: [expect.stringMatching(/^does not exist in Europe\/London/)],
    });
  });

  test('a rule is not asked where one of its fields is wrong by itself', async () => {
    const url = `/v1/events/${uuid}`;
    expect(Object.keys(await errorsOf('PUT', url, { ...backwards, start_time: 'noon' }))).toEqual(['start_time']);
    expect(Object.keys(await errorsOf('PUT', url, { ...backwards, timezone: 'Mars/Olympus' }))).toEqual(['timezone']);
    expect(await errorsOf('POST', '/v1/events', backwards)).toEqual({
      title: ['is required'],
      timezone: ['is required'],
    });
  });

  test('the expiry of an API key is judged beside its scopes', async () => {
    const body = { name: 'Key', scopes: ['everything'], expires_at: '2001-01-01T00:00:00Z' };
    expect(await errorsOf('POST', '/v1/tokens/business', body)).toEqual({
      'scopes.0': [expect.any(String)],
      expires_at: ['must be in the future'],
    });
  });

  test('a change of a custom field is judged with its options', async () => {
    const { uuid: field } = await service.createCustomField(tenant.business, { type: 'select', options: ['S', 'M'] });
    const body = { name: '', options: ['S'], replace_options: [{ from: 'L', to: 'XL' }] };
    expect(await errorsOf('PUT', `/v1/custom_fields/${field}`, body)).toEqual({
      name: [expect.any(String)],
      'replace_options.0.from': ['must be an option of the field, named once'],
      'replace_options.0.to': ['must be one of the new options'],
    });
    expect(await errorsOf('PUT', `/v1/custom_fields/${field}`, { type: 'text', options: ['S'], sort: -1 })).toEqual({
      sort: [expect.any(String)],
      options: ['must be empty where the field is no select'],
    });
  });

  test('the days of a copy are judged beside its title', async () => {
    const body = { start_time: '2027-03-27 01:30:00', end_time: '2027-03-27 03:30:00', title: 'Night' };
    const event = { ...body, timezone: 'Europe/London' };
    const night = (await service.call('POST', '/v1/events', { as: tenant.as.admin, body: event })).body.data.uuid;
    const skipped = { days: [expect.stringContaining('would move the start of the event to 2027-03-28 01:30:00')] };
    const url = `/v1/events/${night}/copy`;
    expect(await errorsOf('POST', url, { days: 1, title: 7 })).toEqual({ ...skipped, title: [expect.any(String)] });
    expect(await errorsOf('POST', url, { days: 1 })).toEqual(skipped);
  });

  test('what an assignment is for is judged beside its pay', async () => {
    expect(await errorsOf('POST', '/v1/work_shifts', { user_id: tenant.staff.id, pay_rate: 'much' })).toEqual({
      pay_rate: [expect.any(String)],
      event_uuid: ['is required unless a call time is named'],
    });
  });

  test('an event that does not exist is judged by the schema alone', async () => {
    const nowhere = '/v1/events/743f33ae-84e8-4f12-a50f-c82bd84c61c1';
    expect(await errorsOf('PUT', nowhere, { ...backwards, colour: 'red' })).toEqual({ colour: unknown });
    expect(await service.call('PUT', nowhere, { as: tenant.as.admin, body: backwards })).toMatchObject({ status: 404 });
  });
});

describe('in GraphQL', () => {
  const input = { startTime: backwards.start_time, endTime: backwards.end_time };

  test('a text that is too long does not hide that the end is before the start', async () => {
    const answer = await mutate(
      tenant.as.admin,
      '($input: CreateEventInput!) { it: createEvent(input: $input) { id } }',
      {
        input: { ...input, title: 'x'.repeat(201), timezone: 'Europe/London' },
      },
    );
    expect(answer.errors).toEqual({ title: [expect.any(String)], endTime: notAfter });
  });

  test('a call time is told all of its faults at once', async () => {
    const answer = await mutate(
      tenant.as.admin,
      '($input: CreateCallTimeInput!, $uuid: ID!) { it: createCallTime(eventId: $uuid, input: $input) { id } }',
      { uuid, input: { ...input, positionId: 1_000_000, staffNeeded: 0 } },
    );
    expect(answer.errors).toEqual({
      staffNeeded: ['must be at least 1'],
      positionId: ['must be the id of a position of this business'],
      endTime: notAfter,
    });
  });

  test('a list is told of its page beside its filter', async () => {
    const ask = asker(() => service, 'query');
    const lists = ['users(first: 1, page: 2, search: "")', 'staff(first: 1, page: 2, search: "")'];
    for (const list of lists) {
      const { errors } = await ask(tenant.as.admin, `{ it: ${list} { nodes { id } } }`);
      expect(errors).toEqual({
        search: [expect.any(String)],
        first: ['must not be given together with page'],
      });
    }
  });

  test('a report is told of its period beside the rest', async () => {
    const ask = asker(() => service, 'query');
    const answer = await ask(
      tenant.as.admin,
      '{ it: coverage(from: "2027-02-01T00:00:00Z", to: "2027-01-01T00:00:00Z", groupBy: POSITION, filter: { city: "" }) { total { needed } } }',
    );
    expect(answer.errors).toEqual({ 'filter.city': [expect.any(String)], to: ['must be after from'] });
  });
});
