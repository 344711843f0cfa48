import { expect, test } from '@jest/globals';
import { seededRandom } from '../src/bin/seed/random.ts';
import type { SaidAvailability, WeeklyWindow } from '../src/fields/availability.ts';
import { AvailabilityRule, Weekday } from '../src/generated/prisma/enums.ts';
import { askAvailability, type AvailabilityAnswer } from '../src/services/availability-answer.ts';
import { offsetAt } from '../src/time/offsets.ts';

/* The answer whether people can work in a span of time, against a slow, plain model of it. */

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
