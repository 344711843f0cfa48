import type { Prisma, Weekday } from '../../generated/prisma/client.ts';
import { addDays, dayOf, momentAt } from './moments.ts';
import type { BusinessProfile } from './profiles.ts';
import { seededRandom } from './random.ts';

interface OfStaff {
  readonly uuid: string;
  /** Index into the business's staff. */
  readonly staff: number;
}

type PatternDraft = OfStaff & Omit<Prisma.AvailabilityPatternCreateManyInput, 'businessId' | 'userId'>;
type ExceptionDraft = OfStaff & Omit<Prisma.AvailabilityExceptionCreateManyInput, 'businessId' | 'userId'>;

export interface AvailabilityDraft {
  readonly patterns: readonly PatternDraft[];
  readonly exceptions: readonly ExceptionDraft[];
}

type Said = Pick<PatternDraft, 'rule' | 'startTime' | 'endTime'> & { readonly weekdays: readonly Weekday[] };

const workdays: readonly Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
const weekend: readonly Weekday[] = ['saturday', 'sunday'];

/** What staff say in turn. The third of four says nothing. */
const said: readonly (readonly Said[])[] = [
  [
    { rule: 'available', weekdays: workdays, startTime: '07:00', endTime: '02:00' },
    { rule: 'preferred', weekdays: weekend, startTime: '07:00', endTime: '03:00' },
  ],
  [{ rule: 'unavailable', weekdays: ['sunday'], startTime: '06:00', endTime: '12:00' }],
  [],
  [
    { rule: 'available', weekdays: workdays, startTime: '16:00', endTime: '02:00' },
    { rule: 'available', weekdays: weekend, startTime: '00:00', endTime: '00:00' },
  ],
];

/** Drafts what the staff say of when they can work. Every fourth of them has a week of holidays. */
export function draftAvailability({ seed, staffCount, zones }: BusinessProfile, today: Date): AvailabilityDraft {
  // The numbers that the other drafts are made of stay as they are.
  const random = seededRandom(seed + 1000);
  const [timezone = 'UTC'] = zones;
  const staff = [...Array(staffCount).keys()];
  const patterns = staff.flatMap((index) =>
    said[index % said.length]!.flatMap(({ weekdays, ...window }) =>
      weekdays.map((weekday) => ({ ...window, weekday, timezone, uuid: random.uuid(), staff: index })),
    ),
  );
  const midnight = (days: number) => momentAt(addDays(dayOf(today), days), 0, timezone).at;
  const exceptions = staff
    .filter((index) => index % 4 === 3)
    .map((index) => {
      const span = { startsAt: midnight(30 + index), endsAt: midnight(37 + index) };
      return { ...span, rule: 'unavailable' as const, note: 'Holiday', uuid: random.uuid(), staff: index };
    });
  return { patterns, exceptions };
}
