import { nextTransition, offsetAt } from './offsets.ts';

interface Change {
  readonly at: Date;
  readonly year: number;
  /** Lines of the observance that begins with the change, without its start. */
  readonly observance: string;
  readonly start: string;
  /** The yearly rules that the day follows, such as the last Sunday of March, each with what begins then. */
  readonly rules: readonly string[];
}

const [dayMs, ruleYears] = [86_400_000, 5];

/**
 * Describes how the clocks of a zone change in some time, as the lines of a VTIMEZONE of RFC 5545. Two changes that are the same
 * in each year of it and the years after it are written as rules, which Outlook needs; others are listed one by one.
 */
export function describeZone(zone: string, from: Date, until: Date): string[] {
  const since = new Date(from.getTime() - 366 * dayMs);
  const changes = findChanges(zone, since, new Date(until.getTime() + ruleYears * 366 * dayMs));
  const rules = [0, 1].map((turn) => findRule(changes.filter((_, index) => index % 2 === turn)));
  const yearly = rules.every((rule) => rule !== null);
  const initial = offsetText(offsetAt(since, zone));
  const first = { observance: observe('STANDARD', initial, initial), start: '19700101T000000' };
  const shown = yearly ? changes.slice(0, 2) : [first, ...changes.filter(({ at }) => at <= until)];
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${zone}`,
    ...shown.flatMap(({ observance, start }, index) => {
      const [begin, ...offsets] = observance.split('\n');
      const rule = yearly ? [`RRULE:${rules[index]?.split(' ')[0]}`] : [];
      return [begin!, `DTSTART:${start}`, ...offsets, ...rule, begin!.replace('BEGIN', 'END')];
    }),
    'END:VTIMEZONE',
  ];
}

function findChanges(zone: string, after: Date, until: Date): Change[] {
  const found: Change[] = [];
  for (let next = nextTransition(after, until, zone); next; next = nextTransition(next.at, until, zone)) {
    const { at, offsetBefore, offsetAfter } = next;
    const local = new Date(at.getTime() + offsetBefore);
    const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth() + 1, local.getUTCDate()];
    const start = local.toISOString().replaceAll(/[-:]|\.\d+Z/g, '');
    const kind = offsetAfter > offsetBefore ? 'DAYLIGHT' : 'STANDARD';
    const observance = observe(kind, offsetText(offsetBefore), offsetText(offsetAfter));
    const isLast = day + 7 > new Date(Date.UTC(year, month, 0)).getUTCDate();
    const weekday = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][local.getUTCDay()];
    const rules = [Math.ceil(day / 7), ...(isLast ? [-1] : [])].map(
      (nth) => `FREQ=YEARLY;BYMONTH=${month};BYDAY=${nth}${weekday} ${start.slice(8)} ${observance}`,
    );
    found.push({ at, year, observance, start, rules });
  }
  return found;
}

/** Finds the rule that all changes follow, one in each year. */
function findRule([first, ...others]: readonly Change[]): string | null {
  if (!first || others.length < ruleYears - 1) return null;
  const follows = (rule: string) =>
    others.every(({ year, rules }, index) => year === first.year + index + 1 && rules.includes(rule));
  return first.rules.find(follows) ?? null;
}

const observe = (kind: 'STANDARD' | 'DAYLIGHT', from: string, to: string) =>
  `BEGIN:${kind}\nTZOFFSETFROM:${from}\nTZOFFSETTO:${to}`;

function offsetText(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${offsetMs < 0 ? '-' : '+'}${hours}${rest}`;
}
