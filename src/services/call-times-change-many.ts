import Type, { type Static } from 'typebox';
import { operation } from '../access/operation.ts';
import { eventEdit, repeatable } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import type { StaffedEvent } from '../db/staffing.ts';
import { Failure, invalid, type FieldErrors } from '../errors.ts';
import { callTimeFields, type CallTimeRow } from '../fields/call-times.ts';
import { changesOf } from '../fields/field-list.ts';
import { compileJudge, refuseFaulty } from '../validation/compile.ts';
import { closedObject, nullable, rowNumber, uuidOf } from '../validation/schemas.ts';
import type { WithReworked } from './attendance-plan.ts';
import { callTimeChanges, callTimeInput } from './call-times-input.ts';
import { createOne, removeOne, updateOne } from './call-times.ts';
import { lockEventToStaff, readClashes } from './staffing.ts';

export const callTimeChange = closedObject({
  callTimeUuid: Type.Optional(
    nullable(
      Type.String({
        format: 'uuid',
        description: 'UUID of the call time; null or left out: a new one, which needs position, staff and times.',
      }),
    ),
  ),
  version: Type.Optional(
    nullable(rowNumber('Version of the call time that the change expects. Default: not checked.')),
  ),
  delete: Type.Optional(Type.Boolean({ description: 'Whether the call time is deleted. Default: false.' })),
  ...changesOf(callTimeFields),
  requirements: callTimeChanges.properties.requirements,
});

const { allowOverfill, override } = callTimeChanges.properties;

export const changeManyInput = closedObject({
  eventUuid: uuidOf('event'),
  changes: Type.Array(callTimeChange, {
    minItems: 1,
    maxItems: limits.namedItemsMax,
    description: 'The changes, each of another call time.',
  }),
  allowOverfill,
  override,
});

/** Adds, changes and deletes call times of one event, all or none. A refusal names all changes that stand against it. */
export const changeMany = operation({
  ...eventEdit,
  ...repeatable,
  name: 'callTimes.changeMany',
  input: changeManyInput,
  rows: { field: 'changes', count: ({ changes }) => changes.length },
  run: (scope, { eventUuid, changes, ...how }) => {
    const named = changes.flatMap(({ callTimeUuid }) => callTimeUuid?.toLowerCase() ?? []);
    if (new Set(named).size < named.length) throw invalid({ changes: ['must name each call time once'] });
    return scope.transaction(async (tx) => {
      const event = await lockEventToStaff(tx, { event: eventUuid });
      const rows: WithReworked<CallTimeRow>[] = [];
      const failures: [number, Failure][] = [];
      for (const [index, one] of changes.entries())
        try {
          rows.push(await makeChange(tx, event, one, how));
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          failures.push([index, error]);
        }
      if (failures.length > 0) throw joinFailures(failures);
      return rows;
    });
  },
});

type How = Pick<Static<typeof changeManyInput>, 'allowOverfill' | 'override'>;

const judgeNew = compileJudge(callTimeInput);

function makeChange(
  tx: Scope,
  event: StaffedEvent,
  { callTimeUuid, version, delete: isDeleted = false, ...fields }: Static<typeof callTimeChange>,
  how: How,
): Promise<WithReworked<CallTimeRow>> {
  const { override: reason } = how;
  if (callTimeUuid) {
    const of = { uuid: callTimeUuid, ...(version && { expectedVersions: [version] }) };
    return isDeleted ? removeOne(tx, event, of) : updateOne(tx, event, { ...fields, ...of, ...how });
  }
  if (isDeleted) throw invalid({ callTimeUuid: ['must name the call time that is deleted'] });
  const input = { ...fields, eventUuid: event.uuid, ...(reason && { override: reason }) };
  refuseFaulty(judgeNew(input));
  return createOne(tx, event, input as Static<typeof callTimeInput>);
}

/** One refusal for all, with the faults under the index of their change. Clashes alone can be overridden. */
function joinFailures(failures: readonly (readonly [number, Failure])[]): Failure {
  const [, first] = failures.find(([, { code }]) => code !== 'CLASH') ?? failures[0]!;
  const errors: FieldErrors = {};
  for (const [index, failure] of failures) {
    const fields = Object.entries(failure.errors ?? {});
    const named = failure.code === 'NOT_FOUND' ? `changes.${index}.callTimeUuid` : `changes.${index}`;
    if (fields.length === 0) errors[named] = [failure.message];
    for (const [field, texts] of fields) errors[`changes.${index}.${field}`] = texts;
  }
  const code = first.code === 'NOT_FOUND' ? 'VALIDATION_FAILED' : first.code;
  const clashes = failures.flatMap(([, failure]) => readClashes(failure)).slice(0, limits.listedMax);
  return new Failure(code, first.message, { errors, ...(code === 'CLASH' && { details: { clashes } }) });
}
