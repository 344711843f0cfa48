import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './rounds.ts';
import type { Scene } from './scene.ts';
import { startService } from './service.ts';

export interface Startup {
  readonly postgresMs: number;
  readonly embeddedFirstMs: number;
  readonly embeddedLaterMs: number;
}

const times = 3;

/** From the start of the process until /readyz says yes; the first embedded start migrates and fills in the demo. */
export async function measureStartup({ databaseUrl }: Scene): Promise<Startup> {
  const readyMs = async (env: Record<string, string>) => {
    const service = await startService(env);
    await service.stop();
    return service.readyMs;
  };
  const [postgres, first, later]: [number[], number[], number[]] = [[], [], []];
  for (let time = 0; time < times; time++) {
    postgres.push(await readyMs({ DATABASE_URL: databaseUrl }));
    const folder = mkdtempSync(join(tmpdir(), 'callboard-bench-data-'));
    try {
      first.push(await readyMs({ DATA_DIR: join(folder, 'data') }));
      later.push(await readyMs({ DATA_DIR: join(folder, 'data') }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { postgresMs: median(postgres), embeddedFirstMs: median(first), embeddedLaterMs: median(later) };
}
