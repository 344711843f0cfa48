import { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createAttempts } from './access/attempts.ts';
import { createAudit } from './access/audit.ts';
import { createAuthenticate } from './access/authenticate.ts';
import type { RecordedChange } from './access/change.ts';
import { createCounters } from './access/counters.ts';
import { createDemoLogIns } from './access/demo.ts';
import { createKeyedDigests } from './access/keyed-digests.ts';
import { createLiveSignals } from './access/live-signals.ts';
import { createLive } from './access/live.ts';
import { createLogIn } from './access/log-in.ts';
import { createPasswords } from './access/passwords.ts';
import { createRateLimits } from './access/rate-limits.ts';
import { createScreenPairing } from './access/screen-pairing.ts';
import { createScopes } from './access/scopes.ts';
import { createSecretBox, webhookKeysOf } from './access/secret-box.ts';
import { createTokens, signingSecretsOf } from './access/tokens.ts';
import { createUnknownKidLog } from './access/unknown-kids.ts';
import { createWebhookUrlCheck } from './access/webhook-urls.ts';
import type { Config } from './config/config.ts';
import { limits } from './config/limits.ts';
import type { Database, DatabaseHooks } from './db/engine/database.ts';
import { openDatabase } from './db/engine/open-database.ts';
import { readWebhookBacklog } from './db/webhook-delivery.ts';
import type { CompileAfter } from './graphql/execute.ts';
import { graphqlRoutes } from './graphql/server.ts';
import { answerHeaders } from './http/answer-headers.ts';
import { AnswerMemory } from './http/answer-memory.ts';
import { authenticationHook } from './http/authentication.ts';
import { compression } from './http/compression.ts';
import { cors } from './http/cors.ts';
import { createEventStreams } from './http/event-streams.ts';
import { createCsvExports } from './http/exports.ts';
import { createMetricsServer, metricsAt, metricsPage } from './http/metrics-page.ts';
import { pressure } from './http/pressure.ts';
import { failureReplies, watchVerbs } from './http/replies.ts';
import { createResponseCache } from './http/response-cache.ts';
import { createServer } from './http/server.ts';
import { createJobs, type JobOverrides, type Jobs } from './jobs/jobs.ts';
import { createLog } from './log.ts';
import { createSchema, routes } from './nouns.ts';
import type { Examples } from './rest/examples.ts';
import { openApi } from './rest/openapi.ts';
import { restRoutes } from './rest/routes.ts';
import { notFoundPage } from './site/not-found.ts';
import { pages } from './site/site.ts';
import { tzData, useTzData } from './time/tz-data.ts';
import type { WorkerLink } from './workers/link.ts';

/** Parts that tests replace: the clock and the edges of the process, never the code of the service itself. */
export interface Overrides {
  readonly clock?: () => Date;
  readonly log?: Logger;
  /** Returns the fields that tie a log line to its trace. */
  readonly traceFields?: () => object;
  /** The connection to the primary, in a worker. */
  readonly link?: WorkerLink | null;
  readonly database?: DatabaseHooks;
  /** Called with each change that a write recorded, once it is committed. */
  readonly onRecorded?: (change: RecordedChange) => void;
  /** Replaces `limits.graphqlCompileAfter`. */
  readonly compileAfter?: CompileAfter;
  readonly jobs?: JobOverrides;
  /** Replaces the examples of the OpenAPI document. */
  readonly examples?: Examples;
}

export interface App {
  readonly http: FastifyInstance;
  /** The server for metrics, if they have a port of their own; otherwise null. */
  readonly metrics: FastifyInstance | null;
  readonly database: Database;
  /** Not started. They end when the app is closed. */
  readonly jobs: Pick<Jobs, 'start'>;
  /** CSV exports that are under way in this process. */
  readonly countExports: () => number;
  /** Memory that the answers under way hold, in bytes. */
  readonly answerBytes: () => number;
  /** From now on `/readyz` answers 503 and connections are not kept. */
  drain(): void;
  /** From now on another process takes new connections. Resolves when the clients of this one have given up theirs. */
  handOver(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates all parts of the service and connects them; no other place does. It neither listens on a port nor migrates
 * the database, which is left to the caller.
 */
export async function buildApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const log = overrides.log ?? createLog(config, undefined, overrides.traceFields);
  const clock = overrides.clock ?? (() => new Date());
  const { link = null } = overrides;
  let isDraining = false;
  let isHandingOver = false;
  useTzData(config.tz);

  const metricsOn = metricsAt(config.metrics);
  // Imported only if they are configured, because not every deployment has metrics.
  const metrics = metricsOn && (await import('./http/metrics.ts')).createMetrics(config.worker);
  const database = await openDatabase(config.db, {
    ...overrides.database,
    ...(metrics && { onSqlAnswered: metrics.statement }),
  });
  const { prisma } = database;
  // Imported only if there are replicas: the embedded database does not load the client of PostgreSQL.
  const replicas =
    config.db.replicas.length === 0
      ? null
      : (await import('./db/engine/replicas.ts')).openReplicas(config.db, database, {
          ...overrides.database,
          ...(metrics && { onSqlAnswered: metrics.statement }),
          onReplicaChange: ({ replica, isUsed, reason, error }) =>
            isUsed
              ? log.warn({ replica }, 'a replica is used again')
              : log.warn({ replica, reason, err: error }, 'a replica is left out'),
        });
  const passwords = createPasswords(config.auth);
  const signingSecrets = signingSecretsOf(config);
  const tokens = createTokens(signingSecrets, createUnknownKidLog(log));
  const onRedisError = (error: Error) => log.warn({ err: error }, 'redis does not answer');
  const counters = await createCounters(config, { onRedisError, onDegraded: metrics?.redisDegraded });
  const rateLimits = createRateLimits(config.rateLimits, counters);
  const attempts = createAttempts(counters);
  const authenticate = createAuthenticate(database, tokens, clock);
  const audit = createAudit({ prisma, clock, counters });
  const logIn = createLogIn(prisma, passwords, tokens, clock, audit, metrics?.logInFailed);
  const screenPairing = createScreenPairing(prisma, createKeyedDigests(signingSecrets, 'screen codes'), clock);
  const secretBox = createSecretBox(webhookKeysOf(config.webhooks.keys, signingSecrets));
  const signals = await createLiveSignals(config.redis, link, onRedisError);
  const live = createLive({ database, clock, signals, log });
  const scopes = createScopes({
    database,
    replicaReads: replicas && { replicas, onRead: metrics?.replicaRead, onFallback: metrics?.replicaFallback },
    transactionTimeoutMs: config.db.transactionTimeoutMs,
    exports: config.exports,
    clock,
    logIn,
    screenPairing,
    passwords,
    keyedDigests: createKeyedDigests(signingSecrets, 'idempotency keys'),
    secretBox,
    findWebhookUrlFaults: createWebhookUrlCheck({
      httpsOnly: config.env === 'production',
      allow: config.webhooks.allow,
    }),
    attempts,
    audit,
    live,
    onRecorded: overrides.onRecorded,
  });

  const answerMemory = new AnswerMemory(config.answers);
  const http = await createServer(config, log, metrics?.request, answerMemory);
  http.addHook('onSend', async (_request, reply) => {
    if (isDraining || isHandingOver) reply.header('connection', 'close');
  });
  await http.register(answerHeaders);
  await http.register(compression);
  await http.register(cors, { origins: config.http.corsOrigins });
  const refuseWrongVerbs = watchVerbs(http);
  await http.register(failureReplies, { notFoundPage });
  if (database.kind === 'postgresql') await http.register(pressure, config.http);
  const onRateLimitExceeded = metrics?.rateLimitExceeded;
  await http.register(authenticationHook, { config, authenticate, rateLimits, scopes, onRateLimitExceeded });
  const responseCache = createResponseCache(http, config.answers);
  const eventStreams = createEventStreams(http, { config, onEvent: metrics?.streamEvent });
  const csvExports = createCsvExports({ config, kind: database.kind });
  await http.register(openApi, { examples: overrides.examples });
  await http.register(restRoutes, { routes, responseCache, csvExports, eventStreams });
  const { compileAfter = limits.graphqlCompileAfter } = overrides;
  const schema = createSchema();
  await http.register(graphqlRoutes, { schema, compileAfter, responseCache, csvExports, eventStreams });
  const demoLogIns = createDemoLogIns(prisma, passwords);
  await http.register(pages, {
    schema,
    database,
    isDraining: () => isDraining,
    demoLogIns,
    securityContact: config.http.securityContact,
    clock,
  });
  if (metrics) link?.onReport(metrics.text);
  const metricsParts = metrics && {
    metrics: { contentType: metrics.contentType, text: link?.collectMetrics ?? metrics.text },
    token: config.metrics.token,
  };
  if (metricsParts && metricsOn === 'pages') await http.register(metricsPage, metricsParts);
  refuseWrongVerbs();
  await http.ready();
  const metricsServer = metricsParts && metricsOn === 'own port' ? await createMetricsServer(log, metricsParts) : null;
  metrics?.watch({
    connections: database.connections,
    hashesWaiting: passwords.waiting,
    streamsOpen: eventStreams.countOpen,
    exportsRunning: csvExports.countRunning,
    tzData,
    answerBytes: () => answerMemory.bytes,
    webhooks: () => readWebhookBacklog(prisma, clock()),
    ...(replicas && { replicasUsed: replicas.countUsed }),
  });

  const jobs = createJobs(
    config,
    { database, log: http.log, secretBox, clock, onAttempt: metrics?.webhookAttempted },
    overrides.jobs,
  );

  return {
    http,
    metrics: metricsServer,
    database,
    jobs,
    countExports: csvExports.countRunning,
    answerBytes: () => answerMemory.bytes,
    drain: () => {
      isDraining = true;
    },
    handOver: () => {
      isHandingOver = true;
      // Node's HTTP server would close idle connections at once, also one whose next request is on its way.
      return new Promise((resolve) => Server.prototype.close.call(http.server, () => resolve()));
    },
    close: async () => {
      isDraining = true;
      await Promise.all([http.close(), jobs.stop(config.http.shutdownTimeoutMs / 2)]);
      live.close();
      signals.close();
      await metricsServer?.close();
      await audit.settled();
      await counters.close();
      await replicas?.close();
      await database.close();
    },
  };
}
