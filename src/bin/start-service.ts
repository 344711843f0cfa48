import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { databaseDir, restoredDir } from '../db/engine/data-dir.ts';
import { createLog } from '../log.ts';
import { startTracing } from './tracing.ts';

/** Starts tracing, and then serves. `jobs`: whether the service also does what `callboard work` does. */
export async function startService(config: Config, { jobs = true } = {}): Promise<void> {
  const tracing = await startTracing(config);
  const log = createLog(config, undefined, tracing?.fields);
  const { url, dataDir } = config.db;
  // Said before the service is loaded: a first start takes seconds, and would look as if nothing happened.
  if (url === null && !existsSync(databaseDir(dataDir)) && !existsSync(restoredDir(dataDir)))
    log.info(`creating the embedded database in ${dataDir}, which takes some seconds`);
  try {
    // Imported after tracing has started, because tracing patches libraries as they are loaded.
    const { serve } = await import('./serve.ts');
    await serve(config, { tracing, log, jobs });
  } catch (error) {
    // A part that was made before another one failed, such as the embedded database, keeps the process alive.
    setTimeout(() => process.exit(), limits.endMs).unref();
    throw error;
  }
}
