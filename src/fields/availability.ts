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

interface StoredRow {
  readonly id: number;
  readonly uuid: string;
  readonly userId: number;
  readonly version: number;
}

export type PatternRow = StoredRow & WeeklyWindow;
export type ExceptionRow = StoredRow & ExceptionalSpan & { readonly note: string | null };
