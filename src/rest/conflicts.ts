import Type from 'typebox';
import type { CallScope } from '../access/scope.ts';
import { codesOf, conflictKinds } from '../fields/codes.ts';
import * as conflicts from '../services/conflicts.ts';
import { oneOf } from '../validation/schemas.ts';
import { instantSchema } from './formats.ts';
import { listRoute } from './lists.ts';
import type { RestApp } from './route.ts';
import { FullShift, serializeFullShifts } from './work-shifts-full.ts';
import { titled } from './views.ts';

const ConflictView = titled('Conflict', {
  kind: oneOf(codesOf(conflictKinds), 'The overlap, or the broken rule.'),
  user_id: Type.Integer({ description: 'Id of the staff member.' }),
  starts_at: instantSchema('Start of the time that both shifts share, of the rest between them, or of the shift'),
  ends_at: instantSchema('End of the time that both shifts share, of the rest between them, or of the shift'),
  minutes: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'Overlap: minutes that both shifts share, rounded up. Short rest: minutes between them. Weekly hours: minutes of the week. Otherwise null.',
  }),
  text: Type.Union([Type.String(), Type.Null()], {
    description: 'What is against the person; null for overlaps.',
  }),
  first: FullShift,
  second: Type.Union([FullShift, Type.Null()], {
    description: 'The other shift; null where the rule is about one shift.',
  }),
});

type ConflictRow = Awaited<ReturnType<typeof conflicts.list>>['rows'][number];

export function conflictRoutes(app: RestApp): void {
  listRoute(app, {
    url: '/v1/conflicts',
    calls: conflicts.list,
    tag: 'Reports',
    isExtension: true,
    summary: 'List the people who are assigned to two shifts at the same time, or against a rule of who can work',
    description: 'On active and draft events within a span of time, by start.',
    query: conflicts.conflictsInput,
    item: ConflictView,
    read: (scope, { query }) => conflicts.list(scope, query),
    serializeAll: serializeConflicts,
  });
}

async function serializeConflicts(scope: CallScope, rows: readonly ConflictRow[]) {
  const serializeShift = await serializeFullShifts(
    scope,
    rows.flatMap(({ first, second }) => (second ? [first, second] : [first])),
  );
  return ({ kind, userId, startsAt, endsAt, minutes, text, first, second }: ConflictRow) => ({
    kind,
    user_id: userId,
    starts_at: startsAt.toISOString(),
    ends_at: endsAt.toISOString(),
    minutes,
    text,
    first: serializeShift(first),
    second: second && serializeShift(second),
  });
}
