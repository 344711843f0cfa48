import { limits } from '../config/limits.ts';

const shownMax = 3;

/** Case, `_` and `-` are what callers get wrong first. */
const fold = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

/** Finds the known names that a wrong one may stand for: the nearest, if they are few edits apart, or one is a part of the other. */
export function findNearest(wrong: string, known: readonly string[]): string[] {
  if (wrong.length > limits.labelChars) return [];
  const sought = fold(wrong);
  const far = Math.floor(sought.length * 0.4) + 1;
  const distances = known.map((name) => distanceBetween(sought, fold(name), far));
  const least = Math.min(far, ...distances);
  return known.filter((_, at) => distances[at] === least).slice(0, shownMax);
}

function distanceBetween(a: string, b: string, far: number): number {
  const isPart = Math.min(a.length, b.length) > 2 && (a.includes(b) || b.includes(a));
  return Math.min(countEdits(a, b), isPart ? far : Infinity);
}

/** Letters to insert, delete or replace, and neighbours to swap (optimal string alignment). */
function countEdits(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + Number(a[i - 1] !== b[j - 1]);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1, isSwapped ? before[j - 2]! + 1 : Infinity));
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
