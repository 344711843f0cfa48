// What the gate cost: seconds by group, and the ten dearest files. Reads the lines of JSON that `noteCost` and `.ci/run` wrote.
import { existsSync, readFileSync } from 'node:fs';

const [record] = process.argv.slice(2);
const entries = existsSync(record)
  ? readFileSync(record, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : [];

const groupOf = (name) => /\.(pg|browser|long|tools|nightly)\./.exec(name.replace('.pg.nightly.', '.nightly.'))?.[1];
const isTest = ({ name }) => name.endsWith('.test.ts');
const sum = (some, key) => some.reduce((total, entry) => total + (entry[key] ?? 0), 0);
const print = (line) => process.stdout.write(`${line}\n`);
const row = (name, some, count = '') =>
  `${name.padEnd(44)} ${sum(some, 'cpuS').toFixed(0).padStart(6)} ${sum(some, 'wallS').toFixed(0).padStart(6)}  ${count}`;

const groups = new Map();
for (const entry of entries.filter(isTest)) {
  const group = `tests: ${groupOf(entry.name) ?? 'plain'}`;
  groups.set(group, [...(groups.get(group) ?? []), entry]);
}

print(`${'seconds of'.padEnd(44)}    CPU   wall`);
for (const [group, some] of [...groups].sort()) print(row(group, some, `${some.length} files`));
for (const step of entries.filter((entry) => !isTest(entry))) print(row(step.name, [step]));
print('\nThe ten dearest files');
const dearest = entries.filter(isTest).sort((a, b) => (b.cpuS ?? b.wallS) - (a.cpuS ?? a.wallS));
for (const file of dearest.slice(0, 10)) print(row(file.name, [file]));
