import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createMailSecrets } from './access/mail-secrets.ts';
import { createSecretBox, webhookKeysOf } from './access/secret-box.ts';
import { signingSecretsOf } from './access/tokens.ts';
import type { Config } from './config/config.ts';
import type { Database } from './db/engine/database.ts';
import { openDatabase } from './db/engine/open-database.ts';
import { readMailBacklog } from './db/mails-due.ts';
import { readOperatingFigures } from './db/operating-figures.ts';
import { readWebhookBacklog } from './db/webhook-delivery.ts';
import { createHealth, type Health } from './health.ts';
import { createMetricsServer, metricsAt } from './site/metrics-page.ts';
import { createJobs, type Jobs } from './jobs/jobs.ts';
import { createLog } from './log.ts';
import { createReadiness } from './site/readiness.ts';

export interface WorkerApp {
  readonly log: Logger;
  readonly database: Database;
  readonly health: Health;
  readonly jobs: Pick<Jobs, 'start'>;
  /** The server for metrics, if they have a port of their own; otherwise null. */
  readonly metrics: FastifyInstance | null;
  close(): Promise<void>;
}

/** Creates and connects the parts of a process that only runs jobs: those of `buildApp` without the APIs. */
export async function buildWorkerApp(config: Config, traceFields?: () => object): Promise<WorkerApp> {
  const log = createLog(config, undefined, traceFields);
  const metrics = metricsAt(config.metrics) === 'own port' ? (await import('./site/metrics.ts')).createMetrics() : null;
  const database = await openDatabase(config.db, metrics ? { onSqlAnswered: metrics.statement } : {});
  const secretBox = createSecretBox(webhookKeysOf(config.webhooks.keys, signingSecretsOf(config)));
  const health = createHealth(log);
  const clock = () => new Date();
  const jobs = createJobs(config, {
    database,
    log,
    secretBox,
    health,
    clock,
    onAttempt: metrics?.webhookAttempted,
    onMailEnded: metrics?.mailEnded,
    mailSecrets: createMailSecrets(signingSecretsOf(config)),
  });
  metrics?.watch({
    connections: database.connections,
    webhooks: () => readWebhookBacklog(database.prisma, clock()),
    mails: () => readMailBacklog(database.prisma, clock()),
    figures: () => readOperatingFigures(database.prisma, clock()),
    readiness: createReadiness({ database, isDraining: () => false, log }),
    missingParts: health.missing,
  });
  const server = metrics && (await createMetricsServer(log, { metrics, token: config.metrics.token }));
  return {
    log,
    database,
    health,
    jobs,
    metrics: server,
    close: async () => {
      await jobs.stop(config.http.shutdownTimeoutMs / 2);
      await server?.close();
      await database.close();
    },
  };
}
