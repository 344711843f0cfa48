import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { attacks, fullScale, fullScene, runAttacks, shortScale, shortScene } from './attack/attacks.ts';
import type { Result } from './attack/measure.ts';
import { formatResults } from './attack/report.ts';
import { isNightly } from './support/share.mjs';
import { stopAll } from './support/process.ts';
import { databasePrefix, redisUrl, serverUrl } from './support/template.ts';

/* What `npm run attack` does, or its short form, against what `npm run build` made. */

const wanted = attacks.filter(({ isShort }) => isNightly || isShort);
const [scene, scale] = isNightly ? [fullScene, fullScale] : [shortScene, shortScale];
const timeoutMs = 3_600_000;
const results: Result[] = [];

beforeAll(async () => {
  const sceneOptions = { serverUrl: serverUrl ?? '', redisUrl, database: `${databasePrefix}attack`, ...scene };
  await runAttacks(wanted, sceneOptions, scale, (result) => results.push(result));
}, timeoutMs);

afterAll(() => {
  process.stdout.write(`${formatResults(results)}\n`);
  stopAll();
});

test.each(wanted.map(({ tries, name }) => [tries, name]))('%s: %s', (_tries, name) => {
  expect(results.find(({ attack }) => attack.name === name)?.faults).toEqual([]);
});
