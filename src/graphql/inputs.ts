import { nameInServices, rowTypeOf } from '../model/row-ids.ts';
import { toRowKey } from './row-ids.ts';

/*
 * Gives the services what they take of an input: the keys of the rows that it names (`@RowIdField`), under the names that the
 * services have for them.
 */

/** Names of rows in GraphQL, and in the services, which know some rows by uuid. */
type ServiceName<K> = K extends 'eventId'
  ? 'eventUuid'
  : K extends 'callTimeId'
    ? 'callTimeUuid'
    : K extends 'shiftId'
      ? 'shiftUuid'
      : K extends 'otherShiftId'
        ? 'otherShiftUuid'
        : K extends 'fieldId'
          ? 'fieldUuid'
          : K extends 'fieldIds'
            ? 'fieldUuids'
            : K extends 'checkInEventId'
              ? 'checkInEventUuid'
              : K;

type ServiceInput<T> = T extends readonly (infer Item)[]
  ? ServiceInput<Item>[]
  : T extends Date
    ? T
    : T extends object
      ? { [K in keyof T as ServiceName<K>]: ServiceInput<T[K]> }
      : T;

type ServiceArgs<T> = T extends readonly unknown[] | Date
  ? T
  : T extends object
    ? { [K in keyof T as ServiceName<K>]: ServiceArgs<NonNullable<T[K]>> }
    : T;

/** Reads an input without the fields that were not sent. Null stays, because it clears a field. */
export function readInput<T extends object>(input: T): ServiceInput<T> {
  return read(input, (value) => value === undefined) as ServiceInput<T>;
}

/** Reads arguments, in which a client may send null to mean "not given". */
export function readArgs<T extends object>(args: T): ServiceArgs<T> {
  return read(args, (value) => value === undefined || value === null) as ServiceArgs<T>;
}

function read(input: object, isLeftOut: (value: unknown) => boolean): object {
  const readValue = (value: unknown): unknown => (isInput(value) ? read(value, isLeftOut) : value);
  return Object.fromEntries(
    Object.entries(input)
      .filter(([, value]) => !isLeftOut(value))
      .map(([name, value]) => {
        const rowType = rowTypeOf(input, name);
        const readOne = rowType ? (id: unknown) => toRowKey(rowType, id) : readValue;
        return [nameInServices(name, rowType), Array.isArray(value) ? value.map(readOne) : readOne(value)];
      }),
  );
}

const isInput = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date);
