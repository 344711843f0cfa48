import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { packageRoot } from './places.ts';

const manifest = readFileSync(new URL('package.json', packageRoot), 'utf8');

/** The version in package.json. */
export const { version } = JSON.parse(manifest) as { version: string };

/**
 * Digest of the service's code and its pinned dependencies: the same on every node that runs the same build, and a different
 * one whenever answers might be serialized differently.
 */
export function digestBuild(): string {
  const root = new URL('./', import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.[jt]s$/.test(path) && !path.startsWith('pages/'));
  const digest = createHash('sha256').update(manifest);
  for (const path of files.sort()) digest.update(path).update(readFileSync(new URL(path, root)));
  return digest.digest('base64url');
}
