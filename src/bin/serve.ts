import { setTimeout as wait } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import { buildApp, type App } from '../app.ts';
import { findDangers } from '../config/advice.ts';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { isDiskFull, isUnreachable, UnfitDatabase } from '../db/engine/failures.ts';
import { MigrationBlocked } from '../db/migrations/migrate.ts';
import { prepareFirstStart } from './first-start.ts';
import { keepInstantsRight } from './keep-instants.ts';
import { listen } from './listen.ts';
import { limitMemory } from './memory.ts';
import { runJobs } from './jobs.ts';
import type { Tracing } from './tracing.ts';

interface ServeParts {
  readonly tracing: Tracing | null;
  readonly log: Logger;
  readonly jobs: boolean;
}

/**
 * Migrates, listens and serves until SIGTERM or SIGINT; a second signal ends the process at once. `jobs`: whether this process also
 * does what `callboard work` does.
 */
export async function serve(config: Config, { tracing, log, jobs }: ServeParts): Promise<App> {
  if (config.db.url !== null) limitMemory();
  // Only graphql-js's own execution is traced, so compiled execution is off.
  const app = await buildApp(config, { log, ...(tracing && { compileAfter: null }) });
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
      closing.abort();
      if (err) http.log.fatal({ err }, 'unexpected failure: closing');
      else await drain(app, config, signal);
      await close();
      log.info('closed');
    },
  );

  try {
    const { migrated } = await start(app, config, closing.signal);
    for (const text of findDangers(config)) log.warn(text);
    if (jobs) void migrated.then((isMigrated) => (isMigrated ? runJobs(app, config, closing.signal) : undefined));
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

/** Waits before the close, where another process can take over: load balancers need a moment to notice. */
async function drain(app: App, { http }: Config, reason: NodeJS.Signals | 'close' = 'close'): Promise<void> {
  const isDraining = (reason === 'SIGTERM' || reason === 'SIGHUP') && app.database.kind === 'postgresql';
  const drainMs = isDraining ? http.drainDelayMs : 0;
  app.http.log.info(`${reason}: ${drainMs > 0 ? `draining for ${drainMs} ms, then ` : ''}closing`);
  if (drainMs === 0) return;
  app.drain();
  await wait(drainMs);
  const leftMs = Math.max(0, http.shutdownTimeoutMs - drainMs);
  await Promise.race([app.stopListening(), wait(Math.min(limits.shortWaitMs + drainMs, leftMs / 2))]);
}

/** Returns whether the database was migrated, when that is known. */
async function start(app: App, config: Config, closing: AbortSignal): Promise<{ migrated: Promise<boolean> }> {
  const { http, metrics, database } = app;
  const migrated = migrateWhenReachable(app, closing);
  let firstSteps: (origin: string) => readonly string[] = () => [];
  if (database.kind === 'embedded') {
    await migrated;
    firstSteps = await prepareFirstStart(config, database, http.log);
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

async function migrateWhenReachable({ database, http, checkReadiness }: App, signal: AbortSignal): Promise<void> {
  let told = '';
  while (!signal.aborted) {
    try {
      const applied = await database.migrate((text) => http.log.warn(`${text}: trying again`));
      if (applied.length > 0) http.log.info({ applied }, 'migrated');
      return;
    } catch (error) {
      if (!passesByItself(error, http.server.listening)) throw error;
      // It tells the log why, once.
      const { reason } = await checkReadiness();
      const { message } = error as Error;
      if ((reason === 'ready' || reason === 'schema_behind') && message !== told) {
        http.log.warn({ err: error }, 'the database was not migrated: trying again');
        told = message;
      }
      await wait(limits.retryMs);
    }
  }
}

/**
 * Whether the same call can succeed later. A process that listens already has said that it is not ready, and the database can be
 * mended meanwhile.
 */
function passesByItself(error: unknown, isListening: boolean): boolean {
  if (error instanceof UnfitDatabase) return isListening || error.fault === 'read_only';
  return isDiskFull(error) || isUnreachable(error) || error instanceof MigrationBlocked;
}
