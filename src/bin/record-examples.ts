import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { packageRoot } from '../places.ts';
import type { Examples } from '../rest/examples.ts';
import { recordExamples } from './examples/record.ts';

/* `npm run generate` records the examples of the OpenAPI document; with --check it only reports that they are outdated. */

const file = fileURLToPath(new URL('src/rest/examples.json', packageRoot));

const present = readFileSync(file, 'utf8');
const before = JSON.parse(present) as Examples;
const { examples, refused } = await recordExamples(before);
for (const line of refused)
  process.stderr.write(`No example for ${line}\nGive the route one: \`example\` in its record.\n`);
const text = `${JSON.stringify(examples, null, 2)}\n`;
const isOutdated = present !== text;
if (refused.length > 0) process.exitCode = 1;
if (isOutdated && process.argv.includes('--check')) {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(examples)])];
  const changed = ids.filter((id) => !isDeepStrictEqual(before[id], examples[id]));
  process.stderr.write(`src/rest/examples.json is outdated (${changed.join(', ')}): run npm run generate\n`);
  process.exitCode = 1;
} else if (isOutdated) {
  writeFileSync(file, text);
  process.stdout.write('wrote src/rest/examples.json\n');
}
