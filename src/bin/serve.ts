import { setTimeout as wait } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { buildApp, type App } from '../app.ts';
import { limits, type Config } from '../config.ts';
import { isUnreachable } from '../db/failures.ts';
import { offerDemo } from './first-start.ts';

/** Migrates, listens and serves until SIGTERM or SIGINT; a second signal ends it at once. */
export async function serve(config: Config): Promise<App> {
  const app = await buildApp(config);
  const { http } = app;
  const closing = new AbortController();
  const graceful = closeWithGrace(
    { delay: config.http.shutdownTimeoutMs, logger: http.log, onSecondSignal: () => process.exit(1) },
    async ({ err, signal }) => {
      if (err) http.log.fatal({ err }, 'unexpected failure: closing');
      else http.log.info(`${signal ?? 'close'}: closing`);
      closing.abort();
      await app.close();
    },
  );

  try {
    await start(app, config, closing.signal);
  } catch (error) {
    // What was told to close while it started has not failed.
    if (closing.signal.aborted) return app;
    graceful.uninstall();
    closing.abort();
    await app.close();
    throw error;
  }
  return app;
}

async function start(app: App, config: Config, closing: AbortSignal): Promise<void> {
  const { http, database } = app;
  const migrated = migrateWhenReachable(app, closing);
  if (database.kind === 'embedded') {
    await migrated;
    await offerDemo(config, database, http.log);
  } else {
    // PostgreSQL may be down: the process is up and says that it is not ready, rather than going round in restarts.
    await Promise.race([migrated, wait(config.db.connectTimeoutMs)]);
  }
  const { host, port } = config.http;
  try {
    await http.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? 'it is in use. Stop what listens there, or set another PORT.' : message;
    throw new Error(`Cannot listen on ${host}:${port}: ${reason}`, { cause: error });
  }
}

async function migrateWhenReachable({ database, http }: App, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const applied = await database.migrate();
      if (applied.length > 0) http.log.info({ applied }, 'migrated');
      return;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      http.log.warn({ err: error }, 'the database cannot be reached: trying again');
      await wait(limits.databaseRetryMs);
    }
  }
}
