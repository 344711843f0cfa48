import { fieldList, shown, type ResultOf } from './field-list.ts';

/** Staffing of one or more call times, in people. Shifts without a call time are not counted. */
export const coverageCounts = fieldList({
  needed: shown.integer('People that the call times need.'),
  assigned: shown.integer('People assigned to the call times by active shifts, confirmed or not.'),
  confirmed: shown.integer('Assigned people who confirmed.'),
  present: shown.integer('Assigned people who have checked in.'),
  open: shown.integer(
    'Open places, counted for each call time separately: surplus people on one call time do not fill another.',
  ),
});

export const coverageFields = fieldList({
  ...coverageCounts,
  fillRate: shown.share.orNull('Filled share of the people needed, from 0 to 1; null if nobody is needed.'),
  state: shown.coverageState('Summary of the coverage.'),
});

export type CoverageCounts = ResultOf<typeof coverageCounts>;
export type CoverageRow = ResultOf<typeof coverageFields>;
