import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { places } from './places.ts';

/* `npm run bench:peers`: what the service is compared with and does not depend on, into an ignored folder. */

/**
 * PostGraphile wants a newer Node than this project: the oldest line that it runs on. npm has its binary in a package for each
 * platform.
 */
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const versions = { postgraphile: '5.1.5', [nodePackage]: '22.23.3' };

export const nodeOfPeers = (): string => `${places.peers}node_modules/${nodePackage}/bin/node`;

export function installPeers(): number {
  mkdirSync(places.peers, { recursive: true });
  const manifest = { name: 'peers', private: true, dependencies: versions };
  writeFileSync(`${places.peers}package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  const { status } = spawnSync(
    'npm',
    ['install', '--prefix', places.peers, '--ignore-scripts', '--no-audit', '--no-fund'],
    {
      stdio: 'inherit',
    },
  );
  return status ?? 1;
}

if (process.argv[1] === import.meta.filename) process.exitCode = installPeers();
