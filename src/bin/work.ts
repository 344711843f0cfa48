import { setTimeout as wait } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { findDangers } from '../config/advice.ts';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { UnfitDatabase } from '../db/engine/failures.ts';
import { Failure } from '../errors.ts';
import { buildWorkerApp, type WorkerApp } from '../worker-app.ts';
import { runJobs } from './jobs.ts';
import { listen } from './listen.ts';
import { limitMemory } from './memory.ts';
import type { Tracing } from './tracing.ts';

/** Runs jobs, and nothing else, until SIGTERM or SIGINT; a second signal ends the process at once. */
export async function work(config: Config, tracing: Tracing | null = null): Promise<void> {
  if (config.db.url === null)
    throw new Failure(
      'PRECONDITION_FAILED',
      'callboard work needs DATABASE_URL: only one process can open the embedded database, and callboard serve runs the jobs there itself.',
    );
  limitMemory();
  const app = await buildWorkerApp(config, tracing?.fields);
  const { log } = app;
  tracing?.onLost(() => log.warn('the trace collector does not accept traces: they are lost'));
  const closing = new AbortController();
  const graceful = closeWithGrace(
    { delay: config.http.shutdownTimeoutMs, logger: log, onSecondSignal: () => process.exit(1) },
    async ({ err, signal }) => {
      if (err) log.fatal({ err }, 'unexpected failure: closing');
      else log.info(`${signal ?? 'close'}: closing`);
      closing.abort();
      await app.close();
      await tracing?.close();
      log.info('closed');
    },
  );
  const { port } = config.metrics;
  try {
    if (app.metrics && port !== null) await listen(app.metrics, { host: config.http.host, port }, 'METRICS_PORT');
    for (const text of findDangers(config)) log.warn(text);
    await waitForSchema(app, closing.signal);
    if (closing.signal.aborted) return;
    await runJobs(app, config, closing.signal);
    log.info('working');
  } catch (error) {
    // Otherwise it would end the process as if nothing had failed.
    graceful.uninstall();
    closing.abort();
    await app.close();
    await tracing?.close();
    throw error;
  }
}

/** Waits until `serve` or `migrate` has migrated the database. Throws `UnfitDatabase` at once, and never later. */
async function waitForSchema({ database, log }: WorkerApp, signal: AbortSignal): Promise<void> {
  let known = '';
  while (!signal.aborted) {
    const reason = await database.pending().then(
      (pending) => (pending.length === 0 ? null : 'the database has to be migrated first'),
      (error: Error) => {
        // A start on it is refused. Later, it can be mended meanwhile.
        if (error instanceof UnfitDatabase && known === '') throw error;
        return `the database cannot be used: ${error.message.trim().split('\n').at(-1)}`;
      },
    );
    if (reason === null) return;
    if (reason !== known) log.warn(`${reason}; waiting`);
    known = reason;
    await wait(limits.retryMs, undefined, { signal }).catch(() => undefined);
  }
}
