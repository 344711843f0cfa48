import {
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type GraphQLResolveInfo,
  type OperationDefinitionNode,
} from 'graphql';
import type { CallTimeRow } from '../fields/call-times.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';

const shiftTimes = ['timezone', 'startTime', 'startsAt', 'endTime', 'endsAt'] as const;
const callTimeTimes = [...shiftTimes, 'startTimeTbd', 'endTimeTbd'] as const;

/** Fields of a row behind those that are made of others; every other one is a field of the row itself. */
const madeOf = {
  CallTime: {
    id: ['uuid'],
    databaseId: [],
    position: ['positionId', 'position'],
    skillLevel: ['skillLevelId'],
    start: callTimeTimes,
    end: callTimeTimes,
    durationMinutes: callTimeTimes,
    event: [],
    workShifts: [],
    workShiftsConnection: [],
    coverage: [],
    labourCost: [],
  } satisfies Record<string, readonly (keyof CallTimeRow)[]>,
  WorkShift: {
    id: ['uuid'],
    databaseId: [],
    position: ['positionId', 'position'],
    start: shiftTimes,
    end: shiftTimes,
    durationMinutes: shiftTimes,
    event: [],
    callTime: ['callTimeId'],
    user: ['userId'],
    history: [],
  } satisfies Record<string, readonly (keyof WorkShiftRow)[]>,
};

type Listed = keyof typeof madeOf;

const known = new WeakMap<OperationDefinitionNode, Record<Listed, string[]>>();

/**
 * The fields of the rows in plain lists that an operation shows, wherever it asks for the type: src/guide/performance.md#shown-fields
 * The id of a row and that of its event belong to them in any case.
 */
export function shownFields({ operation, fragments, schema }: GraphQLResolveInfo): Record<Listed, string[]> {
  const found = known.get(operation);
  if (found) return found;
  const fields = { CallTime: new Set(['id', 'eventId']), WorkShift: new Set(['id', 'eventId']) };
  const types = new TypeInfo(schema);
  const document = { kind: Kind.DOCUMENT as const, definitions: [operation, ...Object.values(fragments)] };
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: ({ name: { value: name } }) => {
        const type = types.getParentType()?.name;
        if ((type !== 'CallTime' && type !== 'WorkShift') || name === '__typename') return;
        const made: Readonly<Record<string, readonly string[]>> = madeOf[type];
        for (const field of made[name] ?? [name]) fields[type].add(field);
      },
    }),
  );
  const shown = { CallTime: [...fields.CallTime], WorkShift: [...fields.WorkShift] };
  known.set(operation, shown);
  return shown;
}
