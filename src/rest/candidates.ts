import Type, { type TSchema } from 'typebox';
import { limits } from '../config/limits.ts';
import { reasonFields, reliabilityFields } from '../fields/candidates.ts';
import { codesOf, verdicts } from '../fields/codes.ts';
import { callTimeParams } from '../services/call-times-input.ts';
import * as candidates from '../services/candidates.ts';
import { oneOf } from '../validation/schemas.ts';
import { textSchema } from './formats.ts';
import { listRoute } from './lists.ts';
import type { RestApp } from './route.ts';
import { shapeOf } from './shapes.ts';
import { viewOf } from './views.ts';

const orNull = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const { properties: reasonProperties } = shapeOf(reasonFields, [], { nulls: 'anyOf', instants: 'iso' });
const { properties: reliabilityProperties } = shapeOf(reliabilityFields);

const part = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const { schema: CandidateView, serialize } = viewOf<candidates.Candidate>('Candidate')({
  user_id: Type.Integer({ description: 'Id of the staff member.' }),
  name: textSchema('Name of the staff member.'),
  phone: orNull(Type.String(), 'Phone number; null for none.'),
  verdict: oneOf(
    codesOf(verdicts),
    'READY: nothing is against it, and the person is available. ASK: nothing is against it, and the person has not said whether they are. BLOCKED: there is a hard reason.',
  ),
  reasons: [
    Type.Array(Type.Object(reasonProperties), {
      description: 'What the verdict and the score come from, hard reasons first.',
    }),
    ({ reasons }) => reasons.map(({ until, ...reason }) => ({ ...reason, until: until?.toISOString() ?? null })),
  ],
  score: part('How well the person fits, 0 to 1: the mean of the parts.'),
  score_parts: Type.Object(
    {
      availability: part('1 for preferred, 0.7 for available, 0.4 for unknown.'),
      hours: part('1 without hours in the week, 0.5 with the average of the staff, 0 with twice as many.'),
      client: orNull(Type.Number(), 'Worked for this client; null for an event without one.'),
      venue: orNull(Type.Number(), 'Worked at this venue; null for an event without one.'),
      position: part('Worked in this position.'),
      reliability: part(
        '1 without no-shows, late check-ins and late declines, 0.5 with one no-show, two late declines or four late check-ins.',
      ),
    },
    { description: 'What the score is made of.' },
  ),
  week_hours: Type.Number({
    description: 'Hours of the shifts of the person that start in the week of the call time.',
  }),
  reliability: [
    Type.Object(reliabilityProperties, { description: `What was noted in the last ${limits.reliabilityDays} days.` }),
    ({ reliability: { noShows, late, declinedLate } }) => ({ no_shows: noShows, late, declined_late: declinedLate }),
  ],
});

export function candidateRoutes(app: RestApp): void {
  listRoute(app, {
    url: '/v1/call_times/:uuid/candidates',
    calls: candidates.list,
    tag: 'Call times',
    isExtension: true,
    summary: 'List the staff as candidates for a call time',
    description:
      'The whole staff, ranked: READY first, then ASK, then BLOCKED, each by score. The hard reasons are those for which `POST /v1/work_shifts` is refused with 409 `CLASH`.',
    params: callTimeParams,
    query: candidates.candidatesQuery,
    item: CandidateView,
    read: (scope, { params, query }) => candidates.list(scope, { ...params, ...query }),
    serializeAll: () => serialize,
  });
}
