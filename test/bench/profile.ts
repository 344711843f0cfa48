import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { places } from './places.ts';
import { table } from './report.ts';

interface CpuProfile {
  readonly nodes: readonly { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const shown = 25;

/** Where the CPU of the service went, by function and by package, from what `node --cpu-prof` has left in the folder. */
export function describeProfile(folder: string): string {
  const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile'));
  if (!file) return 'The service has left no profile.';
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as CpuProfile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byFunction = new Map<string, number>();
  const byPackage = new Map<string, number>();
  let total = 0;
  samples.forEach((id, index) => {
    const frame = frames.get(id);
    if (!frame || frame.functionName === '(idle)') return;
    const took = timeDeltas[index] ?? 0;
    const place = placeOf(frame.url);
    const name = `${frame.functionName || '(anonymous)'} ${place}${frame.url ? `:${frame.lineNumber + 1}` : ''}`;
    total += took;
    byFunction.set(name, (byFunction.get(name) ?? 0) + took);
    const group = packageOf(place, frame.functionName);
    byPackage.set(group, (byPackage.get(group) ?? 0) + took);
  });
  const most = (times: Map<string, number>) =>
    [...times]
      .sort(([, a], [, b]) => b - a)
      .slice(0, shown)
      .map(([name, took]) => [`  ${name}`, `${((100 * took) / total).toFixed(1)} %`]);
  return [
    table(['CPU of the service by package, itself alone', 'of what was not idle'], most(byPackage)),
    table(['CPU of the service by function, itself alone', 'of what was not idle'], most(byFunction)),
    `For a browser's developer tools: ${folder}/${file}`,
  ].join('\n\n');
}

const placeOf = (url: string): string =>
  url.startsWith('file:') ? relative(places.root, decodeURIComponent(new URL(url).pathname)) : url;

function packageOf(place: string, functionName: string): string {
  if (place === '') return functionName;
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(place) ?? [];
  return name ?? (place.startsWith('node:') ? 'node' : place.replace(/\/[^/]*$/, ''));
}
