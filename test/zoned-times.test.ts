import { describe, expect, test } from '@jest/globals';
import { Temporal } from 'temporal-polyfill';
import { endOfNight } from '../src/time/quiet-hours.ts';
import { useOneTenant, useService } from './support/app.ts';

const service = useService();
const tenant = useOneTenant(service);

const time = '{ local iso utc timezone tbd dst }';
const times = `start ${time} end ${time} durationMinutes`;

const timesOf = async (uuid: string) => {
  const { body } = await service.graphql(
    `{ event(id: "${uuid}") { ${times} callTimes { ${times} } workShifts { ${times} } } }`,
    { as: tenant.as.admin },
  );
  expect(body.errors).toBeUndefined();
  return body.data.event;
};

describe('a time has three forms', () => {
  test.each([
    // Winter, half-hour and negative offsets, and none at all.
    ['America/New_York', '2026-12-31 18:30:00', '2027-01-01 02:00:00', '-05:00', '2026-12-31T23:30:00.000Z', 450],
    ['Asia/Kolkata', '2026-06-01 00:00:00', '2026-06-01 00:00:01', '+05:30', '2026-05-31T18:30:00.000Z', 1 / 60],
    ['Asia/Kathmandu', '2026-06-01 10:00:00', '2026-06-01 11:00:00', '+05:45', '2026-06-01T04:15:00.000Z', 60],
    ['UTC', '2026-06-01 10:00:00', '2026-06-03 10:00:00', '+00:00', '2026-06-01T10:00:00.000Z', 2880],
    // An offset with seconds, which the zone had up to 1972.
    ['Africa/Monrovia', '1971-06-01 10:00:00', '1971-06-01 11:00:00', '-00:44:30', '1971-06-01T10:44:30.000Z', 60],
  ])('in %s, where it is %s', async (timezone, start, end, offset, utc, durationMinutes) => {
    const event = await service.createEvent(tenant.business, { timezone, start, end });
    await service.createCallTime(event, { start, end });
    await service.createShift(event, tenant.staff, { start, end });
    const { callTimes, workShifts, ...own } = await timesOf(event.uuid);
    const iso = start.replace(' ', 'T') + offset;
    const expected = {
      start: { local: start, iso, utc, timezone, tbd: false, dst: 'NONE' },
      end: { local: end, timezone, tbd: false, dst: 'NONE' },
      durationMinutes,
    };
    for (const told of [own, callTimes[0], workShifts[0]]) {
      expect(told).toMatchObject(expected);
      expect(Temporal.Instant.from(told.end.iso).epochMilliseconds).toBe(Date.parse(told.end.utc));
    }
  });
});

describe('a clock change is reported', () => {
  const newYork = 'America/New_York';
  test.each([
    ['forward in the night', newYork, '2027-03-13 22:00:00', '2027-03-14 06:00:00', ['CROSSES', 'CROSSES'], 420],
    ['back in the night', newYork, '2026-10-31 22:00:00', '2026-11-01 06:00:00', ['CROSSES', 'CROSSES'], 540],
    [
      'into the hour that comes twice',
      newYork,
      '2026-10-31 22:00:00',
      '2026-11-01 01:30:00',
      ['NONE', 'AMBIGUOUS'],
      210,
    ],
    ['from that hour on', newYork, '2026-11-01 01:00:00', '2026-11-01 03:00:00', ['AMBIGUOUS', 'CROSSES'], 180],
    ['just before that hour', newYork, '2026-11-01 00:59:59', '2026-11-01 01:59:59', ['NONE', 'AMBIGUOUS'], 60],
    ['just after that hour', newYork, '2026-11-01 02:00:00', '2026-11-01 03:00:00', ['NONE', 'NONE'], 60],
    ['at the end of a gap', newYork, '2027-03-14 03:00:00', '2027-03-14 04:00:00', ['NONE', 'NONE'], 60],
    [
      'by half an hour',
      'Australia/Lord_Howe',
      '2026-10-03 22:00:00',
      '2026-10-04 06:00:00',
      ['CROSSES', 'CROSSES'],
      450,
    ],
    ['there and back again', newYork, '2026-10-01 10:00:00', '2027-04-01 10:00:00', ['NONE', 'NONE'], 182 * 1440],
  ])('%s', async (_, timezone, start, end, dst, durationMinutes) => {
    const event = await service.createEvent(tenant.business, { timezone, start, end });
    const told = await timesOf(event.uuid);
    expect([told.start.dst, told.end.dst]).toEqual(dst);
    expect(told.durationMinutes).toBe(durationMinutes);
    expect(Date.parse(told.end.iso) - Date.parse(told.start.iso)).toBe(durationMinutes * 60_000);
  });
});

describe('an undetermined time', () => {
  test('is tentative on events and call times, and the duration is null', async () => {
    const event = await service.createEvent(tenant.business, { startTbd: true });
    await service.createCallTime(event, { endTbd: true });
    const { callTimes, ...own } = await timesOf(event.uuid);
    expect(own).toMatchObject({
      start: { local: '2026-12-05 18:00:00', utc: '2026-12-05T23:00:00.000Z', tbd: true },
      end: { tbd: false },
      durationMinutes: null,
    });
    expect(callTimes).toMatchObject([{ start: { tbd: false }, end: { tbd: true }, durationMinutes: null }]);
  });

  test('is null on shifts', async () => {
    const event = await service.createEvent(tenant.business);
    await service.createShift(event, tenant.staff, { end: null });
    await service.createShift(event, tenant.staff, { start: null });
    const { workShifts } = await timesOf(event.uuid);
    const open = { local: null, iso: null, utc: null, timezone: 'America/New_York', tbd: true, dst: 'NONE' };
    expect(workShifts).toEqual([
      {
        start: expect.objectContaining({ local: '2026-12-05 16:00:00', tbd: false }),
        end: open,
        durationMinutes: null,
      },
      {
        start: open,
        end: expect.objectContaining({ local: '2026-12-05 23:30:00', tbd: false }),
        durationMinutes: null,
      },
    ]);
  });
});

describe('an instant without seconds', () => {
  const spans = [
    ['2031-03-10T04:00Z', '2031-03-10T05:00:00Z'],
    ['2031-03-10T05:00+01:00', '2031-03-10T06:00+01:00'],
  ] as const;

  test.each(spans)('is taken in both dialects: %s', async (from, to) => {
    const as = tenant.as.admin;
    const query = new URLSearchParams({ from, to }).toString();
    expect((await service.call('GET', `/v1/attendance?${query}`, { as })).status).toBe(200);
    const fields = '{ attendance(filter: $filter) { totalCount } }';
    const variables = { filter: { from, to } };
    const sent = await service.graphql(`query ($filter: AttendanceFilter) ${fields}`, { as, variables });
    const literal = await service.graphql(
      fields.replace('$filter', `{ from: "${from}", to: "${to}" }`).replace('{', '{ '),
      { as },
    );
    for (const { body } of [sent, literal]) expect(body).toEqual({ data: { attendance: { totalCount: 0 } } });
  });

  test.each(['2031-03-10T04Z', '2031-03-10T04:00', '2031-03-10T24:00Z', '2031-02-30T04:00Z', '2031-03-10T04:00.5Z'])(
    'is refused where it is none: %s',
    async (from) => {
      const as = tenant.as.admin;
      const { status, body } = await service.call('GET', `/v1/attendance?${new URLSearchParams({ from }).toString()}`, {
        as,
      });
      expect({ status, errors: body.errors }).toEqual({
        status: 422,
        errors: { from: ['must be an instant with an offset, in the years 1970 to 2999'] },
      });
      const answer = await service.graphql(`{ attendance(filter: { from: "${from}" }) { totalCount } }`, { as });
      expect(answer.body.errors).toHaveLength(1);
    },
  );
});

describe('a night ends at seven on the clocks', () => {
  test.each([
    ['an evening', 'Europe/Berlin', '2026-11-26T21:00:00Z', '2026-11-27T06:00:00Z'],
    ['early morning', 'Europe/Berlin', '2026-11-27T05:59:59Z', '2026-11-27T06:00:00Z'],
    ['the night in which clocks go forward', 'Europe/Berlin', '2027-03-27T21:30:00Z', '2027-03-28T05:00:00Z'],
    ['that night behind the change', 'Europe/Berlin', '2027-03-28T01:30:00Z', '2027-03-28T05:00:00Z'],
    ['the night in which clocks go back', 'Europe/Berlin', '2027-10-30T20:30:00Z', '2027-10-31T06:00:00Z'],
    ['the first two of that night', 'Europe/Berlin', '2027-10-31T00:30:00Z', '2027-10-31T06:00:00Z'],
    ['a zone that skipped the next day', 'Pacific/Apia', '2011-12-30T09:00:00Z', '2011-12-30T10:00:00Z'],
    ['the day', 'Europe/Berlin', '2026-11-27T06:00:00Z', null],
    ['the last second of the day', 'Europe/Berlin', '2026-11-27T20:59:59Z', null],
  ])('%s', (_when, zone, now, end) => {
    expect(endOfNight(new Date(now), zone)?.toISOString() ?? null).toBe(end && new Date(end).toISOString());
  });
});
