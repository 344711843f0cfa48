import type { FastifyBaseLogger } from 'fastify';
import Type, { type Static } from 'typebox';
import type { CallScope } from '../access/scope.ts';
import * as assignments from '../services/work-shifts-assign.ts';
import type { AssignOutcome } from '../services/work-shifts-assign-set.ts';
import { shiftParams } from '../services/work-shifts-input.ts';
import { answer, envelope } from './envelopes.ts';
import { eachByItself, clashesProperty, refusalProperties, serializeClashes, serializeRefusal } from './refusals.ts';
import { route, type RestApp } from './route.ts';
import { ChangedShift, FullShift, oneShift, serializeFullShifts } from './work-shifts-full.ts';
import {
  assignBody,
  assignManyBody,
  overrideErrorNames,
  readInputs,
  readOverride,
  shiftChangesBody,
} from './work-shifts-input.ts';
import { titled } from './views.ts';

const noun = { tag: 'Work shifts', isExtension: true } as const;

const Refusal = titled('AssignmentRefusal', { ...refusalProperties, ...clashesProperty });

export const ShiftOutcome = titled('AssignmentOutcome', {
  work_shift: Type.Union([FullShift, Type.Null()], {
    description: 'The new or changed shift; null if it was refused.',
  }),
  error: Type.Union([Refusal, Type.Null()], { description: 'The refusal; null if there was none.' }),
});

export function assignmentRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/work_shifts',
    calls: assignments.assign,
    summary: 'Assign a staff member to an event or to one of its call times',
    description:
      'With a call time, fields that are not sent have its values. Refused with 409 and `clashes` if the call time has enough staff or the person is, or may be, busy, unless `override_reason` gives a reason.',
    conflicts: true,
    body: assignBody,
    exampleFields: ['call_time_uuid'],
    errorNames: overrideErrorNames,
    dryRun: true,
    status: 201,
    created: '/v1/work_shifts/:uuid',
    response: envelope(FullShift),
    etag: 'row',
    handle: async (scope, { body }) =>
      oneShift(scope, await assignments.assign(scope, readOverride(body)), 'Staff member assigned.'),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/work_shifts/batch',
    calls: assignments.assignMany,
    summary: 'Make several assignments',
    description: `They are made one after the other, so that a later one sees those before it. ${eachByItself}`,
    body: assignManyBody,
    status: 201,
    response: envelope(Type.Array(ShiftOutcome)),
    handle: async (scope, { body, log }) => {
      const outcomes = await assignments.assignMany(scope, readInputs(body, readOverride));
      return answer(await serializeOutcomes(scope, outcomes, log));
    },
  });

  route(app, {
    ...noun,
    method: 'PUT',
    url: '/v1/work_shifts/:uuid',
    calls: assignments.update,
    summary: 'Change a work shift',
    description:
      'Changes only the fields sent; the rules of an assignment apply to the resulting shift. Another person, other times or a restored shift need a new confirmation.',
    conflicts: true,
    params: shiftParams,
    body: shiftChangesBody,
    errorNames: overrideErrorNames,
    response: envelope(ChangedShift),
    etag: 'row',
    ifMatch: true,
    handle: async (scope, { params, body, precondition }) => {
      const shift = await assignments.update(scope, { ...params, ...precondition, ...readOverride(body) });
      return oneShift(scope, shift, 'Work shift updated.');
    },
  });
}

/** Serializes the outcomes of several changes of shifts. Errors are named as in an assignment. */
export async function serializeOutcomes(
  scope: CallScope,
  outcomes: readonly AssignOutcome[],
  log: FastifyBaseLogger,
): Promise<Static<typeof ShiftOutcome>[]> {
  const shifts = outcomes.flatMap((outcome) => ('shift' in outcome ? [outcome.shift] : []));
  const serialize = await serializeFullShifts(scope, shifts);
  return outcomes.map((outcome) =>
    'shift' in outcome
      ? { work_shift: serialize(outcome.shift), error: null }
      : {
          work_shift: null,
          error: {
            ...serializeRefusal(outcome.failure, log, { errorNames: overrideErrorNames, input: assignBody }),
            ...serializeClashes(outcome.failure),
          },
        },
  );
}
