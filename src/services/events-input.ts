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

export const callTimeIdsInput = Type.Object({ callTimeIds: Type.Array(idOf('call time')) });

/** Lists of many events; where `atMostEach` is given, no more rows of each event. */
export const listsOfEventsInput = Type.Object({
  ...eventIdsInput.properties,
  atMostEach: Type.Optional(Type.Integer({ minimum: 1 })),
});

/** Lists of many events whose rows may be read in part. */
export const rowsOfEventsInput = <Row>() =>
  Type.Object({
    ...listsOfEventsInput.properties,
    fields: Type.Optional(Type.Unsafe<Selection<Row> | undefined>({ type: 'array', items: { type: 'string' } })),
  });

interface RowsOfEvents<F> {
  readonly eventIds: number[];
  readonly atMostEach?: number;
  readonly fields?: F | undefined;
}

/**
 * Gives an operation over `rowsOfEventsInput` the type that follows from the fields asked for. An operation itself has one type
 * for all its calls, as its input is checked by one schema; the read that it runs in db/ has this one.
 */
export const selecting =
  <Row>() =>
  <Operation extends (scope: CallScope, input: RowsOfEvents<Selection<Row> | undefined>) => Promise<object[]>>(
    operation: Operation,
  ) =>
    operation as unknown as Omit<Operation, never> &
      (<const F extends Selection<Row> | undefined = undefined>(
        scope: CallScope,
        input: RowsOfEvents<F>,
      ) => Promise<Selected<Row, F>[]>);
