/*
 * The rules of one time zone, whatever data they come from. All numbers in the files `tz-*.ts` are seconds: instants since
 * 1970 in UTC, and offsets east of UTC.
 */

export interface OffsetChange {
  readonly at: number;
  /** The offset from then on. */
  readonly offset: number;
}

/** One calendar year in UTC: the offset at its beginning, and the changes within it. */
export interface ZoneYear {
  readonly initial: number;
  readonly changes: readonly OffsetChange[];
}

/** Computes any year of a zone. */
export type ZoneRules = (year: number) => ZoneYear;

export const startOfYear = (year: number): number => Date.UTC(year, 0, 1) / 1000;
