import cluster from 'node:cluster';
import type { Config } from '../config/config.ts';
import { startTracing } from './tracing.ts';

/** Serves in this process, or runs workers that do. `jobs`: whether the service also does what `callboard work` does. */
export async function startService(config: Config, { jobs = true } = {}): Promise<void> {
  if (config.workers > 1 && cluster.isPrimary) {
    const { runPrimary } = await import('../workers/primary.ts');
    return runPrimary(config);
  }
  const tracing = await startTracing(config);
  // Imported after tracing has started, because tracing patches libraries as they are loaded.
  const { serve } = await import('./serve.ts');
  await serve(config, tracing, { jobs });
}
