import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { serveCommands } from './child.ts';

/* The service from its sources, in a process that can say which functions of ours ran since it was last asked. */

const sources = new URL('../../../src/', import.meta.url);

/** Functions by file, as `events.ts:serializeEvent:120`: the name, which may be empty, and where it stands in the compiled text. */
async function takeFunctions(): Promise<string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.startsWith(sources.href) && !url.includes('/generated/'))
    .flatMap(({ url, functions }) => {
      const file = fileURLToPath(url).slice(fileURLToPath(sources).length);
      return (
        functions
          // A function at 0 is the module itself. `__name` is added to files by the compiler.
          .filter(
            ({ functionName, ranges: [range] }) =>
              range && range.count > 0 && range.startOffset > 0 && functionName !== '__name',
          )
          .map(({ functionName, ranges: [range] }) => `${file}:${functionName}:${range?.startOffset}`)
      );
    });
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await import('../../../src/main.ts');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
serveCommands(0, { take: takeFunctions });
