import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { packageRoot } from './places.ts';

const manifest = readFileSync(new URL('package.json', packageRoot), 'utf8');

const { version: current, peerDependencies } = JSON.parse(manifest) as {
  version: string;
  peerDependencies: Record<string, string>;
};

export const version = current;

/** The versions of the packages that only some people need, by name. An install leaves them out. */
export const optionalPackages: ReadonlyMap<string, string> = new Map(Object.entries(peerDependencies));

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
