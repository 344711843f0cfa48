import Type from 'typebox';
import type { CallScope } from '../access/scope.ts';
import * as conflicts from '../services/conflicts.ts';
import { oneOf } from '../validation/schemas.ts';
import { instantSchema } from './formats.ts';
import { listRoute } from './lists.ts';
import type { RestApp } from './route.ts';
import { FullShift, serializeFullShifts } from './work-shifts-full.ts';
import { titled } from './views.ts';

const ConflictView = titled('Conflict', {
  kind: oneOf(['OVERLAP', 'POSSIBLE_OVERLAP'], 'Whether the overlap is certain.'),
  user_id: Type.Integer({ description: 'Id of the staff member of both shifts.' }),
  starts_at: instantSchema('Start of the time that both shifts share'),
  ends_at: instantSchema('End of the time that both shifts share'),
  minutes: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Minutes that both shifts share, rounded up; null for a possible overlap.',
  }),
  first: FullShift,
  second: FullShift,
});

type ConflictRow = Awaited<ReturnType<typeof conflicts.list>>['rows'][number];

export function conflictRoutes(app: RestApp): void {
  listRoute(app, {
    url: '/v1/conflicts',
    calls: conflicts.list,
    tag: 'Reports',
    isExtension: true,
    summary: 'List the people who are assigned to two shifts at the same time',
    description: 'On active and draft events within a span of time, by the start of the time that both shifts share.',
    query: conflicts.conflictsInput,
    item: ConflictView,
    read: (scope, { query }) => conflicts.list(scope, query),
    serializeAll: serializeConflicts,
  });
}

async function serializeConflicts(scope: CallScope, rows: readonly ConflictRow[]) {
  const serializeShift = await serializeFullShifts(
    scope,
    rows.flatMap(({ first, second }) => [first, second]),
  );
  return ({ kind, userId, startsAt, endsAt, minutes, first, second }: ConflictRow) => ({
    kind,
    user_id: userId,
    starts_at: startsAt.toISOString(),
    ends_at: endsAt.toISOString(),
    minutes,
    first: serializeShift(first),
    second: serializeShift(second),
  });
}
