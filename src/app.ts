import { Server } from 'node:net';
import { setImmediate as nextTurnOfLoop, setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createAttempts } from './access/attempts.ts';
import { createAudit } from './access/audit.ts';
import { createAuthenticate } from './access/authenticate.ts';
import type { RecordedChange } from './access/change.ts';
import { createCounters } from './access/counters.ts';
import { createDemoLogIns } from './access/demo.ts';
import { createInvitationClaim } from './access/invitations.ts';
import { createKeyedDigests } from './access/keyed-digests.ts';
import { createLive, createLiveSignals } from './access/live.ts';
import { createLogIn } from './access/log-in.ts';
import { createMailLinks } from './access/mail-links.ts';
import { createMailSecrets } from './access/mail-secrets.ts';
import { createPasswords } from './access/passwords.ts';
import { createRateLimits } from './access/rate-limits.ts';
import { createScopes } from './access/scopes.ts';
import { createScreenPairing } from './access/screen-pairing.ts';
import { createSecretBox, webhookKeysOf } from './access/secret-box.ts';
import { createSessions } from './access/sessions.ts';
import { createTokens, createUnknownKidLog, signingSecretsOf } from './access/tokens.ts';
import { createTurns } from './access/turns.ts';
import { createWebhookUrlCheck } from './access/webhook-urls.ts';
import type { Config } from './config/config.ts';
import { limits } from './config/limits.ts';
import type { Database, DatabaseHooks } from './db/engine/database.ts';
import { openDatabase } from './db/engine/open-database.ts';
import { readMailBacklog } from './db/mails-due.ts';
import { readOperatingFigures } from './db/operating-figures.ts';
import { readWebhookBacklog } from './db/webhook-delivery.ts';
import { graphqlRoutes } from './graphql/server.ts';
import { createHealth, type Health } from './health.ts';
import { answerHeaders } from './http/answer-headers.ts';
import { AnswerMemory } from './http/answer-memory.ts';
import { authenticationHook } from './http/authentication.ts';
import { compression } from './http/compression.ts';
import { pressure } from './http/connections.ts';
import { cors } from './http/cors.ts';
import { createEventStreams } from './http/event-streams.ts';
import { createCsvExports } from './http/exports.ts';
import { createMetricsServer, metricsAt, metricsPage } from './site/metrics-page.ts';
import { failureReplies, watchVerbs } from './http/replies.ts';
import { createResponseCache } from './http/response-cache.ts';
import { createServer } from './http/server.ts';
import { createJobs, type JobOverrides, type Jobs } from './jobs/jobs.ts';
import { createLog } from './log.ts';
import { createSchema, routes } from './nouns.ts';
import type { Examples } from './rest/examples.ts';
import { openApi } from './rest/openapi.ts';
import { restRoutes } from './rest/route.ts';
import { settlePlaces } from './services/settlement.ts';
import { notFoundPage } from './site/not-found.ts';
import { createReadiness, type Readiness } from './site/readiness.ts';
import { pages } from './site/site.ts';
import { tzData } from './time/tz-data.ts';

/** Parts that tests replace: the clock and the edges of the process, never the code of the service itself. */
export interface Overrides {
  readonly clock?: () => Date;
  readonly log?: Logger;
  readonly database?: DatabaseHooks;
  /** Called with each change that a write recorded, once it is committed. */
  readonly onRecorded?: (change: RecordedChange) => void;
  /** How often a kept GraphQL query is interpreted before it is compiled. Null: none is compiled. */
  readonly compileAfter?: number | null;
  readonly jobs?: JobOverrides;
  /** Replaces the examples of the OpenAPI document. */
  readonly examples?: Examples;
}

export interface App {
  readonly http: FastifyInstance;
  /** The server for metrics, if they have a port of their own; otherwise null. */
  readonly metrics: FastifyInstance | null;
  readonly database: Database;
  readonly health: Health;
  readonly checkReadiness: () => Promise<Readiness>;
  /** Not started. They end when the app is closed. */
  readonly jobs: Pick<Jobs, 'start'>;
  /** CSV exports that are under way in this process. */
  readonly countExports: () => number;
  /** Memory that the answers under way hold, in bytes. */
  readonly answerBytes: () => number;
  /** From now on `/readyz` answers 503 and connections are not kept. */
  drain(): void;
  /** Ends the taking of connections. Resolves when the clients have closed theirs; until then, requests on them are carried out. */
  stopListening(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates all parts of the service and connects them; no other place does. It neither listens on a port nor migrates
 * the database, which is left to the caller.
 */
export async function buildApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const log = overrides.log ?? createLog(config);
  const clock = overrides.clock ?? (() => new Date());
  const health = createHealth(log);
  let isDraining = false;
  let isKeepingConnections = true;

  const metricsOn = metricsAt(config.metrics);
  // Imported only if they are configured, because not every deployment has metrics.
  const metrics = metricsOn && (await import('./site/metrics.ts')).createMetrics();
  const hooks: DatabaseHooks = { ...overrides.database, ...(metrics && { onSqlAnswered: metrics.statement }) };
  const database = await openDatabase(config.db, hooks);
  const { prisma } = database;
  const onReplicaChange = (replica: string, reason?: string, error?: unknown) =>
    reason === undefined
      ? log.warn({ replica }, 'a replica is used again')
      : log.warn({ replica, reason, err: error }, 'a replica is left out');
  // Imported only if there are replicas: the embedded database does not load the client of PostgreSQL.
  const replicas =
    config.db.replicas.length === 0
      ? null
      : await import('./db/engine/replica.ts').then(({ Replica }) =>
          config.db.replicas.map((server) => new Replica(server, config.db, database, hooks, onReplicaChange)),
        );
  const passwords = createPasswords(config.auth);
  const signingSecrets = signingSecretsOf(config);
  const tokens = createTokens(signingSecrets, createUnknownKidLog(log));
  const counters = await createCounters(config, { health, onDegraded: metrics?.redisDegraded });
  const rateLimits = createRateLimits(config.rateLimits, counters);
  const attempts = createAttempts(counters);
  const authenticate = createAuthenticate(database, tokens, clock);
  const audit = createAudit({ prisma, clock, counters });
  const logIn = createLogIn(prisma, passwords, tokens, clock, audit, metrics?.logInFailed);
  const screenPairing = createScreenPairing(prisma, createKeyedDigests(signingSecrets, 'screen codes'), clock);
  const sessions = createSessions(prisma, tokens, createKeyedDigests(signingSecrets, 'sessions'), clock);
  const secretBox = createSecretBox(webhookKeysOf(config.webhooks.keys, signingSecrets));
  const mailSecrets = createMailSecrets(signingSecrets);
  const signals = await createLiveSignals(config.redis, health);
  const live = createLive({ database, clock, signals, log });
  const turns =
    database.kind === 'embedded'
      ? createTurns(1, 1, limits.sessionWaitMs)
      : createTurns(config.db.poolSize, config.db.share, limits.turnWaitMs);
  const scopes = createScopes({
    database,
    replicaReads: replicas && { replicas, onRead: metrics?.replicaRead, onFallback: metrics?.replicaFallback },
    turns,
    transactionTimeoutMs: config.db.transactionTimeoutMs,
    exports: config.exports,
    clock,
    logIn,
    screenPairing,
    sessions,
    mailLinks: createMailLinks({ database, passwords, secrets: mailSecrets, clock, isSending: config.mail !== null }),
    claimInvitation: createInvitationClaim(prisma, passwords, clock),
    passwords,
    keyedDigests: createKeyedDigests(signingSecrets, 'idempotency keys'),
    checkInDigests: createKeyedDigests(signingSecrets, 'check-in codes'),
    secretBox,
    findWebhookUrlFaults: createWebhookUrlCheck({
      httpsOnly: config.env === 'production',
      allow: config.webhooks.allow,
    }),
    attempts,
    audit,
    live,
    settle: settlePlaces,
    onRecorded: overrides.onRecorded,
  });

  const answerMemory = new AnswerMemory(config.answers);
  const http = await createServer(config, log, metrics?.request, answerMemory);
  http.addHook('onSend', async (_request, reply) => {
    if (!isKeepingConnections) reply.header('connection', 'close');
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
  const { compileAfter = 1 } = overrides;
  const schema = createSchema();
  await http.register(graphqlRoutes, { schema, compileAfter, responseCache, csvExports, eventStreams });
  const checkReadiness = createReadiness({ database, isDraining: () => isDraining, log });
  const demoLogIns =
    config.env === 'production'
      ? () => Promise.resolve({ password: null, logIns: [] })
      : createDemoLogIns(prisma, passwords);
  await http.register(pages, {
    schema,
    checkReadiness,
    health,
    demoLogIns,
    isSendingMail: config.mail !== null,
    securityContact: config.http.securityContact,
    clock,
  });
  const metricsParts = metrics && { metrics, token: config.metrics.token };
  if (metricsParts && metricsOn === 'pages') await http.register(metricsPage, metricsParts);
  refuseWrongVerbs();
  await http.ready();
  const metricsServer = metricsParts && metricsOn === 'own port' ? await createMetricsServer(log, metricsParts) : null;
  metrics?.watchServer(http.server);
  metrics?.watch({
    connections: addWaiting(database.connections, turns.waiting),
    hashesWaiting: passwords.waiting,
    streamsOpen: eventStreams.countOpen,
    exportsRunning: csvExports.countRunning,
    tzData,
    answerBytes: () => answerMemory.bytes,
    webhooks: () => readWebhookBacklog(prisma, clock()),
    mails: () => readMailBacklog(prisma, clock()),
    figures: () => readOperatingFigures(prisma, clock()),
    inFlight: http.countInFlight,
    readiness: checkReadiness,
    missingParts: health.missing,
    ...(replicas && { replicasUsed: () => replicas.filter(({ isUsed }) => isUsed).length }),
  });

  const jobs = createJobs(
    config,
    {
      ...{ database, log: http.log, secretBox, health, clock, mailSecrets },
      onAttempt: metrics?.webhookAttempted,
      onMailEnded: metrics?.mailEnded,
    },
    overrides.jobs,
  );

  return {
    http,
    metrics: metricsServer,
    database,
    health,
    checkReadiness,
    jobs,
    countExports: csvExports.countRunning,
    answerBytes: () => answerMemory.bytes,
    drain: () => {
      isDraining = true;
      isKeepingConnections = false;
    },
    stopListening: async () => {
      // The system resets connections that this process has not taken by then. Clients that keep theirs open no new ones.
      isKeepingConnections = true;
      await untilNoneIsOpened(http.server);
      await untilIdle();
      // Node's HTTP server would close idle connections at once, also one whose next request is on its way.
      const closed = new Promise<void>((resolve) => Server.prototype.close.call(http.server, () => resolve()));
      isKeepingConnections = false;
      await closed;
    },
    close: async () => {
      isDraining = true;
      isKeepingConnections = false;
      // Requests that have arrived are read before the connections without one are closed.
      await untilIdle();
      http.server.closeIdleConnections();
      await Promise.all([http.close(), jobs.stop(config.http.shutdownTimeoutMs / 2)]);
      live.close();
      signals.close();
      await metricsServer?.close();
      await audit.settled();
      await counters.close();
      await Promise.all((replicas ?? []).map((replica) => replica.close()));
      await database.close();
    },
  };
}

/** Resolves once no connection was opened for `connectionsSettleMs`, or after `connectionsSettleMaxMs`. */
async function untilNoneIsOpened(server: Server): Promise<void> {
  const until = performance.now() + limits.shortWaitMs;
  let isSettled = false;
  while (!isSettled && performance.now() < until) {
    isSettled = true;
    const note = () => (isSettled = false);
    server.on('connection', note);
    await wait(limits.settleMs);
    server.off('connection', note);
  }
}

/** Resolves right after a turn of the event loop that took hardly any time, so that no connection waits to be taken. */
async function untilIdle(): Promise<void> {
  const until = performance.now() + limits.shortWaitMs;
  for (let startedAt = performance.now(); startedAt < until; startedAt = performance.now()) {
    await nextTurnOfLoop();
    if (performance.now() - startedAt < 1) return;
  }
}

/** Operations that wait for their turn wait for a connection, too. */
function addWaiting(read: Database['connections'], countWaiting: () => number): Database['connections'] {
  return (
    read &&
    (() => {
      const connections = read();
      return { ...connections, waiting: connections.waiting + countWaiting() };
    })
  );
}
