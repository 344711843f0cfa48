type WithoutNullish<T> = { [K in keyof T]?: NonNullable<T[K]> };
type WithoutNullishDeep<T> = T extends readonly unknown[] | Date
  ? T
  : T extends object
    ? { [K in keyof T]: WithoutNullishDeep<NonNullable<T[K]>> }
    : T;

/** Removes arguments that are null or missing. GraphQL lets a client send either to mean "not given". */
export const omitNullish = <T extends object>(args: T): WithoutNullish<T> =>
  Object.fromEntries(
    Object.entries(args).filter(([, value]) => value !== null && value !== undefined),
  ) as WithoutNullish<T>;

/** Removes null and missing fields at every depth, for arguments in which null never clears a field. */
export const omitNullishDeep = <T extends object>(args: T): WithoutNullishDeep<T> =>
  Object.fromEntries(
    Object.entries(omitNullish(args)).map(([name, value]) => [name, isInput(value) ? omitNullishDeep(value) : value]),
  ) as WithoutNullishDeep<T>;

const isInput = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Removes the fields that were not sent. Null stays, because it clears a field. */
export const omitUndefined = <T extends object>(input: T): T =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as T;
