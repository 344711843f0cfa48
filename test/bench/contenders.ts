import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Options } from './options.ts';
import { places } from './places.ts';
import { startReady, type Running } from './processes.ts';
import type { Scene } from './scene.ts';
import { startService, usualNodeOptions, type Counts, type Service } from './service.ts';

export interface Peer extends Running {
  readonly origin: string;
  counts(): Promise<Counts>;
}

export interface Contenders {
  readonly service: Service;
  /** Null: not installed. */
  readonly postgraphile: Peer | null;
  readonly pool: Running;
}

export async function startContenders(
  { databaseUrl }: Scene,
  { profile, node }: Pick<Options, 'profile' | 'node'>,
): Promise<Contenders> {
  const env = { NODE_ENV: 'production', DATABASE_URL: databaseUrl };
  const ours = (name: string) => startReady(ownProcess(name, env));
  const [service, pool] = await Promise.all([
    startService(
      { DATABASE_URL: databaseUrl },
      { nodeOptions: profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`] },
    ),
    ours('pool'),
  ]);
  // PostGraphile runs on Node 22 and later.
  const postgraphile =
    existsSync(places.peers) && node !== '20'
      ? counting(
          await startReady({
            args: [...usualNodeOptions(), places.contender('postgraphile')],
            env: { ...env, PEERS: places.peers },
          }),
        )
      : null;
  return { service, pool, postgraphile };
}

/** In one process: tsx's own command would start another below it. */
const ownProcess = (name: string, env: Record<string, string>) => ({
  args: [...usualNodeOptions(), '--import', places.tsx, places.contender(name)],
  env: { ...env, TSX_TSCONFIG_PATH: places.tsconfig },
});

const counting = (running: Running & { origin: string }): Peer => ({ ...running, counts: () => running.ask('counts') });

/** Has answers, by their names, sent from memory. */
export async function startStatic(answers: ReadonlyMap<string, Buffer>): Promise<Running & { origin: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-bench-static-'));
  try {
    const files = [...answers].map(([name, bytes]) => {
      const file = join(folder, name);
      writeFileSync(file, bytes);
      return `${name}=${file}`;
    });
    const env = { NODE_ENV: 'production', STATIC_FILES: files.join(',') };
    return await startReady(ownProcess('static', env));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
