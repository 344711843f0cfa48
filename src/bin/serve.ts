import { setTimeout as wait } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { buildApp, type App } from '../app.ts';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { isDiskFull, isUnreachable } from '../db/engine/failures.ts';
import { prepareFirstStart } from './first-start.ts';
import { keepInstantsRight } from './keep-instants.ts';
import { requireReady } from '../site/readiness.ts';
import type { EndReason } from '../workers/messages.ts';
import { openLink, type WorkerLink } from '../workers/link.ts';
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
  const link = openLink(config);
  const app = await buildApp(config, { link, ...(tracing && { traceFields: tracing.fields, compileAfter: null }) });
  const { http } = app;
  tracing?.onLost(() => http.log.warn('the trace collector does not accept traces: they are lost'));
  const close = async () => {
    await app.close();
    await tracing?.close();
  };
  const closing = new AbortController();
  let askedFor: EndReason | null = null;
  const graceful = closeWithGrace(
    {
      delay: config.http.shutdownTimeoutMs,
      logger: http.log,
      onSecondSignal: () => process.exit(1),
      // A worker is ended by its primary, which gets the signals.
      skip: link ? ['SIGTERM', 'SIGINT', 'SIGHUP'] : [],
    },
    async ({ err, signal = askedFor ?? undefined }) => {
      closing.abort();
      if (err) http.log.fatal({ err }, 'unexpected failure: closing');
      else await letClientsGo(app, config, signal);
      await close();
    },
  );
  link?.onEnd((reason) => {
    if (askedFor !== null) return;
    askedFor = reason;
    graceful.close();
  });

  try {
    const { migrated } = await start(app, config, closing.signal);
    if (link) void reportProgress(app, link, closing.signal);
    // The first of several workers does this for all.
    const { worker } = config;
    if (worker !== null && worker > 1) return app;
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

/** Waits before the close, where another process can take over. */
async function letClientsGo(
  app: App,
  { http }: Config,
  reason: EndReason | NodeJS.Signals | 'close' = 'close',
): Promise<void> {
  const { log } = app.http;
  if (reason === 'replaced') {
    log.info('replaced: closing when the clients have left');
    return Promise.race([app.handOver(), wait(http.shutdownTimeoutMs / 2)]);
  }
  // Load balancers need a moment to notice.
  const drainMs = reason === 'SIGTERM' && app.database.kind === 'postgresql' ? http.drainDelayMs : 0;
  log.info(`${reason}: ${drainMs > 0 ? `draining for ${drainMs} ms, then ` : ''}closing`);
  if (drainMs === 0) return;
  app.drain();
  await wait(drainMs);
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

/** Tells the primary when this worker listens, and when it is ready, which may be later: PostgreSQL may be down. */
async function reportProgress({ database }: App, link: WorkerLink, signal: AbortSignal): Promise<void> {
  link.report('listening');
  const isReady = () =>
    requireReady(database, () => signal.aborted).then(
      () => true,
      () => false,
    );
  while (!signal.aborted && !(await isReady())) await wait(limits.readyPollMs);
  if (!signal.aborted) link.report('ready');
}
