import { setTimeout as wait } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { buildApp, type App } from '../app.ts';
import type { Config } from '../config.ts';
import { isUnreachable } from '../db/failures.ts';
import { offerDemo } from './first-start.ts';

const retryMs = 1000;

/** Migrates, listens and serves until SIGTERM or SIGINT; a second signal ends it at once. */
export async function serve(config: Config): Promise<App> {
  const app = await buildApp(config);
  const { http, database } = app;
  const closing = new AbortController();
  closeWithGrace(
    { delay: config.http.shutdownTimeoutMs, logger: http.log, onSecondSignal: () => process.exit(1) },
    async ({ err, signal }) => {
      if (err) http.log.fatal({ err }, 'unexpected failure: closing');
      else http.log.info(`${signal ?? 'close'}: closing`);
      closing.abort();
      await app.close();
    },
  );

  const migrated = migrateWhenReachable(app, closing.signal);
  if (database.kind === 'embedded') {
    await migrated;
    await offerDemo(config, database, http.log);
  } else {
    // PostgreSQL may be down: the process is up and says that it is not ready, rather than going round in restarts.
    await Promise.race([migrated, wait(config.db.connectTimeoutMs)]);
  }
  await http.listen({ host: config.http.host, port: config.http.port });
  return app;
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
      await wait(retryMs);
    }
  }
}
