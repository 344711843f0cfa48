import { rateLimitByPlan } from '../../src/config/limits.ts';
import type { Attack } from './attack.ts';
import { inParallel, repeated, unique, type Target } from './target.ts';

/* Slow statements of one business within its plan, six requests of fifty root fields at a time. */

const callers = 6;
/** Points that the largest plan allows in a minute. */
const points = rateLimitByPlan.enterprise;
const [fieldsPerQuery, fieldsPerMutation] = [50, 20];

const graphqlAttack = (name: string, field: (range: string, index: number) => string, isShort = false): Attack => ({
  name,
  tries: 'statements',
  isShort,
  run: (target: Target) =>
    inParallel(
      target,
      callers,
      () =>
        target.graphql(
          repeated(fieldsPerQuery, (index) => field(target.scene.range, index)),
          { as: target.scene.big.key },
        ),
      points / fieldsPerQuery,
    ),
});

export const statementAttacks: readonly Attack[] = [
  graphqlAttack(
    'search by text',
    () => `events(first: 1, filter: { text: "${unique()}" }) { totalCount nodes { id } }`,
    true,
  ),
  graphqlAttack(
    'filter by coverage',
    (_range, index) => `events(first: 1, filter: { coverageBelow: 0.${index + 10} }) { totalCount }`,
  ),
  graphqlAttack(
    'coverage',
    (range) => `coverage(${range}, groupBy: POSITION, filter: { city: "${unique()}" }) { total { needed } }`,
    true,
  ),
  graphqlAttack('labour cost', (range) => `labourCost(${range}, groupBy: CLIENT) { total { planned } groups { key } }`),
  graphqlAttack(
    'double bookings',
    (range, index) => `conflicts(${range}, page: ${index + 1}, perPage: 1) { totalCount }`,
  ),
  graphqlAttack(
    'deep pages',
    (_range, index) => `events(page: ${1000 + index}, perPage: 1, sort: { by: MODIFIED }) { nodes { id } }`,
  ),
  graphqlAttack(
    'different columns each time',
    (_range, index) =>
      `events(first: 1, filter: { text: "${unique()}" }) { nodes { ${['id', 'uuid', 'title', 'city', 'state', 'zip'].filter((_, bit) => (index >> bit) % 2 === 0).join(' ') || 'room'} } }`,
  ),
  {
    name: 'REST searches, 20 at a time',
    tries: 'statements',
    run: (target) =>
      inParallel(
        target,
        20,
        (caller, turn) =>
          target.send('GET', `/v1/events?per_page=100&page=${1 + ((caller + turn) % 50)}&_=${unique()}`, {
            as: target.scene.big.key,
          }),
        points,
      ),
  },
  {
    name: 'writes',
    tries: 'statements',
    isShort: true,
    run: (target) =>
      inParallel(
        target,
        callers,
        () =>
          target.graphql(
            `mutation ${repeated(fieldsPerMutation, () => `createEvent(input: { title: "${unique()}", startTime: "2027-01-01 10:00:00", endTime: "2027-01-01 11:00:00", timezone: "UTC" }) { id }`)}`,
            { as: target.scene.big.key },
          ),
        points / fieldsPerMutation,
      ),
  },
];
