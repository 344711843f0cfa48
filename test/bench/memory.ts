import { residentMb } from './meters.ts';
import { mixed } from './mix.ts';
import { overHttp, quantile } from './rounds.ts';
import type { Scene } from './scene.ts';
import { startService } from './service.ts';

export interface Memory {
  readonly seconds: number;
  readonly maxMb: number;
  /** Means of the middle and of the last third of the time. */
  readonly middleMb: number;
  readonly lastMb: number;
  readonly answers: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const sampleMs = 1000;

/** Memory of a service that has just been started, under the mixed load as fast as it goes. `how` may name another Node. */
export async function measureMemory(
  { databaseUrl, small }: Scene,
  seconds: number,
  how: { program?: string } = {},
): Promise<Memory> {
  const service = await startService({ DATABASE_URL: databaseUrl }, how);
  try {
    const next = await mixed(service.origin, small);
    const samples: number[] = [];
    const sampling = setInterval(() => samples.push(residentMb(service.pid) ?? NaN), sampleMs);
    const { latenciesMs } = await overHttp(service.origin, next, { seconds }).finally(() => clearInterval(sampling));
    const mean = (from: number, to: number) => {
      const part = samples.slice(Math.floor(from * samples.length), Math.ceil(to * samples.length));
      return part.reduce((sum, mb) => sum + mb, 0) / part.length;
    };
    return {
      seconds,
      maxMb: Math.max(...samples),
      middleMb: mean(1 / 3, 2 / 3),
      lastMb: mean(2 / 3, 1),
      answers: latenciesMs.length,
      p50Ms: quantile(latenciesMs, 0.5),
      p99Ms: quantile(latenciesMs, 0.99),
    };
  } finally {
    await service.stop();
  }
}
