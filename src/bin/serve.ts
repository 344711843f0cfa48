import { setTimeout as wait } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { buildApp, type App } from '../app.ts';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { isDiskFull, isUnreachable } from '../db/engine/failures.ts';
import { prepareFirstStart } from './first-start.ts';
import { keepInstantsRight } from './keep-instants.ts';
import { listen } from './listen.ts';
import { limitMemory } from './memory.ts';
import { runJobs } from './jobs.ts';
import type { Tracing } from './tracing.ts';

/**
 * Migrates, listens and serves until SIGTERM or SIGINT; a second signal ends the process at once. `jobs`: whether this process also
 * does what `callboard work` does.
 */
export async function serve(config: Config, tracing: Tracing | null = null, { jobs = true } = {}): Promise<App> {
  if (config.db.url !== null) limitMemory();
  // Only graphql-js's own execution is traced, so compiled execution is off.
  const app = await buildApp(config, tracing ? { traceFields: tracing.fields, compileAfter: null } : {});
  const { http } = app;
  tracing?.onLost(() => http.log.warn('the trace collector does not accept traces: they are lost'));
  const close = async () => {
    await app.close();
    await tracing?.close();
  };
  const closing = new AbortController();
  const graceful = closeWithGrace(
    { delay: config.http.shutdownTimeoutMs, logger: http.log, onSecondSignal: () => process.exit(1) },
    async ({ err, signal }) => {
      if (err) http.log.fatal({ err }, 'unexpected failure: closing');
      // Waits only if another copy can take over: load balancers need a moment to notice.
      const drainMs = signal === 'SIGTERM' && app.database.kind === 'postgresql' ? config.http.drainDelayMs : 0;
      if (!err) http.log.info(`${signal ?? 'close'}: ${drainMs > 0 ? `draining for ${drainMs} ms, then ` : ''}closing`);
      closing.abort();
      if (drainMs > 0) {
        app.drain();
        await wait(drainMs);
      }
      await close();
    },
  );

  try {
    const { migrated } = await start(app, config, closing.signal);
    if (jobs)
      void migrated.then((isMigrated) => (isMigrated ? runJobs(app, http.log, config, closing.signal) : undefined));
    void keepInstantsRight(app, closing.signal);
  } catch (error) {
    // A signal to stop during the start is not a failure.
    if (closing.signal.aborted) return app;
    graceful.uninstall();
    closing.abort();
    await close();
    throw error;
  }
  return app;
}

/** Returns whether the database was migrated, when that is known. */
async function start(app: App, config: Config, closing: AbortSignal): Promise<{ migrated: Promise<boolean> }> {
  const { http, metrics, database } = app;
  const migrated = migrateWhenReachable(app, closing);
  let firstSteps: (origin: string) => readonly string[] = () => [];
  if (database.kind === 'embedded') {
    await migrated;
    firstSteps = await prepareFirstStart(config, database);
  } else {
    // If PostgreSQL is down, the process starts anyway and reports that it is not ready, instead of restarting again
    // and again.
    await Promise.race([migrated, wait(config.db.connectTimeoutMs, undefined, { ref: false })]);
    // A failure after that does not end the process: `/readyz` says that it is not ready.
    void migrated.catch((err: unknown) => http.log.error({ err }, 'the database was not migrated'));
  }
  const { host, port } = config.http;
  await listen(http, { host, port }, 'PORT');
  for (const line of firstSteps(http.listeningOrigin)) http.log.info(line);
  const { port: metricsPort } = config.metrics;
  if (metrics && metricsPort !== null) {
    const listenTextResolver = (address: string) => `Metrics at ${address}/metrics`;
    await listen(metrics, { host, port: metricsPort, listenTextResolver }, 'METRICS_PORT');
  }
  const isMigrated = () => !closing.aborted;
  return { migrated: migrated.then(isMigrated, () => false) };
}

async function migrateWhenReachable({ database, http }: App, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const applied = await database.migrate();
      if (applied.length > 0) http.log.info({ applied }, 'migrated');
      return;
    } catch (error) {
      if (!isUnreachable(error) && !isDiskFull(error)) throw error;
      const reason = isDiskFull(error) ? 'the disk of the database is full' : 'the database cannot be reached';
      http.log.warn({ err: error }, `${reason}: trying again`);
      await wait(limits.databaseRetryMs);
    }
  }
}
