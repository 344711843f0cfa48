import { Session } from 'node:inspector/promises';
import { PerformanceObserver } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import { serveCommands } from './child.ts';

/* The service from its sources, in a process that can say which functions of ours ran since it was last asked, and what it allocated. */

const sources = new URL('../../../src/', import.meta.url);

/** How often functions ran, by file, name, which may be empty, and place in the compiled text: `events.ts:serializeEvent:120`. */
async function takeCalls(): Promise<Record<string, number>> {
  if (!isCounting) await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  isCounting = true;
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const calls: Record<string, number> = {};
  for (const { url, functions } of result) {
    if (!url.startsWith(sources.href) || url.includes('/generated/')) continue;
    const file = fileURLToPath(url).slice(fileURLToPath(sources).length);
    for (const { functionName, ranges } of functions) {
      const [range] = ranges;
      // A function at 0 is the module itself. `__name` is added to files by the compiler.
      if (range && range.count > 0 && range.startOffset > 0 && functionName !== '__name')
        calls[`${file}:${functionName}:${range.startOffset}`] = range.count;
    }
  }
  return calls;
}

let collections = 0;
new PerformanceObserver((list) => (collections += list.getEntries().length)).observe({ entryTypes: ['gc'] });

/** Bytes on the heap, and how often it was collected so far: between two readings it has to be as often. */
const readHeap = () => ({ bytes: getHeapStatistics().used_heap_size, collections });

let isCounting = false;
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await import('../../../src/main.ts');
serveCommands(0, { take: takeCalls, heap: readHeap, collect: () => globalThis.gc?.() });
