import type { Server } from 'node:net';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Payer } from '../access/rate-limits.ts';
import type { FallbackReason } from '../db/engine/fallback.ts';
import type { Bound } from '../errors.ts';
import { version } from '../version.ts';
import { watchValues, type Watched } from './metrics-values.ts';
import type { FinishedRequest } from '../http/request-log.ts';

/** Events that are counted as they happen. Every label value comes from code, none from a client. */
export interface Metrics {
  request(finished: FinishedRequest): void;
  statement(durationMs: number): void;
  replicaRead(source: 'primary' | 'replica'): void;
  replicaFallback(reason: FallbackReason): void;
  streamEvent(): void;
  redisDegraded(): void;
  rateLimitExceeded(payer: Payer): void;
  logInFailed(): void;
  webhookAttempted(outcome: 'delivered' | 'failed' | 'refused', durationMs: number): void;
  mailEnded(outcome: 'sent' | 'failed' | 'dropped'): void;
  /** Counts what a server refuses before there is a request. */
  watchServer(server: Server): void;
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

/** Uses a registry of its own, so that each app in a process has separate numbers. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // Gauges with the names of counters, which repeat nodejs_active_handles, nodejs_active_requests and nodejs_active_resources.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`);
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `callboard_${name}`, help, labelNames, registers });
  const seconds = (name: string, help: string, buckets: number[], labelNames: string[] = []) =>
    new Histogram({ name: `callboard_${name}_seconds`, help, labelNames, buckets, registers });

  const build = 'Version of the service and of Node.js; always 1.';
  new Gauge({ name: 'callboard_build_info', help: build, labelNames: ['version', 'node'], registers }).set(
    { version, node: process.version },
    1,
  );
  const requests = seconds(
    'http_request_duration',
    'Requests by method, route pattern and class of status, and how long they took.',
    requestBucketsS,
    ['method', 'route', 'status'],
  );
  const operations = counter(
    'graphql_operations_total',
    'GraphQL requests by type of operation; none: it could not be read.',
    ['type'],
  );
  const rootFields = counter('graphql_root_fields_total', 'GraphQL requests by the root fields in them.', [
    'type',
    'field',
  ]);
  const statements = seconds(
    'sql_statement_duration',
    'SQL statements, and how long each took, waiting for a connection included.',
    statementBucketsS,
  );
  const replicaReads = counter('replica_reads_total', 'Reads that a replica may answer, by where they were answered.', [
    'source',
  ]);
  const replicaFallbacks = counter(
    'replica_fallbacks_total',
    'Reads that the primary answered after a replica was tried, by the reason.',
    ['reason'],
  );
  const webhookAttempts = seconds(
    'webhook_attempt_duration',
    'Attempts to deliver webhook messages by outcome, and how long they took.',
    attemptBucketsS,
    ['outcome'],
  );
  const mails = counter(
    'mails_total',
    'Mails that were sent, refused for good (failed), or had nothing to tell any more (dropped).',
    ['outcome'],
  );
  const redis = counter('redis_degradations_total', 'Counts that were made without Redis.');
  const streamEvents = counter('stream_events_total', 'Events sent on streams of live updates.');
  const streams = seconds(
    'stream_duration',
    'Streams of live updates by route pattern, and how long they were open.',
    streamBucketsS,
    ['route'],
  );
  const logIns = counter('login_failures_total', 'Log-ins with a wrong e-mail or password.');
  const rateLimited =
    'Requests refused by the rate limit, by whose limit it was: a business, a person on the pages, or an address.';
  const rateLimitRefusals = counter('budget_refusals_total', rateLimited, ['payer']);
  const refusals = counter('refusals_total', 'Requests, and connections, that were refused by a bound.', ['bound']);

  return {
    request: ({ request, status, outcome, durationMs }) => {
      const { record, routeOptions } = request;
      const { entry = 'nothing' } = routeOptions.config;
      const bound = record.bound ?? record.answer.refusal?.bound ?? boundByCode[record.code ?? ''];
      if (bound) refusals.inc({ bound });
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
    mailEnded: (outcome) => mails.inc({ outcome }),
    watchServer: (server) => {
      server.on('drop', () => refusals.inc({ bound: 'connections' }));
      server.on('clientError', ({ code = '' }: NodeJS.ErrnoException) => {
        const bound = boundByCode[code];
        if (bound) refusals.inc({ bound });
      });
    },
    watch: (watched) => watchValues(registry, watched),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

/** Bounds that have a code of their own: of a failure, of GraphQL or of Node's HTTP parser. */
const boundByCode: Readonly<Record<string, Bound | undefined>> = {
  RATE_LIMITED: 'rate_limit',
  PAYLOAD_TOO_LARGE: 'body',
  HEADERS_TOO_LARGE: 'headers',
  HPE_HEADER_OVERFLOW: 'headers',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_time',
  GRAPHQL_LIMIT_EXCEEDED: 'query',
};

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const methodOf = (method: string): string => (methods.has(method) ? method : 'other');
