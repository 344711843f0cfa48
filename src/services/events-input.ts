import Type from 'typebox';
import type { CallScope } from '../access/scope.ts';
import type { Selected, Selection } from '../db/fields.ts';
import { eventFields } from '../fields/events.ts';
import { changesOf, inputsOf } from '../fields/field-list.ts';
import { closed, idOf, uuidOf } from '../validation/schemas.ts';

export const createEventInput = Type.Object(inputsOf(eventFields), closed);

export const eventChanges = Type.Object(changesOf(eventFields), closed);

export const eventParams = Type.Object({ uuid: uuidOf('event') });

export const eventIdsInput = Type.Object({ eventIds: Type.Array(idOf('event')) });

/** Rows by their uuids, for nodes. */
export const uuidsInput = Type.Object({ uuids: Type.Array(Type.String({ format: 'uuid' })) });

export const callTimeIdsInput = Type.Object({ callTimeIds: Type.Array(idOf('call time')) });

/** Input that reads the lists of many events. `atMostEach` bounds the rows of each event. */
export const listsOfEventsInput = Type.Object({
  ...eventIdsInput.properties,
  atMostEach: Type.Optional(Type.Integer({ minimum: 1 })),
});

/** Input that reads the lists of many events, with the selected fields of each row. */
export function rowsOfEventsInput<Row>() {
  return Type.Object({
    ...listsOfEventsInput.properties,
    fields: Type.Optional(Type.Unsafe<Selection<Row> | undefined>({ type: 'array', items: { type: 'string' } })),
  });
}

/** Input that reads the lists of one event, which is looked up together with them. */
export const listsOfEventInput = Type.Object({
  ...eventParams.properties,
  atMostEach: listsOfEventsInput.properties.atMostEach,
});

/** Input that reads the lists of one event, with the selected fields of each row. */
export function rowsOfEventInput<Row>() {
  return Type.Object({ ...listsOfEventInput.properties, fields: rowsOfEventsInput<Row>().properties.fields });
}

interface RowsOf<F> {
  readonly atMostEach?: number;
  readonly fields?: F | undefined;
}

type RowsOfEvents<F> = RowsOf<F> & { readonly eventIds: number[] };
type RowsOfEvent<F> = RowsOf<F> & { readonly uuid: string };

/**
 * Types an operation over `rowsOfEventsInput`: its rows have the fields that the call selects. An operation has one
 * type for all calls, because one schema checks its input; the function of db/ that it calls has this more exact type.
 */
export function selecting<Row>() {
  return <Operation extends (scope: CallScope, input: RowsOfEvents<Selection<Row> | undefined>) => Promise<object[]>>(
    operation: Operation,
  ) =>
    operation as unknown as Omit<Operation, never> &
      (<const F extends Selection<Row> | undefined = undefined>(
        scope: CallScope,
        input: RowsOfEvents<F>,
      ) => Promise<Selected<Row, F>[]>);
}

/** Types an operation over `rowsOfEventInput` in the same way. */
export function selectingOfEvent<Row>() {
  return (operation: (scope: CallScope, input: RowsOfEvent<Selection<Row> | undefined>) => Promise<object[]>) =>
    operation as unknown as <const F extends Selection<Row> | undefined = undefined>(
      scope: CallScope,
      input: RowsOfEvent<F>,
    ) => Promise<Selected<Row, F>[]>;
}
