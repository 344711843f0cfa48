import { TypeInfo, visit, visitWithTypeInfo, type DocumentNode, type GraphQLSchema } from 'graphql';
import type { CallTimeRow } from '../db/call-times.ts';
import type { Fields } from '../db/fields.ts';
import type { WorkShiftRow } from '../db/work-shifts.ts';

/** Fields that an operation needs of the rows in plain lists; undefined means all: src/guide/performance.md#field-selection */
export interface Selection {
  CallTime?: Fields<CallTimeRow>;
  WorkShift?: Fields<WorkShiftRow>;
}

type Needs<Row> = Readonly<Record<string, Fields<Row>>>;

const shiftTimes = ['timezone', 'startTime', 'startsAt', 'endTime', 'endsAt'] as const;
const callTimeTimes = [...shiftTimes, 'startTimeTbd', 'endTimeTbd'] as const;

/** Of fields that are made of others; every other field is one of the row. */
const needs: { readonly CallTime: Needs<CallTimeRow>; readonly WorkShift: Needs<WorkShiftRow> } = {
  CallTime: {
    start: callTimeTimes,
    end: callTimeTimes,
    durationMinutes: callTimeTimes,
    event: [],
    workShifts: [],
    workShiftsConnection: [],
    coverage: [],
    labourCost: [],
  },
  WorkShift: {
    start: shiftTimes,
    end: shiftTimes,
    durationMinutes: shiftTimes,
    event: [],
    callTime: ['callTimeId'],
    user: ['userId'],
  },
};

const known = new WeakMap<DocumentNode, Selection>();

/** Whatever a document asks of a type, in any place: a field too many costs little, one too few would be missed. */
export function selectionOf(schema: GraphQLSchema, document: DocumentNode): Selection {
  const selection = known.get(document) ?? readSelection(schema, document);
  known.set(document, selection);
  return selection;
}

function readSelection(schema: GraphQLSchema, document: DocumentNode): Selection {
  const always = ['id', 'eventId'] as const;
  const fields: Record<string, Set<string>> = { CallTime: new Set(always), WorkShift: new Set(always) };
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: ({ name: { value: name } }) => {
        const type = types.getParentType()?.name ?? '';
        const found = fields[type];
        if (!found || name === '__typename') return;
        for (const needed of needs[type as keyof Selection][name] ?? [name]) found.add(needed);
      },
    }),
  );
  return Object.fromEntries(Object.entries(fields).map(([type, names]) => [type, [...names]])) as Selection;
}
