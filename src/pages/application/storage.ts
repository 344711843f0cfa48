/* Storage of the browser. Where it is refused, as in some private windows, nothing is kept. */

type Area = 'localStorage' | 'sessionStorage';

export function readStored(area: Area, key: string): unknown {
  try {
    return JSON.parse(globalThis[area].getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Null removes the value. */
export function store(area: Area, key: string, value: unknown): void {
  try {
    if (value === null) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, JSON.stringify(value));
  } catch {
    // What is on the page holds until it is closed.
  }
}
