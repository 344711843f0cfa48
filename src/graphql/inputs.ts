import { nameInServices, rowTypeOf } from '../model/row-ids.ts';
import { toRowKey } from './row-ids.ts';

/*
 * Gives the services what they take of an input: the keys of the rows that it names (`@RowIdField`), under the names that the
 * services have for them.
 */

/** Reads an input without the fields that were not sent. Null stays, because it clears a field. */
export const readInput = <T extends object>(input: T): T => read(input, (value) => value === undefined) as T;

type WithoutNull<T> = T extends readonly unknown[] | Date
  ? T
  : T extends object
    ? { [K in keyof T]: WithoutNull<NonNullable<T[K]>> }
    : T;

/** Reads arguments, in which a client may send null to mean "not given". */
export const readArgs = <T extends object>(args: T): WithoutNull<T> =>
  read(args, (value) => value === undefined || value === null) as WithoutNull<T>;

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
