import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');

/** What runs, as package.json says. */
export const { version } = JSON.parse(manifest) as { version: string };

/** Of the code that runs and what it builds on: another one where an answer might be printed otherwise, the same on every node that has the same. */
export function buildOf(): string {
  const root = new URL('./', import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.[jt]s$/.test(path) && !path.startsWith('playground/'));
  const digest = createHash('sha256').update(manifest);
  for (const path of files.sort()) digest.update(path).update(readFileSync(new URL(path, root)));
  return digest.digest('base64url');
}
