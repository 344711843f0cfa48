import { ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { connectionTo } from './connection-to.ts';
import { reasonFields, reliabilityFields } from '../fields/candidates.ts';
import { CandidateVerdict } from './enums.ts';
import { resultOf } from './fields.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({ description: 'What speaks against a candidate, or for one.', simpleResolvers: true })
class CandidateReason extends resultOf(reasonFields) {}

const part = (of: string) => `${of}, 0 to 1`;

@ObjectType({ description: 'The parts of a score. The score is their mean.', simpleResolvers: true })
class CandidateScore extends objectWith({
  availability: field.float(`${part('Availability')}: 1 for preferred, 0.7 for available, 0.4 for unknown.`),
  hours: field.float(
    `${part('Fairness')}: 1 without hours in the week, 0.5 with the average of the staff, 0 with twice as many.`,
  ),
  client: field.float.orNull(`${part('Worked for this client')}; null for an event without one.`),
  venue: field.float.orNull(`${part('Worked at this venue')}; null for an event without one.`),
  position: field.float(`${part('Worked in this position')}.`),
  reliability: field.float(
    `${part('Reliability')}: 1 without no-shows, late check-ins and late declines, 0.5 with one no-show, two late declines or four late check-ins.`,
  ),
}) {}

@ObjectType({
  description: `What speaks against relying on somebody, as noted in the last ${limits.reliabilityDays} days.`,
  simpleResolvers: true,
})
class CandidateReliability extends resultOf(reliabilityFields) {}

@ObjectType({ description: 'A member of the staff as a candidate for a call time.' })
export class Candidate extends objectWith({
  verdict: field.of(CandidateVerdict)('Whether the person can be assigned.'),
  reasons: field.of([CandidateReason])('What the verdict and the score come from, hard reasons first.'),
  score: field.float('How well the person fits, 0 to 1: the mean of the parts.'),
  scoreParts: field.of(CandidateScore)('What the score is made of.'),
  weekHours: field.float('Hours of the shifts of the person that start in the week of the call time.'),
  reliability: field.of(CandidateReliability)('Numbers of no-shows, late check-ins and late declines.'),
}) {
  /** Number of the staff member. */
  userId!: number;
}

@ObjectType({ description: 'A page of candidates: READY first, then ASK, then BLOCKED, each by score.' })
export class CandidateConnection extends connectionTo(Candidate, 'Candidate', 'candidates') {}
