import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { attacks, runAttacks, shortScale, shortScene } from './attack/attacks.ts';
import type { Result } from './attack/measure.ts';
import { formatResults } from './attack/report.ts';
import { stopAll } from './support/process.ts';
import { databasePrefix, redisUrl, serverUrl } from './support/template.ts';

/* The short form of `npm run attack`, against what `npm run build` made. */

const wanted = attacks.filter(({ isShort }) => isShort);
const results: Result[] = [];

beforeAll(async () => {
  const sceneOptions = { serverUrl: serverUrl ?? '', redisUrl, database: `${databasePrefix}attack`, ...shortScene };
  await runAttacks(wanted, sceneOptions, shortScale, (result) => results.push(result));
});

afterAll(() => {
  process.stdout.write(`${formatResults(results)}\n`);
  stopAll();
});

test.each(wanted.map(({ tries, name }) => [tries, name]))('%s: %s', (_tries, name) => {
  expect(results.find(({ attack }) => attack.name === name)?.faults).toEqual([]);
});
