import type { Request } from 'autocannon';
import { ask } from './requests.ts';
import { median } from './rounds.ts';

/** A fifth more is asked first and not counted: compilers take their time, and connections prepare their statements. */
const warmUpShare = 0.2;

/** Medians in ms of requests that are sent one at a time, of each reader in turn, so that whatever the machine does meets all. */
export async function medianTimes<Name extends string>(
  origin: string,
  readers: Readonly<Record<Name, () => Request>>,
  reads: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(readers) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = -Math.ceil(warmUpShare * reads); round < reads; round++) {
    for (const name of names) {
      const request = readers[name]();
      const startedAt = performance.now();
      await ask(origin, request);
      if (round >= 0) times.get(name)?.push(performance.now() - startedAt);
    }
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, median(all)])) as Record<Name, number>;
}
