import { fieldList, rowVersion, shown, type ResultOf } from './field-list.ts';
import type { AvailabilityRule, Weekday } from '../generated/prisma/enums.ts';

/** A weekly window as a person said it. Times are `HH:MM`, dates `YYYY-MM-DD`, both included; null: no limit. */
export interface WeeklyWindow {
  readonly rule: AvailabilityRule;
  readonly weekday: Weekday;
  readonly startTime: string;
  /** At or before the start: on the next day. */
  readonly endTime: string;
  readonly timezone: string;
  readonly validFrom: string | null;
  readonly validUntil: string | null;
}

export interface ExceptionalSpan {
  readonly rule: AvailabilityRule;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** What one person has said, or that part of it which can matter for a span. */
export interface SaidAvailability {
  readonly patterns: readonly WeeklyWindow[];
  readonly exceptions: readonly ExceptionalSpan[];
}

const ownFields = {
  id: { kind: 'integer' },
  uuid: { kind: 'uuid', description: 'UUID, as in REST.' },
  userId: { kind: 'integer', refersTo: 'User', description: 'Id of the staff member.' },
  rule: shown.availabilityRule('Whether the person can work then.'),
} as const;

export const patternFields = fieldList({
  ...ownFields,
  weekday: shown.weekday('Day of the week on which the window starts.'),
  startTime: shown.text('Start, HH:MM.'),
  endTime: shown.text(
    'End, HH:MM. At or before the start, it is on the next day: 00:00 means midnight, and the time of the start 24 hours.',
  ),
  timezone: shown.text('IANA name of the time zone whose clocks are meant.'),
  validFrom: shown.text.orNull('First date on which the window starts, YYYY-MM-DD; null: no limit.'),
  validUntil: shown.text.orNull('Last date on which the window starts, YYYY-MM-DD; null: no limit.'),
  version: rowVersion,
});

export const exceptionFields = fieldList({
  ...ownFields,
  startsAt: shown.instant('Start, UTC.'),
  endsAt: shown.instant('End, UTC; not included.'),
  note: shown.text.orNull('Such as "holiday"; null for none.'),
  version: rowVersion,
});

export type PatternRow = ResultOf<typeof patternFields>;
export type ExceptionRow = ResultOf<typeof exceptionFields>;
