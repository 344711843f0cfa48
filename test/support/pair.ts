import { beforeAll } from '@jest/globals';
import { startApp, type TestApp } from './app.ts';
import { atEnd } from './jest/at-end.mjs';

type Pair = readonly [TestApp, TestApp];

let opened: Promise<Pair> | undefined;

async function openPair(): Promise<Pair> {
  const first = await startApp();
  const second = await startApp({ beside: first });
  atEnd(async () => {
    await second.close();
    await first.close();
  });
  return [first, second];
}

/**
 * Declares two instances of the service on one database, for races. All test files of a worker that need no settings of their own
 * share them: each makes a business of its own.
 */
export function usePair(): Pair {
  const pair: Pair = [{} as TestApp, {} as TestApp];
  beforeAll(async () => {
    opened ??= openPair();
    for (const [index, app] of (await opened).entries()) Object.assign(pair[index]!, app);
  });
  return pair;
}
