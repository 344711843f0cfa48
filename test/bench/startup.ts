import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { residentMb } from './meters.ts';
import { places } from './places.ts';
import { median } from './rounds.ts';
import type { Scene } from './scene.ts';
import { startService, type Service } from './service.ts';

export interface Startup {
  readonly postgresMs: number;
  readonly embeddedFirstMs: number;
  readonly embeddedLaterMs: number;
  /** Resident memory after the first embedded start and the tour of the README. */
  readonly embeddedMb: number;
}

const times = 3;

/** From the start of the process until /readyz says yes; the first embedded start migrates and fills in the demo. */
export async function measureStartup({ databaseUrl }: Scene): Promise<Startup> {
  const readyMs = async (env: Record<string, string>, use?: (service: Service) => Promise<void>) => {
    const service = await startService(env);
    await use?.(service);
    await service.stop();
    return service.readyMs;
  };
  const [postgres, first, later, mb]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let time = 0; time < times; time++) {
    postgres.push(await readyMs({ DATABASE_URL: databaseUrl }));
    const folder = mkdtempSync(join(tmpdir(), 'callboard-bench-data-'));
    try {
      const goOnTour = async ({ origin, pid }: Service) => {
        await takeTour(origin);
        mb.push(residentMb(pid) ?? NaN);
      };
      first.push(await readyMs({ DATA_DIR: join(folder, 'data') }, goOnTour));
      later.push(await readyMs({ DATA_DIR: join(folder, 'data') }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return {
    postgresMs: median(postgres),
    embeddedFirstMs: median(first),
    embeddedLaterMs: median(later),
    embeddedMb: median(mb),
  };
}

/** Runs the commands of the README, in one shell. */
async function takeTour(origin: string): Promise<void> {
  const readme = readFileSync(`${places.root}README.md`, 'utf8');
  const commands = [...readme.matchAll(/^```sh run\n([^]*?)^```$/gm)].map(([, command]) => command);
  await promisify(execFile)('bash', ['-ec', commands.join('\n').replaceAll('http://127.0.0.1:4000', origin)]);
}
