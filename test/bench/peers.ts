import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { places } from './places.ts';

/*
 * `npm run bench:peers`: what the service is compared with and does not depend on, into an ignored folder, and the versions of Node
 * that all of them run on.
 */

const versions = { postgraphile: '5.1.5' };

export function installPeers(): number {
  mkdirSync(places.peers, { recursive: true });
  const manifest = { name: 'peers', private: true, dependencies: versions };
  writeFileSync(`${places.peers}package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  const usual = ['--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = (...args: string[]) => spawnSync('npm', [...args, ...usual], { stdio: 'inherit' }).status ?? 1;
  return npm('ci', '--prefix', places.nodes) || npm('install', '--prefix', places.peers);
}

if (process.argv[1] === import.meta.filename) process.exitCode = installPeers();
