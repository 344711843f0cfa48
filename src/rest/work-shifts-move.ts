import Type from 'typebox';
import type { CallScope } from '../access/scope.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import type { WithReworked } from '../services/attendance-plan.ts';
import { shiftParams } from '../services/work-shifts-input.ts';
import * as moves from '../services/work-shifts-move.ts';
import { closedObject } from '../validation/schemas.ts';
import { serializeReworked } from './attendance-views.ts';
import { answer, envelope } from './envelopes.ts';
import { route, type RestApp } from './route.ts';
import { ChangedShift, oneShift, serializeFullShifts } from './work-shifts-full.ts';
import { overrideErrorNames, overrideProperty, readNewOverride } from './work-shifts-input.ts';

const { override: _move, ...moveProperties } = moves.moveInput.properties;
const { override: _moveMany, ...moveManyProperties } = moves.moveManyInput.properties;
const { override: _exchange, ...exchangeProperties } = moves.exchangeInput.properties;

const rules =
  'Refused with 409 and `clashes` if a call time would have too many people, or a person be busy who was not before, unless `override_reason` gives a reason. A confirmed shift stays confirmed if its start and end are the same instants; a pay rate of its own stays.';

/** The routes that move people between places. */
export function shiftMoveRoutes(app: RestApp): void {
  const shared = {
    tag: 'Work shifts',
    isExtension: true,
    method: 'POST',
    conflicts: true,
    errorNames: overrideErrorNames,
    dryRun: true,
  } as const;

  route(app, {
    ...shared,
    url: '/v1/work_shifts/:uuid/actions/move',
    calls: moves.move,
    summary: 'Move the person of a shift to another call time, of the same event or another one',
    description: `The shift gets the position and the times of the call time; one that is there already stays as it is. At another event the person gets a new shift, which is the answer, and the old one becomes deleted, all in one transaction. ${rules}`,
    params: shiftParams,
    body: closedObject({ ...moveProperties, ...overrideProperty }),
    response: envelope(ChangedShift),
    etag: 'row',
    ifMatch: true,
    handle: async (scope, { params, body, precondition }) =>
      oneShift(
        scope,
        await moves.move(scope, { ...params, ...precondition, ...readNewOverride(body) }),
        'Person moved.',
      ),
  });

  route(app, {
    ...shared,
    url: '/v1/work_shifts/batch/move',
    calls: moves.moveMany,
    summary: 'Move several people to other call times, all or none',
    description: `Like single moves, but clashes are judged on the result, so that people can also take each other's places. The answer has the shifts in the order of the moves. A refusal names the move in \`errors\`. ${rules}`,
    body: closedObject({ ...moveManyProperties, ...overrideProperty }),
    namesVersions: true,
    response: envelope(Type.Array(ChangedShift)),
    handle: async (scope, { body }) => serializeShifts(scope, await moves.moveMany(scope, readNewOverride(body))),
  });

  route(app, {
    ...shared,
    url: '/v1/work_shifts/:uuid/actions/exchange',
    calls: moves.exchange,
    summary: "Let the people of two shifts take each other's places, or neither",
    description: `Both shifts keep their event, call time, position and times, and get the other person. The answer has this shift and then the other one. ${rules}`,
    params: shiftParams,
    body: closedObject({ ...exchangeProperties, ...overrideProperty }),
    response: envelope(Type.Array(ChangedShift)),
    ifMatch: true,
    handle: async (scope, { params, body, precondition }) =>
      serializeShifts(scope, await moves.exchange(scope, { ...params, ...precondition, ...readNewOverride(body) })),
  });
}

async function serializeShifts(scope: CallScope, shifts: readonly WithReworked<WorkShiftRow>[]) {
  const serialize = await serializeFullShifts(scope, shifts);
  return answer(shifts.map((shift) => ({ ...serialize(shift), ...serializeReworked(shift) })));
}
