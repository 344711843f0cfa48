import { limits } from '../config/limits.ts';
import { fieldList, shown, type ResultOf } from './field-list.ts';

/** Fields of a reason for or against a candidate. */
export const reasonFields = fieldList({
  code: shown.reasonCode('The reason.'),
  severity: shown.reasonSeverity(
    'Whether an assignment is refused for it. HARD: it is, unless an override gives a reason.',
  ),
  text: shown.text('The reason in words.'),
  until: shown.instant.orNull('When the reason ends, UTC; null if it has no known end.'),
});

/** Fields of the reliability of a person. */
export const reliabilityFields = fieldList({
  noShows: shown.integer('Shifts to which the person did not come.'),
  late: shown.integer(`Check-ins more than ${limits.lateAfterMin} minutes after the planned start.`),
  declinedLate: shown.integer(`Shifts declined less than ${limits.declineLateH} hours before the start, or after it.`),
});

export type CandidateReason = ResultOf<typeof reasonFields>;
export type Reliability = ResultOf<typeof reliabilityFields>;
