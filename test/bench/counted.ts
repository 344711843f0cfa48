import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { places } from './places.ts';
import type { Road, Roads } from './road.ts';

/** Figures of a request that are the same each time, and the share by which they may grow. */
const figures = ['statements', 'writes', 'calls', 'bytes'] as const;
const slack = 0.03;
/** The functions that are kept have this share of the calls of their request. */
const shareKept = 0.01;

/** Figures that are not the same each time: Prisma's WebAssembly allocates, and a board of 100 takes so long that jobs ask the database beside it. */
const unsteady: Readonly<Record<string, (typeof figures)[number]>> = {
  'PUT /v1/events/:uuid': 'bytes',
  'GraphQL board of 100': 'writes',
};

type Counted = Partial<Pick<Road, (typeof figures)[number]>> & { readonly callsOf: Readonly<Record<string, number>> };

export const readCounted = () => JSON.parse(readFileSync(places.counted, 'utf8')) as Record<string, Counted>;

/** Says which figures of which requests have grown, and the functions that are called most beyond what they were. */
export function findGrowth(roads: Roads, counted: Readonly<Record<string, Counted>>): string[] {
  return Object.entries(roads).flatMap(([request, road]) => {
    const was = counted[request];
    if (!was) return [`${request} is not in counted.json.`];
    const grown = figures.filter((figure) => road[figure] > (was[figure] ?? Infinity) * (1 + slack));
    if (grown.length === 0) return [];
    return [
      `${request}: ${grown.map((figure) => `${road[figure]} ${figure}, which were ${was[figure]}`).join('; ')}. Most grown: ${mostGrown(road, was)}`,
    ];
  });
}

function mostGrown({ callsOf }: Road, was: Counted): string {
  const now = callsByName(callsOf);
  return Object.entries(now)
    .map(([name, count]) => [name, count - (was.callsOf[name] ?? 0)] as const)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 5)
    .map(([name, more]) => `${name} +${more}`)
    .join(', ');
}

/** Without the place in the file, which moves with each line above. */
function callsByName(callsOf: Readonly<Record<string, number>>): Record<string, number> {
  const byName: Record<string, number> = {};
  for (const [line, count] of Object.entries(callsOf)) {
    const name = line.slice(0, line.lastIndexOf(':'));
    byName[name] = (byName[name] ?? 0) + count;
  }
  return byName;
}

/** Writes down the requests whose figures are new or less by more than the slack; all of them where `all` is said. */
export async function writeCounted(roads: Roads, all: boolean): Promise<string[]> {
  const counted = readCounted();
  const isLess = (road: Road, was: Counted) =>
    figures.some((figure) => road[figure] < (was[figure] ?? 0) * (1 - slack));
  const written = Object.entries(roads).filter(([name, road]) => all || !counted[name] || isLess(road, counted[name]));
  const kept = written.map(([name, road]) => {
    const most = Object.entries(callsByName(road.callsOf)).filter(([, count]) => count >= road.calls * shareKept);
    const callsOf = Object.fromEntries(most.toSorted(([, one], [, other]) => other - one));
    const steady = figures.filter((figure) => figure !== unsteady[name]);
    return [name, { ...Object.fromEntries(steady.map((figure) => [figure, road[figure]])), callsOf }] as const;
  });
  const text = JSON.stringify({ ...counted, ...Object.fromEntries(kept) });
  writeFileSync(places.counted, await format(text, { parser: 'json' }));
  return written.map(([name]) => name);
}
