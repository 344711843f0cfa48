import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { memoize } from '../memoize.ts';

type Collect = (options: { type: 'major'; execution: 'async' }) => Promise<void>;

const collector = memoize(async () => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
});

/**
 * Collects garbage, which takes about 100 ms. V8 collects when it needs memory: what large answers leave would stay until the next
 * ones come.
 * Performance notes: src/guide/performance.md#garbage-collection
 */
export async function collectGarbage(): Promise<void> {
  const collect = await collector();
  await collect({ type: 'major', execution: 'async' });
}
