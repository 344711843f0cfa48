import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Goal } from './goals.ts';
import { places } from './places.ts';

/** A measured figure and its unit, such as `2.13 x`. */
const figure = /^([\d.]+) (.+)$/;

/** The lowest and the highest of figures in the same unit. */
function range(measured: readonly (string | null)[]): string {
  const parts = measured.flatMap((text) => {
    const part = figure.exec(text ?? '');
    return part ? [part] : [];
  });
  if (parts.length === 0) return 'not measured';
  const numbers = parts.map(([, number]) => number ?? '').sort((a, b) => Number(a) - Number(b));
  const [lowest, highest] = [numbers[0], numbers.at(-1)];
  const unit = parts[0]?.[2] ?? '';
  return lowest === highest ? `${lowest} ${unit}` : `${lowest} to ${highest} ${unit}`;
}

/** The goals of the published runs, as a table in Markdown. */
export function summary(): string {
  const files = readdirSync(places.published).filter((name) => name.endsWith('.json'));
  const runs = files.map(
    (name) => (JSON.parse(readFileSync(`${places.published}${name}`, 'utf8')) as { goals: Goal[] }).goals,
  );
  const lines = (runs[0] ?? []).map(({ name, goal }) => {
    const same = runs.map((goals) => goals.find((other) => other.name === name));
    const measured = range(same.map((one) => one?.measured ?? null));
    const byCpu = same.some((one) => one?.byCpu) ? range(same.map((one) => one?.byCpu ?? null)) : '';
    const isMissed = same.some((one) => one?.isMet === false);
    return `| ${name} | ${goal} | ${isMissed ? `**${measured}**` : measured} | ${byCpu} |`;
  });
  return `| goal | wanted | measured | by CPU |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`;
}

// `npm run bench:summary`
if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(summary());
