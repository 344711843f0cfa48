/* Keeps what is equal: unchanged objects stay the same objects, so that React skips what shows them. */

/** Returns `next` with each part that equals its counterpart of `before` replaced by it. Items of lists meet by uuid. */
export function keepEqual<T>(before: unknown, next: T): T {
  if (Object.is(before, next)) return next;
  if (Array.isArray(next)) return keepEqualItems(before, next) as T;
  if (!isRecord(before) || !isRecord(next)) return next;
  const merged: Record<string, unknown> = {};
  let isEqual = Object.keys(before).length === Object.keys(next).length;
  for (const [key, value] of Object.entries(next)) {
    merged[key] = keepEqual(before[key], value);
    if (!Object.is(merged[key], before[key])) isEqual = false;
  }
  return (isEqual ? before : merged) as T;
}

function keepEqualItems(before: unknown, next: readonly unknown[]): readonly unknown[] {
  if (!Array.isArray(before)) return next;
  const old: readonly unknown[] = before;
  const byUuid = new Map(old.map((item, index) => [uuidOf(item) ?? index, item]));
  const merged = next.map((item, index) => keepEqual(byUuid.get(uuidOf(item) ?? index), item));
  const isEqual = merged.length === old.length && merged.every((item, index) => Object.is(item, old[index]));
  return isEqual ? old : merged;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const uuidOf = (item: unknown): string | undefined => {
  const uuid = isRecord(item) ? item['uuid'] : undefined;
  return typeof uuid === 'string' ? uuid : undefined;
};
