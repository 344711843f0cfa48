/** Makes a function that runs `run` on its first call and returns that result on every call. */
export function memoize<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= run());
}
