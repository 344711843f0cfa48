type Given<T> = { [K in keyof T]?: NonNullable<T[K]> };
type GivenIn<T> = T extends readonly unknown[] | Date
  ? T
  : T extends object
    ? { [K in keyof T]: GivenIn<NonNullable<T[K]>> }
    : T;

/** Arguments without those that are null or missing: GraphQL lets a client send either for "not given". */
export const given = <T extends object>(args: T): Given<T> =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null && value !== undefined)) as Given<T>;

/** The same at every depth, for arguments in which null nowhere unsets. */
export const givenIn = <T extends object>(args: T): GivenIn<T> =>
  Object.fromEntries(
    Object.entries(given(args)).map(([name, value]) => [name, isInput(value) ? givenIn(value) : value]),
  ) as GivenIn<T>;

const isInput = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** An input without the fields that were not sent; null stays, where it unsets. */
export const sent = <T extends object>(input: T): T =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as T;
