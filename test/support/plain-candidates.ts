/*
 * A slow, plain model of who can work, which shares nothing with src/: it looks at one quarter of an hour after the other, at what
 * clocks show by Intl, and at each rule by itself. All times of the model are whole quarters.
 */

export interface PlainPattern {
  readonly rule: 'available' | 'preferred' | 'unavailable';
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly startTime: string;
  readonly endTime: string;
  readonly timezone: string;
  readonly validFrom: string | null;
  readonly validUntil: string | null;
}

export interface PlainException {
  readonly rule: PlainPattern['rule'];
  readonly startsAt: Date;
  readonly endsAt: Date;
}

export interface PlainShift {
  readonly event: PlainEvent;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
}

interface PlainEvent {
  readonly uuid: string;
  readonly timezone: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

export interface PlainCertificate {
  readonly qualificationId: number;
  readonly level: number | null;
  readonly validFrom: string | null;
  readonly validUntil: string | null;
}

export interface PlainPerson {
  readonly patterns: readonly PlainPattern[];
  readonly exceptions: readonly PlainException[];
  readonly shifts: readonly PlainShift[];
  readonly certificates: readonly PlainCertificate[];
  readonly notes: readonly PlainNote[];
}

/** What was noted of a shift that started at a time. */
export interface PlainNote {
  readonly what: 'noShow' | 'came' | 'declined';
  readonly startsAt: Date;
  readonly at: Date;
}

export interface PlainRules {
  readonly restHours: number;
  readonly weeklyHours: number;
  readonly timezone: string;
  readonly requirements: readonly { readonly qualificationId: number; readonly minLevel: number | null }[];
}

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
const formats = new Map<string, Intl.DateTimeFormat>();
const shown = new Map<string, { date: string; time: string }>();

/** What the clocks of a zone show: `2027-03-14` and `01:45`. */
function clockOf(at: Date, timezone: string): { date: string; time: string } {
  const key = `${timezone} ${at.getTime()}`;
  let known = shown.get(key);
  if (known) return known;
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' });
    formats.set(timezone, format);
  }
  const [date = '', time = ''] = format.format(at).split(' ');
  shown.set(key, (known = { date, time }));
  return known;
}

const weekdayOf = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay();
const dayBefore = (date: string) => new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
const isValidOn = ({ validFrom, validUntil }: PlainPattern | PlainCertificate, date: string) =>
  (validFrom === null || validFrom <= date) && (validUntil === null || validUntil >= date);

function isInWindow(pattern: PlainPattern, at: Date): boolean {
  const { weekday, startTime, endTime, timezone } = pattern;
  const { date, time } = clockOf(at, timezone);
  const isOvernight = endTime <= startTime;
  const startsOn = (day: string) => weekdayOf(day) === weekday && isValidOn(pattern, day);
  if (startsOn(date) && time >= startTime && (isOvernight || time < endTime)) return true;
  return isOvernight && startsOn(dayBefore(date)) && time < endTime;
}

type Answer = 'PREFERRED' | 'AVAILABLE' | 'UNAVAILABLE' | 'UNKNOWN';

function availabilityAt({ patterns, exceptions }: PlainPerson, at: Date): Answer {
  for (const layer of [
    exceptions.filter(({ startsAt, endsAt }) => startsAt <= at && at < endsAt),
    patterns.filter((pattern) => isInWindow(pattern, at)),
  ])
    for (const rule of ['unavailable', 'preferred', 'available'] as const)
      if (layer.some((each) => each.rule === rule)) return rule.toUpperCase() as Answer;
  const isElsewhere = patterns.some(
    (pattern) => pattern.rule !== 'unavailable' && isValidOn(pattern, clockOf(at, pattern.timezone).date),
  );
  return isElsewhere ? 'UNAVAILABLE' : 'UNKNOWN';
}

function availabilityOver(person: PlainPerson, { startsAt, endsAt }: PlainShift): Answer {
  if (!startsAt || !endsAt) return 'UNKNOWN';
  const answers = new Set<Answer>();
  for (let at = startsAt.getTime(); at < endsAt.getTime(); at += quarterMs)
    answers.add(availabilityAt(person, new Date(at)));
  for (const answer of ['UNAVAILABLE', 'UNKNOWN', 'AVAILABLE'] as const) if (answers.has(answer)) return answer;
  return 'PREFERRED';
}

/** The first and the last second that a shift can have. */
function reachOf({ event, startsAt, endsAt }: PlainShift): [number, number] {
  const [eventStart, eventEnd] = [event.startsAt.getTime(), event.endsAt.getTime()];
  const start = startsAt ? startsAt.getTime() : Math.min(eventStart, endsAt ? endsAt.getTime() - 1000 : eventStart);
  const end = endsAt ? endsAt.getTime() : Math.max(eventEnd, startsAt ? startsAt.getTime() + 1000 : eventEnd);
  return [start, end];
}

/** The Monday of the week in which an instant lies. */
function weekOf(at: Date, timezone: string): string {
  let { date } = clockOf(at, timezone);
  while (weekdayOf(date) !== 1) date = dayBefore(date);
  return date;
}

const hoursOf = ({ startsAt, endsAt }: PlainShift) =>
  startsAt && endsAt ? (endsAt.getTime() - startsAt.getTime()) / (60 * minuteMs) : 0;

/** The hard reasons against a person, each once, and the verdict. */
export function judgePlainly(person: PlainPerson, wanted: PlainShift, rules: PlainRules) {
  const reasons = new Set<string>();
  const [begins, ends] = reachOf(wanted);
  for (const shift of person.shifts) {
    const [otherBegins, otherEnds] = reachOf(shift);
    if (otherBegins < ends && otherEnds > begins) reasons.add('DOUBLE_BOOKED');
    const gaps = [
      wanted.endsAt && shift.startsAt && otherBegins >= begins && shift.startsAt.getTime() - wanted.endsAt.getTime(),
      shift.endsAt && wanted.startsAt && otherBegins < begins && wanted.startsAt.getTime() - shift.endsAt.getTime(),
    ];
    const wholeHours = (Math.max(ends, otherEnds) - Math.min(begins, otherBegins)) / (60 * minuteMs);
    const isOneDay = shift.event.uuid === wanted.event.uuid && wholeHours <= 24 - rules.restHours;
    for (const gap of gaps)
      if (typeof gap === 'number' && gap >= 0 && gap < rules.restHours * 60 * minuteMs && !isOneDay)
        reasons.add('SHORT_REST');
  }
  if (wanted.startsAt && wanted.endsAt) {
    const week = weekOf(wanted.startsAt, rules.timezone);
    const hours = person.shifts
      .filter(({ startsAt }) => startsAt && weekOf(startsAt, rules.timezone) === week)
      .reduce((sum, shift) => sum + hoursOf(shift), hoursOf(wanted));
    if (hours > rules.weeklyHours) reasons.add('OVER_WEEKLY_HOURS');
  }
  const availability = availabilityOver(person, wanted);
  if (availability === 'UNAVAILABLE') reasons.add('UNAVAILABLE');
  const firstDay = clockOf(new Date(begins), wanted.event.timezone).date;
  const lastDay = clockOf(new Date(ends - 1000), wanted.event.timezone).date;
  for (const { qualificationId, minLevel } of rules.requirements) {
    const held = person.certificates.filter(
      (each) => each.qualificationId === qualificationId && (minLevel === null || (each.level ?? 0) >= minLevel),
    );
    if (held.length === 0) reasons.add('MISSING_QUALIFICATION');
    else if (!held.some((each) => isValidOn(each, firstDay) && isValidOn(each, lastDay)))
      reasons.add('EXPIRED_QUALIFICATION');
  }
  const verdict = reasons.size > 0 ? 'BLOCKED' : availability === 'UNKNOWN' ? 'ASK' : 'READY';
  return { reasons: [...reasons].sort(), verdict, availability };
}

/** What speaks against relying on a person, of the 90 days before a time, and what is left of the score. */
export function countPlainly({ notes }: PlainPerson, now: Date) {
  const hours = ({ at, startsAt }: PlainNote) => (at.getTime() - startsAt.getTime()) / (60 * minuteMs);
  const recent = notes.filter(({ at }) => now.getTime() - at.getTime() < 90 * 24 * 60 * minuteMs);
  const count = (what: PlainNote['what'], later: number) =>
    recent.filter((note) => note.what === what && hours(note) > later).length;
  const counts = {
    no_shows: count('noShow', -Infinity),
    late: count('came', 5 / 60),
    declined_late: count('declined', -24),
  };
  return { counts, score: 1 / (1 + counts.no_shows + counts.declined_late * 0.5 + counts.late * 0.25) };
}
