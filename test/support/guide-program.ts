import { readFileSync } from 'node:fs';

const guide = new URL('../../src/guide/integrators.md', import.meta.url);

/** The text of a program that the guide for integrators prints, by the name of its file. */
export function guideProgram(name: string): string {
  const begin = `\n\`\`\`js ${name}\n`;
  const [, after] = readFileSync(guide, 'utf8').split(begin);
  if (after === undefined) throw new Error(`The guide for integrators has no ${name}.`);
  return after.slice(0, after.indexOf('\n```') + 1);
}
