import { describe, expect, test } from '@jest/globals';
import { useOneTenant, useService } from './support/app.ts';
import { eventDialects, readEvent, required } from './support/event-dialects.ts';

const dialects = eventDialects(() => service);

const service = useService();
const tenant = useOneTenant(service);

const noTime = ['must be a date and time that exists, as YYYY-MM-DD HH:MM:SS, in the years 1970 to 2999'];
const notAfter = ['must be after the start'];

const noTimes = [
  '',
  'tomorrow',
  '2026-12-31',
  '2026-12-31 18:00',
  '2026-12-31T18:00:00',
  '2026-12-31 18:00:00Z',
  '2026-12-31 18:00:00+01:00',
  '2026-12-31 18:00:00.000',
  ' 2026-12-31 18:00:00',
  '2026-12-31 18:00:00\n',
  '2026-12-31  18:00:00',
  '31-12-2026 18:00:00',
  '2026-1-5 8:00:00',
  '2026-12-31 24:00:00',
  '2026-12-31 23:60:00',
  '2026-12-31 23:59:60',
  '2026-02-29 12:00:00',
  '2100-02-29 12:00:00',
  '2026-04-31 12:00:00',
  '2026-13-01 12:00:00',
  '2026-00-10 12:00:00',
  '2026-01-00 12:00:00',
  '1969-12-31 23:59:59',
  '3000-01-01 00:00:00',
  '+02026-12-31 18:00:00',
  '٢٠٢٦-١٢-٣١ ١٨:٠٠:٠٠',
];

/** Zone, a time that its clocks skip, the time that they show instead. */
const skipped: [string, string, string][] = [
  ['America/New_York', '2027-03-14 02:00:00', '2027-03-14 03:00:00'],
  ['America/New_York', '2027-03-14 02:30:00', '2027-03-14 03:00:00'],
  ['America/New_York', '2027-03-14 02:59:59', '2027-03-14 03:00:00'],
  ['Europe/London', '2027-03-28 01:30:00', '2027-03-28 02:00:00'],
  ['Australia/Lord_Howe', '2026-10-04 02:00:00', '2026-10-04 02:30:00'],
  ['America/Sao_Paulo', '2018-11-04 00:00:00', '2018-11-04 01:00:00'],
  ['Pacific/Apia', '2011-12-30 12:00:00', '2011-12-31 00:00:00'],
  ['Africa/Monrovia', '1972-01-07 00:10:00', '1972-01-07 00:44:30'],
];

/** Zone, wall-clock time, the instant. */
const instants: [string, string, string][] = [
  ['America/New_York', '2027-03-14 01:59:59', '2027-03-14T06:59:59.000Z'],
  ['America/New_York', '2027-03-14 03:00:00', '2027-03-14T07:00:00.000Z'],
  // Twice: the first of the two.
  ['America/New_York', '2026-11-01 01:00:00', '2026-11-01T05:00:00.000Z'],
  ['America/New_York', '2026-11-01 01:59:59', '2026-11-01T05:59:59.000Z'],
  ['America/New_York', '2026-11-01 02:00:00', '2026-11-01T07:00:00.000Z'],
  ['Europe/London', '2026-10-25 01:30:00', '2026-10-25T00:30:00.000Z'],
  ['Australia/Lord_Howe', '2027-04-04 01:45:00', '2027-04-03T14:45:00.000Z'],
  ['Asia/Kathmandu', '2026-12-31 18:00:00', '2026-12-31T12:15:00.000Z'],
  ['Pacific/Kiritimati', '2026-12-31 13:59:59', '2026-12-30T23:59:59.000Z'],
  ['Asia/Tokyo', '1970-01-01 00:00:00', '1969-12-31T15:00:00.000Z'],
  ['UTC', '2028-02-29 00:00:00', '2028-02-29T00:00:00.000Z'],
  ['America/New_York', '2999-07-01 00:00:00', '2999-07-01T04:00:00.000Z'],
];

const zones = [
  'Asia/Kolkata',
  'Asia/Calcutta',
  'Europe/Kyiv',
  'Europe/Kiev',
  'US/Eastern',
  'America/Argentina/Buenos_Aires',
  'Etc/GMT+5',
  'Etc/UTC',
  'UTC',
];

const noZones = [
  '',
  'Mars/Olympus',
  'America/New York',
  ' America/New_York',
  'America/New_York ',
  'America/New_York\n',
  'New_York',
  '+05:00',
  '-08:00',
  'UTC+1',
  'GMT+2',
  'Z',
  'local',
  '5',
  'America/New_York[u-ca=hebrew]',
  '../etc/passwd',
  `America/${'x'.repeat(60)}`,
];

describe.each(['REST', 'GraphQL'] as const)('through %s', (name) => {
  const { create, update } = dialects[name];

  const created = async (fields: object) => {
    const outcome = await create(tenant.as.admin, { ...required, ...fields });
    expect(outcome).toMatchObject({ code: 'OK', errors: {} });
    return readEvent(service, tenant.as.admin, outcome.uuid);
  };
  const refusal = async (fields: object) => {
    const { code, errors } = await create(tenant.as.admin, { ...required, ...fields });
    expect(code).toBe('VALIDATION_FAILED');
    return errors;
  };

  test.each(noTimes)('%j is not a valid date and time', async (wall) => {
    expect(await refusal({ startTime: wall })).toEqual({ startTime: noTime });
    expect(await refusal({ endTime: wall })).toEqual({ endTime: noTime });
  });

  test.each(skipped)('clocks in %s skip %s, and the refusal names %s', async (timezone, wall, nearest) => {
    const year = Number(wall.slice(0, 4));
    const text = `does not exist in ${timezone}, where clocks skip it; the nearest valid time is ${nearest}`;
    expect(await refusal({ timezone, startTime: wall, endTime: `${year + 1}-06-01 12:00:00` })).toEqual({
      startTime: [text],
    });
    expect(await refusal({ timezone, startTime: `${year - 1}-06-01 12:00:00`, endTime: wall })).toEqual({
      endTime: [text],
    });
    expect(await refusal({ timezone, startTime: wall, endTime: wall })).toEqual({ startTime: [text], endTime: [text] });
    // What it names is valid.
    const event = await created({ timezone, startTime: nearest, endTime: `${year + 1}-06-01 12:00:00` });
    expect(event).toMatchObject({ startTime: nearest });
  });

  test.each(instants)('in %s, %s is %s', async (timezone, wall, instant) => {
    const day = 24 * 3600 * 1000;
    const dayLater = new Date(Date.parse(`${wall.replace(' ', 'T')}Z`) + day).toISOString();
    const event = await created({ timezone, startTime: wall, endTime: dayLater.slice(0, 19).replace('T', ' ') });
    expect(event).toMatchObject({ timezone, startTime: wall, startsAt: instant });
  });

  test('an event may end in the last second of the year 2999', async () => {
    const event = await created({ timezone: 'UTC', endTime: '2999-12-31 23:59:59' });
    expect(event).toMatchObject({ endTime: '2999-12-31 23:59:59', endsAt: '2999-12-31T23:59:59.000Z' });
  });

  test.each([
    ['equal to it', '2026-12-31 18:00:00'],
    ['a second before it', '2026-12-31 17:59:59'],
  ])('the end must be after the start, not %s', async (_, endTime) => {
    expect(await refusal({ endTime })).toEqual({ endTime: notAfter });
  });

  test('an event may last one second', async () => {
    expect(await created({ endTime: '2026-12-31 18:00:01' })).toMatchObject({ endTime: '2026-12-31 18:00:01' });
  });

  test('the end is compared by instants when clocks go back', async () => {
    const inOverlap = (startTime: string, endTime: string) => ({ timezone: 'America/New_York', startTime, endTime });
    // Both are the first of two, so the end is not the later 01:15.
    expect(await refusal(inOverlap('2026-11-01 01:30:00', '2026-11-01 01:15:00'))).toEqual({ endTime: notAfter });
    const event = await created(inOverlap('2026-11-01 01:30:00', '2026-11-01 02:30:00'));
    expect(Date.parse(event.endsAt) - Date.parse(event.startsAt)).toBe(2 * 3600 * 1000);
  });

  test.each(zones)('the zone %s is accepted and returned as sent', async (timezone) => {
    expect(await created({ timezone })).toMatchObject({ timezone });
  });

  test.each(noZones)('%j is not a valid zone', async (timezone) => {
    expect(await refusal({ timezone })).toEqual({
      timezone: expect.arrayContaining([expect.stringMatching(/^must /)]),
    });
  });

  test.each(['america/new_york', 'AMERICA/NEW_YORK', 'America/new_york'])(
    'a zone in the wrong case is refused with its spelling: %s',
    async (timezone) => {
      expect(await refusal({ timezone })).toEqual({
        timezone: ['must be an IANA time zone such as America/New_York: did you mean America/New_York?'],
      });
    },
  );

  describe('a change', () => {
    /** 18:00 to 23:00 on 5 December 2026 in New York. */
    const stored = () => service.createEvent(tenant.business);
    const read = (uuid: string) => readEvent(service, tenant.as.admin, uuid);

    test.each([
      ['an end before the stored start', { endTime: '2026-12-05 17:00:00' }, { endTime: notAfter }],
      ['an end at the stored start', { endTime: '2026-12-05 18:00:00' }, { endTime: notAfter }],
      ['a start after the stored end', { startTime: '2026-12-06 01:00:00' }, { endTime: notAfter }],
      ['no time', { startTime: '2026-12-32 01:00:00' }, { startTime: noTime }],
      ['an unknown zone', { timezone: 'Mars/Olympus' }, { timezone: [expect.any(String)] }],
    ])('to %s is refused, and nothing changes', async (_, changes, errors) => {
      const { uuid } = await stored();
      const before = await read(uuid);
      const outcome = await update(tenant.as.admin, uuid, { title: 'Changed', ...changes });
      expect(outcome).toEqual({ code: 'VALIDATION_FAILED', errors, uuid: null });
      expect(await read(uuid)).toEqual(before);
    });

    test('of both times at once moves the event beyond its stored end', async () => {
      const { uuid } = await stored();
      const times = { startTime: '2027-01-01 20:00:00', endTime: '2027-01-02 01:00:00' };
      expect(await update(tenant.as.admin, uuid, times)).toMatchObject({ code: 'OK' });
      expect(await read(uuid)).toMatchObject({
        ...times,
        startsAt: '2027-01-02T01:00:00.000Z',
        endsAt: '2027-01-02T06:00:00.000Z',
      });
    });

    test('of the zone keeps all wall-clock times and moves the instants of the event and its children', async () => {
      const event = await stored();
      await service.createCallTime(event);
      const people = await Promise.all([1, 2, 3].map(() => service.createUser(tenant.business, 'staff')));
      await service.createShift(event, people[0]!);
      await service.createShift(event, people[1]!, { start: null });
      await service.createShift(event, people[2]!, { end: null, start: '2026-12-05 15:00:00' });
      const before = await read(event.uuid);
      expect(await update(tenant.as.admin, event.uuid, { timezone: 'Asia/Kolkata' })).toMatchObject({ code: 'OK' });

      // New York is 10:30 hours behind.
      type Times = { startsAt: string | null; endsAt: string | null };
      const earlier = (at: string | null) => at && new Date(Date.parse(at) - 10.5 * 3600 * 1000).toISOString();
      const moved = <T extends Times>(row: T) => ({
        ...row,
        startsAt: earlier(row.startsAt),
        endsAt: earlier(row.endsAt),
      });
      const after = await read(event.uuid);
      expect({ ...after, modifiedAt: before.modifiedAt }).toEqual({
        ...moved(before),
        timezone: 'Asia/Kolkata',
        callTimes: before.callTimes.map(moved),
        workShifts: before.workShifts.map(moved),
      });
      expect(before.workShifts).toHaveLength(3);
    });

    test('of the zone leaves the children of other events alone', async () => {
      const [event, bystander] = [await stored(), await stored()];
      for (const each of [event, bystander])
        await service.createShift(each, await service.createUser(tenant.business, 'staff'));
      const before = await read(bystander.uuid);
      await update(tenant.as.admin, event.uuid, { timezone: 'Asia/Kolkata' });
      expect(await read(bystander.uuid)).toEqual(before);
    });

    test('to a zone that skips a time of the event is refused', async () => {
      const { uuid } = await service.createEvent(tenant.business, {
        timezone: 'UTC',
        start: '2027-03-14 02:30:00',
        end: '2027-03-14 09:00:00',
      });
      const outcome = await update(tenant.as.admin, uuid, { timezone: 'America/New_York' });
      expect(outcome.errors).toEqual({ startTime: [expect.stringContaining('2027-03-14 03:00:00')] });
      const wayOut = { timezone: 'America/New_York', startTime: '2027-03-14 03:00:00' };
      expect(await update(tenant.as.admin, uuid, wayOut)).toMatchObject({ code: 'OK' });
    });

    test.each(['a call time', 'a shift'])('to a zone that skips a time of %s is refused', async (child) => {
      const timezone = 'UTC';
      const event = await service.createEvent(tenant.business, {
        timezone,
        start: '2027-03-14 01:00:00',
        end: '2027-03-14 09:00:00',
      });
      const times = { start: '2027-03-14 02:30:00', end: '2027-03-14 08:00:00' };
      if (child === 'a shift') await service.createShift(event, tenant.staff, times);
      else await service.createCallTime(event, times);
      const before = await read(event.uuid);
      const changes = { timezone: 'America/New_York', title: 'Moved' };
      expect(await update(tenant.as.admin, event.uuid, changes)).toEqual({
        code: 'VALIDATION_FAILED',
        errors: { timezone: [expect.stringContaining('skips 2027-03-14 02:30:00')] },
        uuid: null,
      });
      expect(await read(event.uuid)).toEqual(before);
    });
  });
});
