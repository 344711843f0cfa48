/** Makes a function that runs `run` on its first call and returns that result, such as a promise, on every call. */
export function memoize<T extends object>(run: () => T): () => T {
  let result: T | undefined;
  return () => (result ??= run());
}
