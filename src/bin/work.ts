import { setTimeout as wait } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
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
  closeWithGrace(
    { delay: config.http.shutdownTimeoutMs, logger: log, onSecondSignal: () => process.exit(1) },
    async ({ err, signal }) => {
      if (err) log.fatal({ err }, 'unexpected failure: closing');
      else log.info(`${signal ?? 'close'}: closing`);
      closing.abort();
      await app.close();
      await tracing?.close();
    },
  );
  const { port } = config.metrics;
  if (app.metrics && port !== null) await listen(app.metrics, { host: config.http.host, port }, 'METRICS_PORT');
  await waitForSchema(app, closing.signal);
  if (closing.signal.aborted) return;
  await runJobs(app, log, config, closing.signal);
  log.info('working');
}

/** Waits until `serve` or `migrate` has migrated the database. */
async function waitForSchema({ database, log }: WorkerApp, signal: AbortSignal): Promise<void> {
  let known = '';
  while (!signal.aborted) {
    const reason = await database.pending().then(
      (pending) => (pending.length === 0 ? null : 'the database has to be migrated first'),
      (error: Error) => `the database cannot be used: ${error.message.trim().split('\n').at(-1)}`,
    );
    if (reason === null) return;
    if (reason !== known) log.warn(`${reason}; waiting`);
    known = reason;
    await wait(limits.databaseRetryMs, undefined, { signal }).catch(() => undefined);
  }
}
