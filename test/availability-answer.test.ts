import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../src/bin/seed/random.ts';
import type { ExceptionalSpan, SaidAvailability, WeeklyWindow } from '../src/fields/availability.ts';
import { AvailabilityRule, Weekday } from '../src/generated/prisma/enums.ts';
import { askAvailability, type AvailabilityAnswer } from '../src/services/availability-answer.ts';
import { offsetAt } from '../src/time/offsets.ts';

/* The answer whether people can work in a span of time, by hand and against a slow, plain model of it. */

const minuteMs = 60_000;
const dayMs = 86_400_000;
const weekdays = Object.values(Weekday);

const window = (changes: Partial<WeeklyWindow> = {}): WeeklyWindow => ({
  rule: 'available',
  weekday: 'monday',
  startTime: '09:00',
  endTime: '17:00',
  timezone: 'UTC',
  validFrom: null,
  validUntil: null,
  ...changes,
});

const exception = (rule: AvailabilityRule, startsAt: string, endsAt: string): ExceptionalSpan => ({
  rule,
  startsAt: new Date(startsAt),
  endsAt: new Date(endsAt),
});

const ask = (startsAt: string, endsAt: string, patterns: WeeklyWindow[], exceptions: ExceptionalSpan[] = []) =>
  askAvailability({ startsAt: new Date(startsAt), endsAt: new Date(endsAt) })({ patterns, exceptions });

/** Mondays of the tests: the 7th of December 2026, and the 8th of March 2027 in New York, after a Sunday on which clocks change. */
describe('the answer by hand', () => {
  test('somebody who has said nothing is unknown, and so is everybody while the time is open', () => {
    expect(ask('2026-12-07T10:00Z', '2026-12-07T12:00Z', [])).toBe('UNKNOWN');
    expect(askAvailability(null)({ patterns: [window()], exceptions: [] })).toBe('UNKNOWN');
  });

  test('windows must cover the whole span', () => {
    expect(ask('2026-12-07T09:00Z', '2026-12-07T17:00Z', [window()])).toBe('AVAILABLE');
    expect(ask('2026-12-07T09:00Z', '2026-12-07T17:01Z', [window()])).toBe('UNAVAILABLE');
    expect(ask('2026-12-07T08:59Z', '2026-12-07T17:00Z', [window()])).toBe('UNAVAILABLE');
    const late = window({ startTime: '17:00', endTime: '23:00', rule: 'preferred' });
    expect(ask('2026-12-07T10:00Z', '2026-12-07T22:00Z', [late, window()])).toBe('AVAILABLE');
    expect(ask('2026-12-07T18:00Z', '2026-12-07T22:00Z', [late, window()])).toBe('PREFERRED');
  });

  test('who only says when they cannot work is unknown at other times', () => {
    const mornings = window({ rule: 'unavailable', weekday: 'sunday', startTime: '06:00', endTime: '12:00' });
    expect(ask('2026-12-06T11:00Z', '2026-12-06T15:00Z', [mornings])).toBe('UNAVAILABLE');
    expect(ask('2026-12-06T12:00Z', '2026-12-06T15:00Z', [mornings])).toBe('UNKNOWN');
  });

  test('an exception goes before patterns, and UNAVAILABLE before the others in a layer', () => {
    const holiday = exception('unavailable', '2026-12-07T00:00Z', '2026-12-08T00:00Z');
    const there = exception('available', '2026-12-07T16:00Z', '2026-12-07T20:00Z');
    expect(ask('2026-12-07T10:00Z', '2026-12-07T12:00Z', [window()], [holiday])).toBe('UNAVAILABLE');
    expect(ask('2026-12-07T16:30Z', '2026-12-07T20:00Z', [window()], [there])).toBe('AVAILABLE');
    expect(ask('2026-12-07T16:30Z', '2026-12-07T18:00Z', [window()], [there, holiday])).toBe('UNAVAILABLE');
    expect(ask('2026-12-07T10:00Z', '2026-12-07T12:00Z', [window(), window({ rule: 'unavailable' })])).toBe(
      'UNAVAILABLE',
    );
    expect(ask('2026-12-08T10:00Z', '2026-12-08T12:00Z', [], [there])).toBe('UNKNOWN');
  });

  test('a window belongs to the day on which it starts, also behind midnight', () => {
    const night = window({ weekday: 'sunday', startTime: '22:00', endTime: '06:00', validUntil: '2026-12-06' });
    expect(ask('2026-12-07T01:00Z', '2026-12-07T05:00Z', [night])).toBe('AVAILABLE');
    // On the Monday itself the window is not valid any more, so nothing is said beyond its end.
    expect(ask('2026-12-07T05:00Z', '2026-12-07T07:00Z', [night])).toBe('UNKNOWN');
    expect(ask('2026-12-06T20:00Z', '2026-12-06T23:00Z', [night])).toBe('UNAVAILABLE');
  });

  test('equal start and end are 24 hours, and 00:00 as an end is midnight', () => {
    const day = window({ startTime: '08:00', endTime: '08:00' });
    expect(ask('2026-12-07T08:00Z', '2026-12-08T08:00Z', [day])).toBe('AVAILABLE');
    expect(ask('2026-12-07T08:00Z', '2026-12-08T08:01Z', [day])).toBe('UNAVAILABLE');
    const evening = window({ startTime: '20:00', endTime: '00:00' });
    expect(ask('2026-12-07T20:00Z', '2026-12-08T00:00Z', [evening])).toBe('AVAILABLE');
    expect(ask('2026-12-07T20:00Z', '2026-12-08T00:01Z', [evening])).toBe('UNAVAILABLE');
  });

  test('windows are meant in their own zone, both hours count where clocks go back, and a gap shortens them', () => {
    const back = window({ weekday: 'sunday', startTime: '01:00', endTime: '02:00', timezone: 'America/New_York' });
    // Clocks show 01:00 to 02:00 twice on the 1st of November 2026.
    expect(ask('2026-11-01T05:00Z', '2026-11-01T07:00Z', [back])).toBe('AVAILABLE');
    expect(ask('2026-11-01T05:00Z', '2026-11-01T07:01Z', [back])).toBe('UNAVAILABLE');
    // They skip 02:00 to 03:00 on the 14th of March 2027.
    const gap = window({ weekday: 'sunday', startTime: '01:30', endTime: '03:30', timezone: 'America/New_York' });
    expect(ask('2027-03-14T06:30Z', '2027-03-14T07:30Z', [gap])).toBe('AVAILABLE');
    expect(ask('2027-03-14T06:30Z', '2027-03-14T07:31Z', [gap])).toBe('UNAVAILABLE');
    const within = window({ weekday: 'sunday', startTime: '02:00', endTime: '03:00', timezone: 'America/New_York' });
    expect(ask('2027-03-14T07:00Z', '2027-03-14T07:01Z', [within])).toBe('UNAVAILABLE');
  });
});

/** Looks at each minute by itself: what do the clocks show, and what does the person say of it? */
function answerPlainly({ patterns, exceptions }: SaidAvailability, startsAt: Date, endsAt: Date): AvailabilityAnswer {
  clocks.clear();
  const answers = new Set<AvailabilityRule | null>();
  for (let at = startsAt.getTime(); at < endsAt.getTime(); at += minuteMs)
    answers.add(
      strongest(exceptions.filter((each) => each.startsAt.getTime() <= at && at < each.endsAt.getTime())) ??
        strongest(patterns.filter((each) => covers(each, at))) ??
        (patterns.some((each) => each.rule !== 'unavailable' && isValid(each, clockAt(at, each.timezone).today))
          ? 'unavailable'
          : null),
    );
  if (answers.has('unavailable')) return 'UNAVAILABLE';
  if (answers.has(null)) return 'UNKNOWN';
  return answers.has('available') ? 'AVAILABLE' : 'PREFERRED';
}

function strongest(said: readonly { readonly rule: AvailabilityRule }[]): AvailabilityRule | null {
  const rules = said.map(({ rule }) => rule);
  return (['unavailable', 'preferred', 'available'] as const).find((rule) => rules.includes(rule)) ?? null;
}

interface Day {
  readonly date: string;
  readonly weekday: Weekday;
}

interface Clock {
  readonly time: string;
  readonly today: Day;
  readonly yesterday: Day;
}

const clocks = new Map<string, Clock>();

/** What the clocks of a zone show. Kept, because all patterns of a person ask for the same minutes. */
function clockAt(at: number, zone: string): Clock {
  const known = clocks.get(zone + at);
  if (known) return known;
  const shown = at + offsetAt(new Date(at), zone);
  const dayOf = (time: number) => ({
    date: new Date(time).toISOString().slice(0, 10),
    weekday: weekdays[(new Date(time).getUTCDay() + 6) % 7]!,
  });
  const clock = {
    time: new Date(shown).toISOString().slice(11, 16),
    today: dayOf(shown),
    yesterday: dayOf(shown - dayMs),
  };
  clocks.set(zone + at, clock);
  return clock;
}

const isValid = ({ validFrom, validUntil }: WeeklyWindow, { date }: Day): boolean =>
  (validFrom ?? '0000') <= date && date <= (validUntil ?? '9999');

function covers(pattern: WeeklyWindow, at: number): boolean {
  const { startTime, endTime, timezone } = pattern;
  const { time, today, yesterday } = clockAt(at, timezone);
  const isDay = (day: Day) => day.weekday === pattern.weekday && isValid(pattern, day);
  if (endTime > startTime) return isDay(today) && startTime <= time && time < endTime;
  return (isDay(today) && time >= startTime) || (isDay(yesterday) && time < endTime);
}

test('2,000 random people, patterns and spans get the answer of a plain model, over changes of clocks too', () => {
  const random = seededRandom(33);
  const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC', 'Pacific/Apia'];
  // Around changes of clocks, and days without any.
  const days = ['2026-11-01', '2026-10-25', '2027-03-14', '2027-03-28', '2027-04-04', '2026-12-07', '2011-12-30'];
  const time = () => `${String(random.whole(0, 23)).padStart(2, '0')}:${random.pick(['00', '15', '30', '59'])}`;
  const dateNear = (day: string) =>
    random.chance(0.8) ? null : new Date(Date.parse(day) + random.whole(-3, 3) * dayMs).toISOString().slice(0, 10);
  const counts: Record<string, number> = {};
  for (let person = 0; person < 2000; person++) {
    const day = random.pick(days);
    const start = Date.parse(day) + random.whole(-36 * 60, 36 * 60) * minuteMs;
    const startsAt = new Date(start);
    const endsAt = new Date(start + random.pick([1, 30, 60, 240, 600, 1500, 4000]) * minuteMs);
    const usual = random.pick(zones);
    const patterns = Array.from({ length: random.whole(0, 10) }, () => {
      const startTime = random.chance(0.5) ? '00:00' : time();
      return window({
        rule: random.pick(['available', 'available', 'preferred', 'preferred', 'unavailable']),
        weekday: random.pick(weekdays),
        startTime,
        endTime: random.chance(0.5) ? startTime : time(),
        timezone: random.chance(0.9) ? usual : random.pick(zones),
        validFrom: dateNear(day),
        validUntil: dateNear(day),
      });
    });
    const exceptions = Array.from({ length: random.pick([0, 0, 1, 2]) }, () => {
      const from = start + random.whole(-600, 600) * minuteMs;
      return {
        rule: random.pick(Object.values(AvailabilityRule)),
        startsAt: new Date(from),
        endsAt: new Date(from + random.whole(1, 2000) * minuteMs),
      };
    });
    const said = { patterns, exceptions };
    const answer = askAvailability({ startsAt, endsAt })(said);
    const expected = answerPlainly(said, startsAt, endsAt);
    if (answer !== expected)
      throw new Error(`${answer}, not ${expected}: ${JSON.stringify({ startsAt, endsAt, said })}`);
    counts[answer] = (counts[answer] ?? 0) + 1;
  }
  // Each answer was given often enough to mean something.
  for (const answer of ['PREFERRED', 'AVAILABLE', 'UNAVAILABLE', 'UNKNOWN'])
    expect([answer, counts[answer]! > 50]).toEqual([answer, true]);
});
