import { beforeAll, describe, expect, test } from '@jest/globals';
import { useOneTenant, useService } from './support/app.ts';
import { askCsv } from './support/csv.ts';

/*
 * November 2026: the 1st is a Sunday. Ada works twice and Ben once at the Barn, and both on the pier, a week later.
 */
const service = useService({ env: { CALLBOARD_ANSWER_CACHE: '0' } });
const tenant = useOneTenant(service);
const span = { from: '2026-10-01T00:00:00Z', to: '2027-01-01T00:00:00Z' };

const ids: Record<string, number> = {};

beforeAll(async () => {
  const { business, client } = tenant;
  const cook = await service.createPosition(business, { title: 'Cook', defaultPayRate: '20.00' });
  const usher = await service.createPosition(business, { title: 'Usher', defaultPayRate: '10.00' });
  const ada = await service.createUser(business, 'staff', { name: 'Ada Byron' });
  const ben = await service.createUser(business, 'staff', { name: 'Ben Cole' });
  Object.assign(ids, { ada: ada.id, ben: ben.id, cook: cook.id, usher: usher.id });
  // Sunday evening in New York is Monday in London.
  const barn = await service.createEvent(business, {
    start: '2026-11-01 20:00:00',
    end: '2026-11-01 23:00:00',
    venueName: 'Barn',
    clientId: client.id,
  });
  const pier = await service.createEvent(business, {
    start: '2026-11-09 10:00:00',
    end: '2026-11-09 18:00:00',
    venueName: 'Pier',
  });
  const field = await service.createEvent(business, { start: '2026-12-02 10:00:00', end: '2026-12-02 12:00:00' });
  const call = await service.createCallTime(barn, {
    positionId: cook.id,
    staffNeeded: 3,
    start: '2026-11-01 20:00:00',
    end: '2026-11-01 22:00:00',
  });
  const at = (day: string, from: string, to: string | null) => ({
    start: `2026-${day} ${from}`,
    end: to && `2026-${day} ${to}`,
  });
  await service.createShift(barn, ada, {
    positionId: cook.id,
    callTimeId: call.id,
    confirmed: true,
    ...at('11-01', '20:00:00', '22:00:00'),
  });
  await service.createShift(barn, ada, { positionId: usher.id, ...at('11-01', '22:00:00', '22:30:00') });
  await service.createShift(barn, ben, {
    positionId: cook.id,
    callTimeId: call.id,
    ...at('11-01', '20:00:00', '22:00:00'),
  });
  await service.createShift(pier, ada, {
    positionId: usher.id,
    confirmed: true,
    ...at('11-09', '10:00:00', '18:00:00'),
  });
  await service.createShift(pier, ben, { positionId: usher.id, ...at('11-09', '10:00:00', null) });
  const canceled = { positionId: usher.id, status: 'canceled', ...at('12-02', '10:00:00', '12:00:00') } as const;
  await service.createShift(field, ben, { ...canceled, canceledAt: new Date('2026-12-01T12:00:00Z') });
  await service.createShift(field, ada, { ...canceled, canceledAt: new Date('2026-11-20T12:00:00Z') });
  await service.createShift(await service.createEvent(business, { status: 'canceled' }), ada, { positionId: usher.id });
});

async function ask(groupBy: string, more = '') {
  const { body } = await service.graphql(
    `{ work(from: "${span.from}", to: "${span.to}", groupBy: ${groupBy} ${more}) {
      total { shifts confirmedShifts people plannedHours confirmedHours untimedShifts plannedCost confirmedCost unpricedShifts
              canceledShifts canceledLateShifts needed open fillRate currency }
      groups { key label secondKey secondLabel work { shifts people plannedHours plannedCost canceledLateShifts needed fillRate } } } }`,
    { as: tenant.as.admin },
  );
  expect(body.errors).toBeUndefined();
  return body.data.work;
}

type Group = { key: string; label: string; secondKey: string; secondLabel: string; work: Record<string, unknown> };
const figures = ({ groups }: { groups: Group[] }) =>
  groups.map(({ label, secondLabel, work }) => [
    label,
    secondLabel,
    work['shifts'],
    work['people'],
    work['plannedHours'],
    work['plannedCost'],
  ]);

describe('the report of work', () => {
  test('counts each person once in the total, and leaves unknown times out', async () => {
    expect((await ask('MONTH')).total).toEqual({
      shifts: 5,
      confirmedShifts: 2,
      people: 2,
      plannedHours: 12.5,
      confirmedHours: 10,
      untimedShifts: 1,
      plannedCost: '165.00',
      confirmedCost: '120.00',
      unpricedShifts: 1,
      canceledShifts: 2,
      canceledLateShifts: 1,
      needed: 3,
      open: 1,
      fillRate: 2 / 3,
      currency: 'USD',
    });
  });

  test.each<[string, unknown[][]]>([
    [
      'STAFF',
      [
        ['Ada Byron', null, 3, 1, 10.5, '125.00'],
        ['Ben Cole', null, 2, 1, 2, '40.00'],
      ],
    ],
    [
      'MONTH',
      [
        ['2026-11', null, 5, 2, 12.5, '165.00'],
        ['2026-12', null, 0, 0, 0, '0.00'],
      ],
    ],
    [
      'WEEK',
      [
        ['2026-10-26', null, 3, 2, 4.5, '85.00'],
        ['2026-11-09', null, 2, 2, 8, '80.00'],
        ['2026-11-30', null, 0, 0, 0, '0.00'],
      ],
    ],
    [
      'VENUE',
      [
        ['Barn', null, 3, 2, 4.5, '85.00'],
        ['Pier', null, 2, 2, 8, '80.00'],
        [null, null, 0, 0, 0, '0.00'],
      ],
    ],
    [
      '[WEEK, POSITION]',
      [
        ['2026-10-26', 'Cook', 2, 2, 4, '80.00'],
        ['2026-10-26', 'Usher', 1, 1, 0.5, '5.00'],
        ['2026-11-09', 'Usher', 2, 2, 8, '80.00'],
        ['2026-11-30', 'Usher', 0, 0, 0, '0.00'],
      ],
    ],
    [
      '[STAFF, VENUE]',
      [
        ['Ada Byron', 'Barn', 2, 1, 2.5, '45.00'],
        ['Ada Byron', 'Pier', 1, 1, 8, '80.00'],
        ['Ada Byron', null, 0, 0, 0, '0.00'],
        ['Ben Cole', 'Barn', 1, 1, 2, '40.00'],
        ['Ben Cole', 'Pier', 1, 1, 0, '0.00'],
        ['Ben Cole', null, 0, 0, 0, '0.00'],
      ],
    ],
  ])('by %s', async (groupBy, expected) => {
    expect(figures(await ask(groupBy))).toEqual(expected);
  });

  test('by people has neither needs nor fill rate; the others have', async () => {
    const [ada] = (await ask('STAFF')).groups as Group[];
    expect(ada).toMatchObject({ key: String(ids['ada']), work: { needed: null, fillRate: null } });
    const [barn] = (await ask('VENUE')).groups as Group[];
    expect(barn).toMatchObject({ key: 'Barn', work: { needed: 3, fillRate: 2 / 3 } });
    const [week] = (await ask('[WEEK, POSITION]')).groups as Group[];
    expect(week).toMatchObject({ secondKey: String(ids['cook']), work: { needed: 3, fillRate: 2 / 3 } });
  });

  test('counts cancellations from as many hours before the start as asked', async () => {
    expect((await ask('DAY', 'canceledWithinHours: 12')).total.canceledLateShifts).toBe(0);
    expect((await ask('DAY', 'canceledWithinHours: 1000')).total.canceledLateShifts).toBe(2);
    const byPerson = (await ask('STAFF')).groups.map(({ work }: Group) => work['canceledLateShifts']);
    expect(byPerson).toEqual([0, 1]);
  });

  test('can be narrowed to a position, a client and statuses', async () => {
    const { client } = tenant;
    expect((await ask('DAY', `filter: { positionId: ${ids['cook']} }`)).total).toMatchObject({ shifts: 2, needed: 3 });
    expect((await ask('DAY', `filter: { clientId: ${client.id} }`)).total).toMatchObject({ shifts: 3 });
    expect((await ask('DAY', 'filter: { statuses: [CANCELED] }')).total).toMatchObject({ shifts: 1 });
  });
});

describe('the calendar of a report', () => {
  const days = async (field: string, groupBy: string, zone: string) => {
    const { body } = await service.graphql(
      `{ ${field}(from: "${span.from}", to: "${span.to}", groupBy: ${groupBy}, zone: ${zone}) { groups { key } } }`,
      { as: tenant.as.admin },
    );
    expect(body.errors).toBeUndefined();
    return body.data[field].groups.map(({ key }: Group) => key);
  };

  test('is that of each event, or that of the business', async () => {
    await service.prisma.business.update({
      where: { id: tenant.business.id },
      data: { timezone: 'Europe/London', weekStart: 'monday' },
    });
    for (const field of ['coverage', 'labourCost', 'work']) {
      expect((await days(field, 'DAY', 'EVENT'))[0]).toBe('2026-11-01');
      expect((await days(field, 'DAY', 'BUSINESS'))[0]).toBe('2026-11-02');
      expect((await days(field, 'WEEK', 'EVENT'))[0]).toBe('2026-10-26');
      expect((await days(field, 'WEEK', 'BUSINESS'))[0]).toBe('2026-11-02');
    }
    await service.prisma.business.update({ where: { id: tenant.business.id }, data: { weekStart: 'sunday' } });
    expect((await days('work', 'WEEK', 'EVENT'))[0]).toBe('2026-11-01');
    await service.prisma.business.update({ where: { id: tenant.business.id }, data: { weekStart: 'monday' } });
  });
});

describe('the other reports', () => {
  test('of coverage know no people', async () => {
    const query = `from=${span.from}&to=${span.to}&group_by=staff`;
    const { body } = await service.call('GET', `/v1/coverage?${query}`, { as: tenant.as.admin });
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: { group_by: [expect.stringContaining('work')] } });
  });
});

test('spellings of a venue that look alike are one group, under one of them', async () => {
  const { business, as } = await service.createTenant();
  for (const venueName of ['Cafe\u0301  du Nord', 'Café du\u00a0Nord\u200b', ' Café du Nord', 'Cafe du Nord', null])
    await service.createEvent(business, { start: '2026-11-01 20:00:00', end: '2026-11-01 23:00:00', venueName });
  const spellings = ['Cafe\u0301  du Nord', 'Café du\u00a0Nord\u200b', ' Café du Nord'];
  for (const report of ['coverage', 'work']) {
    const { body } = await service.call('GET', `/v1/${report}?from=${span.from}&to=${span.to}&group_by=venue,day`, {
      as: as.admin,
    });
    const keys = body.data.groups.map(({ key, label }: Group) => (expect(label).toBe(key), key));
    expect(keys.filter((key: string | null) => key !== 'Cafe du Nord' && key !== null)).toEqual([expect.any(String)]);
    expect(spellings).toContain(keys.find((key: string | null) => spellings.includes(String(key))));
    expect(keys).toContain('Cafe du Nord');
  }
});

describe('in REST', () => {
  const get = (path: string) => service.call('GET', path, { as: tenant.as.admin });
  const period = `from=${span.from}&to=${span.to}`;

  test('two groups are named in one parameter or in two', async () => {
    const one = await get(`/v1/work?${period}&group_by=week,position`);
    const two = await get(`/v1/work?${period}&group_by=week&group_by=position`);
    expect(one.status).toBe(200);
    expect(one.body).toEqual(two.body);
    expect(one.body.data.groups[0]).toMatchObject({
      key: '2026-10-26',
      second_label: 'Cook',
      work: { shifts: 2, people: 2, planned_hours: 4, fill_rate: 2 / 3 },
    });
    expect((await get(`/v1/work?${period}&group_by=week,week`)).status).toBe(422);
    expect((await get(`/v1/work?${period}&group_by=week,position,staff`)).status).toBe(422);
  });

  test.each(['coverage', 'labour_cost', 'work'])('the groups of %s are CSV', async (report) => {
    const { header, rows } = await askCsv(service, `/v1/${report}?${period}&group_by=month`, { as: tenant.as.admin });
    expect(header.slice(0, 4)).toEqual(['key', 'label', 'second_key', 'second_label']);
    expect(rows[0]?.slice(0, 4)).toEqual(['2026-11', '2026-11', '', '']);
  });
});
