type WithoutNullish<T> = { [K in keyof T]?: NonNullable<T[K]> };
type WithoutNullishDeep<T> = T extends readonly unknown[] | Date
  ? T
  : T extends object
    ? { [K in keyof T]: WithoutNullishDeep<NonNullable<T[K]>> }
    : T;

/** Arguments without those that are null or missing: GraphQL lets a client send either for "not given". */
export const omitNullish = <T extends object>(args: T): WithoutNullish<T> =>
  Object.fromEntries(
    Object.entries(args).filter(([, value]) => value !== null && value !== undefined),
  ) as WithoutNullish<T>;

/** The same at every depth, for arguments in which null nowhere unsets. */
export const omitNullishDeep = <T extends object>(args: T): WithoutNullishDeep<T> =>
  Object.fromEntries(
    Object.entries(omitNullish(args)).map(([name, value]) => [name, isInput(value) ? omitNullishDeep(value) : value]),
  ) as WithoutNullishDeep<T>;

const isInput = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** An input without the fields that were not sent; null stays, where it unsets. */
export const omitUndefined = <T extends object>(input: T): T =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as T;
