import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Connections } from '../db/engine/database.ts';
import type { FallbackReason } from '../db/engine/fallback.ts';
import type { WebhookBacklog } from '../db/webhook-delivery.ts';
import type { TzData } from '../time/tz-data.ts';
import type { FinishedRequest } from './request-log.ts';

/** Values that are read when the metrics are requested. */
export interface Watched {
  readonly connections: (() => Connections) | null;
  readonly hashesWaiting: () => number;
  readonly exportsRunning: () => number;
  readonly streamsOpen: () => number;
  readonly tzData: () => TzData;
  readonly answerBytes: () => number;
  readonly webhooks: () => Promise<WebhookBacklog>;
  readonly replicasUsed: () => number;
}

/** Events that are counted as they happen. Every label value comes from code, none from a client. */
export interface Metrics {
  request(finished: FinishedRequest): void;
  statement(durationMs: number): void;
  replicaRead(source: 'primary' | 'replica'): void;
  replicaFallback(reason: FallbackReason): void;
  streamEvent(): void;
  redisDegraded(): void;
  rateLimitExceeded(payer: 'business' | 'address'): void;
  logInFailed(): void;
  webhookAttempted(outcome: 'delivered' | 'failed' | 'refused', durationMs: number): void;
  /** Shows these values. A process that does not serve has only some of them. */
  watch(watched: Partial<Watched>): void;
  readonly contentType: string;
  /** The metrics in the Prometheus text format. */
  text(): Promise<string>;
}

const requestBucketsS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const attemptBucketsS = [0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const streamBucketsS = [1, 10, 60, 600, 3600, 21_600, 86_400];
const statementBucketsS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Uses a registry of its own, so that each app in a process has separate numbers. Those of a worker are labelled with its number. */
export function createMetrics(worker: number | null = null): Metrics {
  const registry = new Registry();
  if (worker !== null) registry.setDefaultLabels({ worker: String(worker) });
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: 'callboard_http_request_duration_seconds',
    help: 'Requests by method, route pattern and class of status, and how long they took.',
    labelNames: ['method', 'route', 'status'],
    buckets: requestBucketsS,
    registers,
  });
  const operations = new Counter({
    name: 'callboard_graphql_operations_total',
    help: 'GraphQL requests by type of operation; none: it could not be read.',
    labelNames: ['type'],
    registers,
  });
  const rootFields = new Counter({
    name: 'callboard_graphql_root_fields_total',
    help: 'GraphQL requests by the root fields in them.',
    labelNames: ['type', 'field'],
    registers,
  });
  const statements = new Histogram({
    name: 'callboard_sql_statement_duration_seconds',
    help: 'SQL statements, and how long each took, waiting for a connection included.',
    buckets: statementBucketsS,
    registers,
  });
  const replicaReads = new Counter({
    name: 'callboard_replica_reads_total',
    help: 'Reads that a replica may answer, by where they were answered.',
    labelNames: ['source'],
    registers,
  });
  const replicaFallbacks = new Counter({
    name: 'callboard_replica_fallbacks_total',
    help: 'Reads that the primary answered after a replica was tried, by the reason.',
    labelNames: ['reason'],
    registers,
  });
  const webhookAttempts = new Histogram({
    name: 'callboard_webhook_attempt_duration_seconds',
    help: 'Attempts to deliver webhook messages by outcome, and how long they took.',
    labelNames: ['outcome'],
    buckets: attemptBucketsS,
    registers,
  });
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  const redis = counter('callboard_redis_degradations_total', 'Counts that were made without Redis.');
  const streamEvents = counter('callboard_stream_events_total', 'Events sent on streams of live updates.');
  const streams = new Histogram({
    name: 'callboard_stream_duration_seconds',
    help: 'Streams of live updates by route pattern, and how long they were open.',
    labelNames: ['route'],
    buckets: streamBucketsS,
    registers,
  });
  const logIns = counter('callboard_login_failures_total', 'Log-ins with a wrong e-mail or password.');
  const rateLimitRefusals = new Counter({
    name: 'callboard_budget_refusals_total',
    help: 'Requests refused by the rate limit, by whose limit it was.',
    labelNames: ['payer'],
    registers,
  });

  return {
    request: ({ request, status, outcome, durationMs }) => {
      const { record, routeOptions } = request;
      const { entry = 'nothing' } = routeOptions.config;
      // How long a stream is open says nothing of how long requests take.
      if (record.stream) streams.observe({ route: routeOptions.url ?? 'none' }, durationMs / 1000);
      else
        requests.observe(
          {
            method: methodOf(request.method),
            route: entry === 'nothing' ? 'none' : (routeOptions.url ?? 'none'),
            status: outcome === 'aborted' ? outcome : `${Math.floor(status / 100)}xx`,
          },
          durationMs / 1000,
        );
      if (entry !== 'graphql') return;
      const { type, fields } = record.graphql ?? { type: 'none', fields: ['none'] };
      operations.inc({ type });
      for (const field of fields) rootFields.inc({ type, field });
    },
    statement: (durationMs) => statements.observe(durationMs / 1000),
    replicaRead: (source) => replicaReads.inc({ source }),
    replicaFallback: (reason) => replicaFallbacks.inc({ reason }),
    streamEvent: () => streamEvents.inc(),
    redisDegraded: () => redis.inc(),
    rateLimitExceeded: (payer) => rateLimitRefusals.inc({ payer }),
    logInFailed: () => logIns.inc(),
    webhookAttempted: (outcome, durationMs) => webhookAttempts.observe({ outcome }, durationMs / 1000),
    watch: (watched) => {
      const { connections, hashesWaiting, exportsRunning, streamsOpen, tzData, answerBytes, webhooks, replicasUsed } =
        watched;
      const show = (name: string, help: string, read: (() => number) | undefined) =>
        read && gauge(registry, name, help, read);
      if (connections) watchConnections(registry, connections);
      show('callboard_password_hashes_waiting', 'Password hashes that wait for their turn.', hashesWaiting);
      show('callboard_exports_running', 'CSV exports under way.', exportsRunning);
      show('callboard_streams_open', 'Open streams of live updates.', streamsOpen);
      if (tzData) watchTzData(registry, tzData);
      show('callboard_answers_bytes', 'Memory that large answers under way hold.', answerBytes);
      show('callboard_replicas_used', 'Replicas that are not left out.', replicasUsed);
      if (webhooks) watchWebhooks(registry, webhooks);
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const methodOf = (method: string): string => (methods.has(method) ? method : 'other');

const gauge = (registry: Registry, name: string, help: string, read: () => number) =>
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });

const watchTzData = (registry: Registry, read: () => TzData) =>
  new Gauge({
    name: 'callboard_tz_data_info',
    help: 'Version and source of the time zone data in force; always 1.',
    labelNames: ['version', 'source'],
    registers: [registry],
    collect() {
      const { version, source } = read();
      this.reset();
      this.set({ version, source }, 1);
    },
  });

function watchConnections(registry: Registry, read: () => Connections): void {
  const states: Record<keyof Connections, string> = {
    open: 'Connections to PostgreSQL.',
    idle: 'Connections to PostgreSQL without work.',
    waiting: 'Statements that wait for a connection to PostgreSQL.',
  };
  for (const [state, help] of Object.entries(states))
    gauge(registry, `callboard_db_connections_${state}`, help, () => read()[state as keyof Connections]);
}

/** Values of the database, the same in each process. They are missing while it cannot be asked. */
function watchWebhooks(registry: Registry, read: () => Promise<WebhookBacklog>): void {
  const shown: Record<keyof WebhookBacklog, readonly [name: string, help: string]> = {
    pending: ['messages_pending', 'Webhook messages of enabled endpoints that are not delivered yet.'],
    lateS: ['late_seconds', 'For how long the webhook message that waits longest has been due.'],
    enabled: ['endpoints_enabled', 'Webhook endpoints that are enabled.'],
    disabled: ['endpoints_disabled', 'Webhook endpoints that the service has disabled.'],
  };
  // One statement for all of them. They are collected together.
  let reading: Promise<WebhookBacklog | null> | null = null;
  const gauges = Object.entries(shown).map(([value, [name, help]]) => {
    const collect = async function (this: Gauge) {
      reading ??= read()
        .catch(() => null)
        .finally(() => (reading = null));
      const backlog = await reading;
      if (backlog) this.set(backlog[value as keyof WebhookBacklog]);
      else this.remove();
    };
    return new Gauge({ name: `callboard_webhook_${name}`, help, registers: [], collect });
  });
  for (const each of gauges) registry.registerMetric(each);
}
