type Given<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** Arguments without those that are null or missing: GraphQL lets a client send either for "not given". */
export const given = <T extends object>(args: T): Given<T> =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null && value !== undefined)) as Given<T>;

/** An input without the fields that were not sent; null stays, where it unsets. */
export const sent = <T extends object>(input: T): T =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as T;
