import {
  Kind,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
} from 'graphql';
import type { Selection } from '../db/fields.ts';
import type { CallTimeRow } from '../fields/call-times.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';

/** Rows of plain lists have these for certain, and whatever else the operation asks for. */
const always = ['id', 'eventId'] as const;

/** Fields that an operation needs of the rows in plain lists; undefined means all: src/guide/performance.md#field-selection */
export interface RowSelections {
  CallTime?: readonly [...typeof always, ...Selection<CallTimeRow>];
  WorkShift?: readonly [...typeof always, ...Selection<WorkShiftRow>];
  /** Plain lists of the one event that the operation asks for. */
  listsOfEvent?: readonly EventList[];
}

const eventLists = ['callTimes', 'workShifts', 'customFields'] as const;
export type EventList = (typeof eventLists)[number];

const shiftTimes = ['timezone', 'startTime', 'startsAt', 'endTime', 'endsAt'] as const;
const callTimeTimes = [...shiftTimes, 'startTimeTbd', 'endTimeTbd'] as const;

/** Columns behind fields that are made of others; every other field is one of the row. */
const needs = {
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
  },
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
  },
} as const satisfies {
  readonly CallTime: Readonly<Record<string, Selection<CallTimeRow>>>;
  readonly WorkShift: Readonly<Record<string, Selection<WorkShiftRow>>>;
};

type Rows = { CallTime: CallTimeRow; WorkShift: WorkShiftRow };
type Needed<Type extends keyof Rows, Made extends keyof (typeof needs)[Type]> = (typeof needs)[Type][Made] &
  readonly string[];

/** A row as the resolver of a made field gets it: with the columns that the field needs, and no others for certain. */
export type RowFor<Type extends keyof Rows, Made extends keyof (typeof needs)[Type]> = Pick<
  Rows[Type],
  ((typeof always)[number] | Needed<Type, Made>[number]) & keyof Rows[Type]
>;

const known = new WeakMap<DocumentNode, RowSelections>();

/** All that a document asks of a type, in any place: a field too many costs little, and one too few would be missed. */
export function selectionsOf(schema: GraphQLSchema, document: DocumentNode): RowSelections {
  const selections = known.get(document) ?? readSelections(schema, document);
  known.set(document, selections);
  return selections;
}

function readSelections(schema: GraphQLSchema, document: DocumentNode): RowSelections {
  const fields = { CallTime: new Set<string>(always), WorkShift: new Set<string>(always) };
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: ({ name: { value: name } }) => {
        const type = types.getParentType()?.name;
        if ((type !== 'CallTime' && type !== 'WorkShift') || name === '__typename') return;
        const made: Readonly<Record<string, readonly string[]>> = needs[type];
        for (const needed of made[name] ?? [name]) fields[type].add(needed);
      },
    }),
  );
  return {
    CallTime: [...fields.CallTime] as unknown as NonNullable<RowSelections['CallTime']>,
    WorkShift: [...fields.WorkShift] as unknown as NonNullable<RowSelections['WorkShift']>,
    listsOfEvent: readListsOfEvent(document),
  };
}

/**
 * The lists that the document asks of its only root field, `event`, for certain. A document that asks for more than that, or in
 * other words, reads its lists when the event is known.
 */
function readListsOfEvent({ definitions }: DocumentNode): EventList[] {
  const [operation, ...others] = definitions;
  if (
    others.length > 0 ||
    operation?.kind !== Kind.OPERATION_DEFINITION ||
    operation.operation !== OperationTypeNode.QUERY
  )
    return [];
  const [event, ...moreFields] = operation.selectionSet.selections;
  if (moreFields.length > 0 || event?.kind !== Kind.FIELD || event.name.value !== 'event') return [];
  const asked = event.selectionSet?.selections.filter((field) => field.kind === Kind.FIELD && !isConditional(field));
  return eventLists.filter((list) => asked?.some((field) => field.kind === Kind.FIELD && field.name.value === list));
}

const isConditional = ({ directives = [] }: FieldNode): boolean => directives.length > 0;
