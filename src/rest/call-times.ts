import Type from 'typebox';
import type { CallScope } from '../access/scope.ts';
import type { CallTimeRow } from '../fields/call-times.ts';
import { changeMany, changeManyInput } from '../services/call-times-change-many.ts';
import { callTimeChanges, callTimeInput, callTimeParams, placeReason } from '../services/call-times-input.ts';
import type { WithReworked } from '../services/attendance-plan.ts';
import * as callTimes from '../services/call-times.ts';
import { closedObject, nullable } from '../validation/schemas.ts';
import { serializeReworked } from './attendance-views.ts';
import { ChangedCallTime, FullCallTime, serializeFullCallTimes } from './call-times-full.ts';
import { toCsvPage } from './csv.ts';
import { answer, cursorPageOf, envelope, serializeCursorPage } from './envelopes.ts';
import { cursorCsv, listErrorNames, sortedPageQuery, splitListQuery } from './list-query.ts';
import { route, type RestApp } from './route.ts';
import { OfVersion } from './versions.ts';
import { overrideErrorNames, readOverride } from './work-shifts-input.ts';

const noun = { tag: 'Call times', isExtension: true } as const;

async function oneCallTime(scope: CallScope, row: WithReworked<CallTimeRow>, message?: string) {
  const serialize = await serializeFullCallTimes(scope, [row]);
  return new OfVersion(row, answer({ ...serialize(row), ...serializeReworked(row) }, message));
}

const { requirements: _list, ...withoutRequirements } = FullCallTime.properties;
const overrideReason = Type.Optional(nullable(placeReason));
const { override: _new, ...newCallTime } = callTimeInput.properties;
const { override: _change, ...changes } = callTimeChanges.properties;
const newCallTimeBody = closedObject({ ...newCallTime, overrideReason });
const { override: _many, ...manyChanges } = changeManyInput.properties;
const changeManyBody = closedObject({ ...manyChanges, overrideReason });
const callTimeChangesBody = closedObject({ ...changes, overrideReason });

export function callTimeRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/call_times',
    calls: callTimes.list,
    operationId: 'callTimes.list',
    summary: 'List the call times of the business by start',
    description:
      'All given conditions must hold. A tentative start counts as it is. Call times of deleted events are left out, unless the event is named.',
    query: Type.Object({ ...callTimes.callTimeFilter.properties, ...sortedPageQuery }),
    errorNames: listErrorNames,
    response: envelope(cursorPageOf(FullCallTime)),
    csv: {
      name: 'call-times',
      description: cursorCsv,
      row: closedObject(withoutRequirements),
      read: async (scope, { query }) => {
        const page = await callTimes.list(scope, splitListQuery(query));
        return toCsvPage(page, await serializeFullCallTimes(scope, page.rows));
      },
    },
    handle: async (scope, { query }) => {
      const request = splitListQuery(query);
      const page = await callTimes.list(scope, request);
      return answer(await serializeCursorPage(page, await serializeFullCallTimes(scope, page.rows), request));
    },
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/call_times/:uuid',
    calls: callTimes.get,
    operationId: 'callTimes.get',
    summary: 'Read one call time',
    params: callTimeParams,
    response: envelope(FullCallTime),
    etag: 'bytes',
    handle: async (scope, { params }) => oneCallTime(scope, await callTimes.get(scope, params)),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/call_times',
    calls: callTimes.create,
    summary: 'Add a call time to an active or draft event',
    conflicts: true,
    description:
      'One on another day than the event, which it does not touch, is refused with 409 `CLASH`, unless `override_reason` gives a reason, which is kept.',
    body: newCallTimeBody,
    errorNames: overrideErrorNames,
    status: 201,
    created: '/v1/call_times/:uuid',
    response: envelope(FullCallTime),
    etag: 'row',
    handle: async (scope, { body }) =>
      oneCallTime(scope, await callTimes.create(scope, readOverride(body)), 'Call time created.'),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/call_times/batch',
    calls: changeMany,
    summary: 'Add, change and delete call times of one event, all or none',
    description:
      'Without `call_time_uuid` a call time is added, which needs position, staff and times; with it, only the fields sent change, or it is deleted. Each change follows the rules of its own route. A refusal names all changes that stand against it in `errors`, such as `changes.0`. The answer has the call times in the order of the changes, deleted ones as they were. A batch costs 1 + rows / 25, rounded down, of the rate limit.',
    conflicts: true,
    body: changeManyBody,
    exampleFields: ['position_id', 'staff_needed'],
    namesVersions: true,
    errorNames: overrideErrorNames,
    response: envelope(Type.Array(ChangedCallTime)),
    handle: async (scope, { body }) => {
      const rows = await changeMany(scope, readOverride(body));
      const serialize = await serializeFullCallTimes(scope, rows);
      return answer(
        rows.map((row) => ({ ...serialize(row), ...serializeReworked(row) })),
        'Call times changed.',
      );
    },
  });

  route(app, {
    ...noun,
    method: 'PUT',
    url: '/v1/call_times/:uuid',
    calls: callTimes.update,
    summary: 'Change a call time',
    description:
      'Changes only the fields sent; its shifts keep their own times, and follow its rate unless they have their own. Those in its position that have not ended follow it to another one, judged as assignments, and are to be confirmed anew. A `staff_needed` below the number of active shifts is refused with 409 unless `allow_overfill` is true, and one that no longer touches the event unless `override_reason` gives a reason.',
    conflicts: true,
    params: callTimeParams,
    body: callTimeChangesBody,
    errorNames: overrideErrorNames,
    response: envelope(ChangedCallTime),
    etag: 'row',
    ifMatch: true,
    handle: async (scope, { params, body, precondition }) => {
      const row = await callTimes.update(scope, { ...params, ...precondition, ...readOverride(body) });
      return oneCallTime(scope, row, 'Call time updated.');
    },
  });

  route(app, {
    ...noun,
    method: 'DELETE',
    url: '/v1/call_times/:uuid',
    calls: callTimes.remove,
    summary: 'Delete a call time without active shifts',
    description:
      'Answers with its last state. Refused with 409 and a count in `in_use` while it has active shifts; canceled and deleted ones stay, without a call time.',
    conflicts: true,
    params: callTimeParams,
    response: envelope(FullCallTime),
    ifMatch: true,
    handle: async (scope, { params, precondition }) => {
      const row = await callTimes.remove(scope, { ...params, ...precondition });
      return (await oneCallTime(scope, row, 'Call time deleted.')).body;
    },
  });
}
