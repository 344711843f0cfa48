import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useOneTenant, useService } from './support/app.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';

/** Ids that the filters use. */
let ids: Record<'clientId' | 'staffId' | 'idleStaffId' | 'bartenderId' | 'waiterId', number>;
let fieldUuid: string;

const service = useService({ env: { CALLBOARD_ANSWER_CACHE: '0' } });
const tenant = useOneTenant(service);

beforeAll(async () => {
  const { business, client, staff } = tenant;
  const idle = await service.createUser(business, 'staff');
  const [bartender, waiter] = [await service.createPosition(business), await service.createPosition(business)];
  const field = await service.createCustomField(business);
  fieldUuid = field.uuid;
  ids = {
    clientId: client.id,
    staffId: staff.id,
    idleStaffId: idle.id,
    bartenderId: bartender.id,
    waiterId: waiter.id,
  };

  const gala = await service.createEvent(business, {
    title: 'Spring gala 100%',
    start: '2026-12-01 23:30:00',
    end: '2026-12-02 03:00:00',
    clientId: client.id,
    city: 'New York',
    state: 'NY',
    venueName: 'Harbor_House',
    createdAt: new Date('2026-01-01T00:00:00Z'),
    modifiedAt: new Date('2026-06-01T12:00:00Z'),
  });
  const picnic = await service.createEvent(business, {
    title: 'Picnic',
    start: '2026-12-02 18:00:00',
    city: 'york',
    state: 'PA',
    status: 'draft',
    createdAt: new Date('2026-01-03T00:00:00Z'),
    modifiedAt: new Date('2026-01-03T00:00:00Z'),
  });
  const bare = await service.createEvent(business, {
    title: 'Bare \\ back',
    start: '2026-12-03 00:30:00',
    timezone: 'Asia/Tokyo',
    status: 'canceled',
    city: 'KÖLN',
    createdAt: new Date('2026-01-02T00:00:00Z'),
    modifiedAt: new Date('2026-01-02T00:00:00Z'),
  });
  await service.createEvent(business, { title: 'Gone', start: '2026-12-04 18:00:00', status: 'deleted' });

  const full = await service.createCallTime(gala, { positionId: bartender.id, staffNeeded: 1 });
  await service.createCallTime(gala, { positionId: bartender.id, staffNeeded: 1 });
  // Overfilled: the second place of the gala stays open all the same.
  for (const confirmed of [true, false])
    await service.createShift(gala, staff, { positionId: bartender.id, callTimeId: full.id, confirmed });
  const open = await service.createCallTime(picnic, { positionId: waiter.id, staffNeeded: 100 });
  for (let count = 0; count < 7; count++)
    await service.createShift(picnic, staff, { positionId: waiter.id, callTimeId: open.id });
  await service.createShift(bare, idle, { positionId: waiter.id, status: 'canceled' });
  const filled = await service.createCallTime(bare, { positionId: bartender.id, staffNeeded: 1 });
  const third = await service.createUser(business, 'staff');
  await service.createShift(bare, third, { positionId: bartender.id, callTimeId: filled.id });
  await service.setCustomValue(gala, field, 'Black tie');
  await service.setCustomValue(picnic, field, 'None');
});

const titlesOf = async (filter: object, more = '', as = tenant.as.admin) => {
  const { body } = await service.graphql(
    `query ($filter: EventFilter) { events(filter: $filter ${more}) { nodes { title } totalCount } }`,
    { as, variables: { filter } },
  );
  expect(body.errors).toBeUndefined();
  const titles = body.data.events.nodes.map(({ title }: { title: string }) => title);
  expect(body.data.events.totalCount).toBe(titles.length);
  return titles.map((title: string) => title.split(' ')[0]);
};

const all = ['Spring', 'Picnic', 'Bare'].toSorted();

type Case = [what: string, filter: () => object, expected: string[]];

const cases: Case[] = [
  ['nothing but statuses', () => ({ statuses: ['ACTIVE', 'DELETED'] }), ['Spring', 'Gone']],
  ['no status at all', () => ({ statuses: [] }), []],
  // The gala starts on 2 December at 04:30 UTC, the bare one at 15:30 UTC, the picnic at 23:00 UTC.
  ['instants, the first included', () => ({ startsFrom: '2026-12-02T15:30:00Z' }), ['Bare', 'Picnic']],
  ['instants, the last not included', () => ({ startsTo: '2026-12-02T15:30:00Z' }), ['Spring']],
  ['an instant with an offset', () => ({ startsTo: '2026-12-03T00:30:01+09:00' }), ['Bare', 'Spring']],
  ['a first local date', () => ({ dateFrom: '2026-12-03' }), ['Bare']],
  ['a last local date', () => ({ dateTo: '2026-12-01' }), ['Spring']],
  ['one local date', () => ({ dateFrom: '2026-12-02', dateTo: '2026-12-02' }), ['Picnic']],
  ['dates in the wrong order', () => ({ dateFrom: '2026-12-03', dateTo: '2026-12-01' }), []],
  ['text in the title', () => ({ text: 'GALA' }), ['Spring']],
  ['text in the venue', () => ({ text: 'harbor' }), ['Spring']],
  ['text in the city', () => ({ text: 'york' }), ['Picnic', 'Spring']],
  ['a percent sign', () => ({ text: '%' }), ['Spring']],
  ['an underscore', () => ({ text: '_' }), ['Spring']],
  ['a backslash', () => ({ text: '\\' }), ['Bare']],
  ['a client', () => ({ clientId: ids.clientId }), ['Spring']],
  ['a client who has none', () => ({ clientId: ids.staffId }), []],
  ['a whole city in any case', () => ({ city: 'YORK' }), ['Picnic']],
  ['a city with more than ASCII', () => ({ city: 'köln' }), ['Bare']],
  ['text with more than ASCII', () => ({ text: 'öl' }), ['Bare']],
  ['a state in any case', () => ({ state: 'ny' }), ['Spring']],
  ['a staff member', () => ({ staffId: ids.staffId }), ['Picnic', 'Spring']],
  ['a staff member with no active shift', () => ({ staffId: ids.idleStaffId }), []],
  ['the position of a call time', () => ({ positionId: ids.bartenderId }), ['Bare', 'Spring']],
  ['the position of a shift', () => ({ positionId: ids.waiterId }), ['Picnic']],
  ['a custom value', () => ({ customField: { fieldId: fieldUuid, value: 'Black tie' } }), ['Spring']],
  ['a custom value in another case', () => ({ customField: { fieldId: fieldUuid, value: 'black tie' } }), []],
  ['an unknown custom field', () => ({ customField: { fieldId: randomUUID(), value: 'None' } }), []],
  ['any open place', () => ({ coverageBelow: 1 }), ['Picnic', 'Spring']],
  ['less than half', () => ({ coverageBelow: 0.5 }), ['Picnic']],
  ['a share that is reached exactly', () => ({ coverageBelow: 0.07 }), []],
  ['a share just above', () => ({ coverageBelow: 0.0700001 }), ['Picnic']],
  ['less than nothing', () => ({ coverageBelow: 0 }), []],
  ['all at once', () => ({ text: 'york', statuses: ['DRAFT'], coverageBelow: 1, dateTo: '2026-12-02' }), ['Picnic']],
];

test.each(cases)('events are filtered by %s', async (_, filter, expected) => {
  expect((await titlesOf(filter())).toSorted()).toEqual(expected.toSorted());
});

test.each(cases)('a page filtered by %s costs three statements, and two without its total', async (_, filter) => {
  for (const [fields, most] of [
    ['nodes { title } totalCount pageInfo { lastPage }', 3],
    ['nodes { title } edges { cursor } pageInfo { hasNextPage }', 2],
  ] as const) {
    const before = sqlCount();
    await service.graphql(`query ($filter: EventFilter) { events(filter: $filter) { ${fields} } }`, {
      as: tenant.as.admin,
      variables: { filter: filter() },
    });
    expect(statementsSince(before).length).toBe(most);
  }
});

test.each([
  ['START', 'ASC', ['Spring', 'Bare', 'Picnic']],
  ['START', 'DESC', ['Picnic', 'Bare', 'Spring']],
  ['TITLE', 'ASC', ['Bare', 'Picnic', 'Spring']],
  ['TITLE', 'DESC', ['Spring', 'Picnic', 'Bare']],
  ['CREATED', 'ASC', ['Spring', 'Bare', 'Picnic']],
  ['CREATED', 'DESC', ['Picnic', 'Bare', 'Spring']],
  ['MODIFIED', 'ASC', ['Bare', 'Picnic', 'Spring']],
  ['MODIFIED', 'DESC', ['Spring', 'Picnic', 'Bare']],
])('events are sorted by %s %s', async (by, order, expected) => {
  expect(await titlesOf({}, `sort: { by: ${by}, order: ${order} }`)).toEqual(expected);
});

test('a sort may have only a key or only a direction', async () => {
  expect(await titlesOf({}, 'sort: { by: TITLE }')).toEqual(all);
  expect(await titlesOf({}, 'sort: { order: DESC }')).toEqual(['Picnic', 'Bare', 'Spring']);
});

describe('an invalid filter', () => {
  test('is refused with all fields at once', async () => {
    const { body } = await service.graphql(
      `{ events(page: 0, filter: { text: " ", clientId: 0, coverageBelow: 1.5, city: "${'x'.repeat(201)}",
          dateFrom: "1969-12-31", startsTo: "3000-01-01T00:00:00Z", customField: { fieldId: "7", value: "" } }) {
          totalCount } }`,
      { as: tenant.as.admin },
    );
    expect(body.errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED' } }]);
    expect(body.errors[0].extensions.errors).toEqual({
      page: ['must be at least 1'],
      'filter.text': ['must not be blank'],
      'filter.clientId': ['must be the id of a row of this type'],
      'filter.coverageBelow': ['must be at most 1'],
      'filter.city': ['must have at most 200 characters'],
      'filter.dateFrom': ['must be a date that exists, as YYYY-MM-DD, in the years 1970 to 2999'],
      'filter.startsTo': ['must be an instant with an offset, in the years 1970 to 2999'],
      'filter.customField.fieldId': ['must be the id of a row of this type'],
    });
  });
});
