import { afterEach, describe, expect, test } from '@jest/globals';
import { formatAddress, parseAddress } from '../src/pages/console/board/address.ts';
import { describeChanges, listChanges } from '../src/pages/console/board/changes.ts';
import {
  buildAxis,
  buildLanes,
  fillPercent,
  listGaps,
  positionOf,
  sumCoverage,
} from '../src/pages/console/board/lanes.ts';
import type { BoardEvent, BoardCallTime, Conflict, Shift } from '../src/pages/console/board/model.ts';
import { findOwnConflicts, groupByEvent } from '../src/pages/console/board/reading.ts';
import { keepEqual } from '../src/pages/application/sharing.ts';
import { describeSpan, formatLocalDay, resolveSpan, setZone } from '../src/pages/time/span.ts';
import { selectViews, viewEvent } from '../src/pages/console/board/view.ts';
import { messages } from '../src/pages/console/messages/en.ts';
import { formatMoment, formatUntil, formatZone, trustService } from '../src/pages/time/zones.ts';

/* The board's pure functions. */

const hourMs = 3_600_000;

const call = (uuid: string, over: Partial<BoardCallTime> = {}): BoardCallTime => ({
  uuid,
  staffNeeded: 2,
  startsAt: '2026-11-22T20:00:00.000Z',
  endsAt: '2026-11-23T06:00:00.000Z',
  startTimeTbd: false,
  endTimeTbd: false,
  notesForStaff: null,
  dressCode: null,
  position: { id: 'p1', title: 'Bartender' },
  skillLevel: null,
  ...over,
});

const shift = (uuid: string, callUuid: string | null, over: Partial<Shift> = {}): Shift => ({
  uuid,
  version: 1,
  firstName: 'Ivy',
  lastName: uuid,
  confirmed: true,
  confirmedAt: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  startsAt: '2026-11-22T20:00:00.000Z',
  endsAt: '2026-11-23T06:00:00.000Z',
  position: { id: 'p1', title: 'Bartender' },
  callTime: callUuid === null ? null : { uuid: callUuid },
  ...over,
});

const event = (over: Partial<BoardEvent> = {}): BoardEvent => ({
  uuid: 'e1',
  title: 'Kim & Lopez Wedding',
  status: 'ACTIVE',
  timezone: 'America/New_York',
  start: { iso: '2026-11-22T16:00:00-05:00' },
  startsAt: '2026-11-22T21:00:00.000Z',
  endsAt: '2026-11-23T06:30:00.000Z',
  startTimeTbd: false,
  endTimeTbd: false,
  venueName: 'The Ashgrove Ballroom',
  room: null,
  address: null,
  city: 'New York',
  state: 'NY',
  dressCode: null,
  callTimes: [call('c1')],
  workShifts: [],
  ...over,
});

const conflict = (first: string, second: string, minutes: number | null): Conflict => ({
  kind: minutes === null ? 'POSSIBLE_OVERLAP' : 'OVERLAP',
  minutes,
  startsAt: '2026-11-22T20:00:00.000Z',
  first: { uuid: first, event: { uuid: 'e1', title: 'Wedding' } },
  second: { uuid: second, event: { uuid: 'e2', title: 'Gala' } },
  staff: { name: 'Ivy Green' },
});

describe('lanes', () => {
  test('count who confirmed, who waits, who is missing and who is too many, call time by call time', () => {
    const lanes = buildLanes(
      event({
        callTimes: [call('c1'), call('c2', { staffNeeded: 1 })],
        workShifts: [
          shift('s1', 'c1', { confirmed: false }),
          shift('s2', 'c2'),
          shift('s3', 'c2'),
          shift('s4', null, { startsAt: null }),
        ],
      }),
    );
    expect(lanes.map(({ coverage }) => coverage)).toEqual([
      { needed: 2, confirmed: 0, waiting: 1, open: 1, surplus: 0 },
      { needed: 1, confirmed: 2, waiting: 0, open: 0, surplus: 1 },
      { needed: 0, confirmed: 1, waiting: 0, open: 0, surplus: 0 },
    ]);
    expect(lanes.map(({ call: of, isTbd }) => [of?.position.title, isTbd])).toEqual([
      ['Bartender', false],
      ['Bartender', false],
      [undefined, true],
    ]);
    const sum = sumCoverage(lanes.map(({ coverage }) => coverage));
    expect(sum).toEqual({ needed: 3, confirmed: 3, waiting: 1, open: 1, surplus: 1 });
    expect(fillPercent(sum)).toBe(66);
    expect(fillPercent(sumCoverage([]))).toBeNull();
  });

  test('put people who confirmed first', () => {
    const [lane] = buildLanes(
      event({ workShifts: [shift('a', 'c1', { confirmed: false }), shift('c', 'c1'), shift('b', 'c1')] }),
    );
    expect(lane!.shifts.map(({ uuid }) => uuid)).toEqual(['b', 'c', 'a']);
  });
});

describe('the axis', () => {
  const axisOf = (over: Partial<BoardEvent>) => {
    const subject = event({ callTimes: [], ...over });
    return buildAxis(subject, buildLanes(subject));
  };

  test('spans whole hours of the clocks at the event, over midnight', () => {
    const axis = axisOf({ callTimes: [call('c1')] });
    expect(new Date(axis.fromMs).toISOString()).toBe('2026-11-22T20:00:00.000Z');
    expect(new Date(axis.toMs).toISOString()).toBe('2026-11-23T07:00:00.000Z');
    expect(axis.ticks.map(({ label }) => label)).toEqual(['16:00', '18:00', '20:00', '22:00', '00:00']);
  });

  test('keeps elapsed time where the clocks go back, and names the zone of each of the two equal hours', () => {
    const axis = axisOf({ startsAt: '2026-11-01T04:00:00.000Z', endsAt: '2026-11-01T08:00:00.000Z' });
    expect(axis.ticks.map(({ label }) => label)).toEqual(['00:00 EDT', '01:00 EDT', '01:00 EST', '02:00 EST']);
    expect(axis.ticks.map(({ ms }) => positionOf(axis, ms))).toEqual([0, 25, 50, 75]);
  });

  test('leaves out the hour that is missing where the clocks go forward', () => {
    const axis = axisOf({ startsAt: '2026-03-08T06:00:00.000Z', endsAt: '2026-03-08T09:00:00.000Z' });
    expect(axis.ticks.map(({ label }) => label)).toEqual(['01:00 EST', '03:00 EDT', '04:00 EDT']);
  });

  test('has its ticks at full hours of zones with a half or a quarter of an hour', () => {
    const axis = axisOf({
      timezone: 'Asia/Kathmandu',
      startsAt: '2026-11-22T04:15:00.000Z',
      endsAt: '2026-11-22T07:15:00.000Z',
    });
    expect(axis.ticks.map(({ label }) => label)).toEqual(['10:00', '11:00', '12:00']);
    expect(positionOf(axis, axis.fromMs - hourMs)).toBe(0);
    expect(positionOf(axis, axis.toMs + hourMs)).toBe(100);
  });
});

describe('the missing list', () => {
  test('is sorted by start, and leaves out what is over, filled or called off', () => {
    const at = (hour: number) => ({
      startsAt: `2026-11-22T${hour}:00:00.000Z`,
      endsAt: `2026-11-22T${hour + 1}:00:00.000Z`,
    });
    const views = [
      event({
        callTimes: [
          call('late', at(20)),
          call('over', at(10)),
          call('soon', at(18)),
          call('full', { ...at(17), staffNeeded: 1 }),
        ],
        workShifts: [shift('s1', 'full')],
      }),
      event({ uuid: 'e2', status: 'CANCELED', callTimes: [call('off', at(19))] }),
    ].map((each) => viewEvent(each, null));
    const nowMs = Date.parse('2026-11-22T15:50:00.000Z');
    const gaps = listGaps(views, nowMs);
    expect(gaps.map(({ call: { uuid } }) => uuid)).toEqual(['soon', 'late']);
    expect(formatUntil(gaps[0]!.lane.fromMs, nowMs, messages)).toBe('in 2 h 10 min');
    expect(formatUntil(nowMs - 10 * 60_000, nowMs, messages)).toBe('since 10 min');
  });
});

describe('times', () => {
  test('are by the offset of the service where this browser has other rules, or does not know the zone', () => {
    expect(trustService('2026-11-22T16:00:00-05:00', 'America/New_York')).toBe('America/New_York');
    expect(trustService('2026-11-22T16:00:00Z', 'UTC')).toBe('UTC');
    const [ahead, unknown] = ['America/New_York', 'Mars/Olympus_Mons'].map((zone) =>
      trustService('2026-11-22T16:00:00-04:00', zone),
    );
    expect([ahead, unknown]).toEqual(['-04:00', '-04:00']);
    const startsAt = Date.parse('2026-11-22T20:00:00Z');
    expect(`${formatMoment(startsAt, '-04:00')} ${formatZone(startsAt, '-04:00')}`).toBe('Sun 22 Nov, 16:00 GMT-04:00');
    // A day ahead at the same time of day.
    expect(trustService('2011-12-29T12:00:00+14:00', 'Pacific/Apia')).toBe('+14:00');
  });

  test('are those of the clocks at the event', () => {
    const ms = Date.parse('2026-11-22T21:00:00.000Z');
    expect(formatMoment(ms, 'America/New_York')).toBe('Sun 22 Nov, 16:00');
    expect(formatMoment(ms, 'Asia/Kolkata')).toBe('Mon 23 Nov, 02:30');
    expect(formatZone(ms, 'America/New_York')).toBe('EST');
  });

  test('of a span go from midnight to midnight', () => {
    const { fromMs, toMs } = resolveSpan('3days', '2026-11-22', 0);
    expect([formatLocalDay(fromMs), formatLocalDay(toMs)]).toEqual(['2026-11-22', '2026-11-25']);
    const now = resolveSpan('today', null, toMs - 1);
    expect([formatLocalDay(now.fromMs), now.toMs]).toEqual(['2026-11-24', toMs]);
  });
});

describe('days', () => {
  afterEach(() => setZone('none'));

  test.each([
    ['Asia/Tokyo', '2026-11-24T15:00:00Z', '2026-11-25T15:00:00Z'],
    ['America/New_York', '2026-11-24T05:00:00Z', '2026-11-25T05:00:00Z'],
    ['Asia/Kathmandu', '2026-11-24T18:15:00Z', '2026-11-25T18:15:00Z'],
  ])('are those of the business in %s, wherever the browser is', (zone, from, to) => {
    setZone(zone);
    const { fromMs, toMs } = resolveSpan('today', null, Date.parse('2026-11-24T19:00:00Z'));
    expect([fromMs, toMs]).toEqual([Date.parse(from), Date.parse(to)]);
    expect(describeSpan('today', formatLocalDay(fromMs), fromMs, messages)).toBe('today');
  });

  test('have 23 or 25 hours where the clocks change', () => {
    setZone('America/New_York');
    const hours = ['2026-03-08', '2026-11-01'].map((day) => {
      const { fromMs, toMs } = resolveSpan('today', day, 0);
      return (toMs - fromMs) / hourMs;
    });
    expect(hours).toEqual([23, 25]);
  });
});

describe('what has ended', () => {
  const nowMs = Date.parse('2026-11-23T12:00:00Z');
  const data = {
    events: [
      event({ workShifts: [shift('s1', 'c1', { confirmed: false })] }),
      event({ uuid: 'off', status: 'CANCELED', callTimes: [call('c2', { endsAt: '2026-11-24T06:00:00.000Z' })] }),
      event({
        uuid: 'next',
        endsAt: '2026-11-24T06:00:00.000Z',
        callTimes: [call('c3', { endsAt: '2026-11-24T06:00:00.000Z' })],
      }),
    ],
    conflicts: [],
  };

  test('or is canceled is neither open nor waits, and comes last if it has ended', () => {
    const { views, figures } = selectViews(data, parseAddress(''), nowMs);
    expect(views.map(({ event: { uuid } }) => uuid)).toEqual(['off', 'next', 'e1']);
    expect(figures).toMatchObject({ coverage: { open: 2, waiting: 0 }, events: 3 });
    expect(selectViews(data, parseAddress('?show=waiting'), nowMs).views).toEqual([]);
  });
});

test('double bookings of one person are found among all shifts, but not at canceled events', () => {
  const { callTimes: _, workShifts: __, ...bare } = event();
  const own = (uuid: string, startsAt: string | null, endsAt: string, over = {}) => ({
    ...shift(uuid, null, { startsAt, endsAt }),
    call: null,
    event: { ...bare, uuid: `of ${uuid}`, ...over },
  });
  const found = findOwnConflicts([
    own('night', '2026-11-22T20:00:00.000Z', '2026-11-23T04:00:00.000Z'),
    own('next', '2026-11-23T01:00:00.000Z', '2026-11-23T05:00:00.000Z'),
    own('after', '2026-11-23T05:00:00.000Z', '2026-11-23T06:00:00.000Z'),
    own('off', '2026-11-23T01:00:00.000Z', '2026-11-23T05:00:00.000Z', { status: 'CANCELED' }),
  ]);
  expect(found.map(({ kind, minutes, first, second }) => [kind, minutes, first.uuid, second.uuid])).toEqual([
    ['OVERLAP', 180, 'night', 'next'],
  ]);
});

describe('the address', () => {
  test('holds all that is shown, and is read back', () => {
    const search = '?span=week&day=2026-11-22&city=New+York&text=gala&show=clashes&event=e1&item=s1&view=table&wall=1';
    expect(parseAddress(formatAddress(parseAddress(search)))).toEqual(parseAddress(search));
    expect(parseAddress(search)).toMatchObject({ span: 'week', city: 'New York', show: 'clashes', isTable: true });
  });

  test('is short for what the board shows first, and ignores what it does not know', () => {
    expect(formatAddress(parseAddress('?span=month&show=all&day=2026-99-99&other=1'))).toBe('');
  });
});

describe('data that came again', () => {
  const before = { events: [event(), event({ uuid: 'e2', workShifts: [shift('s1', 'c1')] })], conflicts: [] };

  test('is the same objects where it is equal', () => {
    expect(keepEqual(before, structuredClone(before))).toBe(before);
    const next = structuredClone(before) as { events: BoardEvent[]; conflicts: [] };
    next.events[1] = { ...next.events[1]!, workShifts: [shift('s1', 'c1', { version: 2 })] };
    next.events.unshift(event({ uuid: 'e0' }));
    const merged = keepEqual(before, next);
    expect(merged.events[1]).toBe(before.events[0]);
    expect(merged.events[2]).not.toBe(before.events[1]);
    expect(merged.events[2]!.callTimes).toBe(before.events[1]!.callTimes);
  });

  test('is compared with what was there: which rows changed, and a sentence about it', () => {
    const next = keepEqual(before, {
      events: [
        event({ workShifts: [shift('s2', 'c1')] }),
        event({ uuid: 'e2', workShifts: [] }),
        event({ uuid: 'e3' }),
      ],
      conflicts: [],
    });
    const changes = listChanges(before, next);
    expect(Object.fromEntries([...changes.uuidsByEvent].map(([uuid, uuids]) => [uuid, [...uuids]]))).toEqual({
      e1: ['s2'],
      e2: ['e2'],
      e3: ['c1'],
    });
    expect(describeChanges(changes, messages)).toBe('1 place filled, 1 new gap, 1 confirmed, 1 new event.');
  });
});

describe('filters', () => {
  const data = {
    events: [
      event({ workShifts: [shift('s1', 'c1', { confirmed: false })] }),
      event({ uuid: 'e2', title: 'Gala', city: 'Boston', callTimes: [call('c2', { staffNeeded: 1 })] }),
    ],
    conflicts: [conflict('s1', 's9', 600)],
  };
  const shown = (search: string) => selectViews(data, parseAddress(search)).views.map(({ event: { title } }) => title);

  test('by text, city, position and figure leave what matches', () => {
    expect(shown('')).toEqual(['Kim & Lopez Wedding', 'Gala']);
    expect(shown('?text=ASHGROVE')).toEqual(['Kim & Lopez Wedding', 'Gala']);
    expect(shown('?text=gala')).toEqual(['Gala']);
    expect(shown('?city=Boston')).toEqual(['Gala']);
    expect(shown('?position=Chef')).toEqual([]);
    expect(shown('?show=waiting')).toEqual(['Kim & Lopez Wedding']);
    expect(shown('?show=open&text=gala')).toEqual(['Gala']);
    expect(shown('?show=filled')).toEqual([]);
    expect(shown('?show=clashes')).toEqual(['Kim & Lopez Wedding', 'Gala']);
  });

  test('by a figure do not change the figures', () => {
    const { figures } = selectViews(data, parseAddress('?show=waiting'));
    expect(figures).toEqual({
      coverage: { needed: 3, confirmed: 0, waiting: 1, open: 2, surplus: 0 },
      clashes: 1,
      events: 2,
    });
  });
});

test('the shifts of one person become events with a lane for each call time', () => {
  const { callTimes: _, workShifts: __, ...bare } = event();
  const own = (uuid: string) => ({ ...shift(uuid, 'c1'), call: call('c1', { staffNeeded: 5 }), event: bare });
  const [only, ...others] = groupByEvent([own('s1'), own('s2')]);
  expect(others).toEqual([]);
  expect(only!.callTimes.map(({ staffNeeded }) => staffNeeded)).toEqual([1]);
  expect(only!.workShifts.map(({ uuid }) => uuid)).toEqual(['s1', 's2']);
});
