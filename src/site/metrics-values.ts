import { Gauge, type Registry } from 'prom-client';
import { limits } from '../config/limits.ts';
import type { Connections } from '../db/engine/database.ts';
import type { SchemaState } from '../db/migrations/migrations.ts';
import type { OperatingFigures } from '../db/operating-figures.ts';
import type { MailBacklog } from '../db/mails-due.ts';
import type { WebhookBacklog } from '../db/webhook-delivery.ts';
import { parts } from '../health.ts';
import type { TzData } from '../time/tz-data.ts';
import { within } from '../within.ts';

/** Values that are read when the metrics are requested. */
export interface Watched {
  readonly connections: (() => Connections) | null;
  readonly hashesWaiting: () => number;
  readonly exportsRunning: () => number;
  readonly streamsOpen: () => number;
  readonly inFlight: () => number;
  readonly tzData: () => TzData;
  readonly answerBytes: () => number;
  readonly webhooks: () => Promise<WebhookBacklog>;
  readonly mails: () => Promise<MailBacklog>;
  readonly replicasUsed: () => number;
  readonly readiness: () => Promise<{ readonly reason: string; readonly schema: SchemaState | null }>;
  readonly missingParts: () => readonly { readonly part: string }[];
  readonly figures: () => Promise<OperatingFigures>;
}

/** Value of a gauge: a number, or one for each combination of labels. Null: nothing. */
type Shown = number | null | readonly (readonly [labels: Record<string, string>, value: number])[];

/** The name of a gauge behind `callboard_`, what it is, and what it shows of a value. */
type Shape<T> = readonly [name: string, help: string, show: (value: T) => Shown, labels?: readonly string[]];

const asItIs = (value: number): number => value;

/** Gauges by what they are read from. Values of the database are the same in each process, and missing while it cannot be asked. */
const shapes: { readonly [K in keyof Watched]: readonly Shape<Awaited<ReturnType<NonNullable<Watched[K]>>>>[] } = {
  connections: [
    ['db_connections_open', 'Connections to PostgreSQL.', ({ open }) => open],
    ['db_connections_idle', 'Connections to PostgreSQL without work.', ({ idle }) => idle],
    ['db_connections_waiting', 'Statements that wait for a connection to PostgreSQL.', ({ waiting }) => waiting],
  ],
  hashesWaiting: [['password_hashes_waiting', 'Password hashes that wait for their turn.', asItIs]],
  exportsRunning: [['exports_running', 'CSV exports under way.', asItIs]],
  streamsOpen: [['streams_open', 'Open streams of live updates.', asItIs]],
  inFlight: [['http_requests_in_flight', 'Requests under way, open streams included.', asItIs]],
  tzData: [
    [
      'tz_data_info',
      'Version and source of the time zone data in force; always 1.',
      ({ version, source }) => [[{ version, source }, 1]],
      ['version', 'source'],
    ],
  ],
  answerBytes: [['answers_bytes', 'Memory that large answers under way hold.', asItIs]],
  webhooks: [
    ['webhook_messages_pending', 'Webhook messages of enabled endpoints that wait.', ({ pending }) => pending],
    ['webhook_late_seconds', 'For how long the webhook message that waits longest has been due.', ({ lateS }) => lateS],
    ['webhook_endpoints_enabled', 'Webhook endpoints that are enabled.', ({ enabled }) => enabled],
    ['webhook_endpoints_disabled', 'Webhook endpoints that the service has disabled.', ({ disabled }) => disabled],
  ],
  mails: [
    ['mails_pending', 'Mails that wait.', ({ pending }) => pending],
    ['mail_late_seconds', 'For how long the mail that waits longest has been due.', ({ lateS }) => lateS],
  ],
  replicasUsed: [['replicas_used', 'Replicas that are not left out.', asItIs]],
  readiness: [
    [
      'ready',
      'Whether this process can serve, with the reason that /readyz gives.',
      ({ reason }) => [[{ reason }, reason === 'ready' ? 1 : 0]],
      ['reason'],
    ],
    [
      'schema_migrations',
      'Migrations that the database lacks (pending), or that this version does not know (unknown).',
      ({ schema }) =>
        schema && (['pending', 'unknown'] as const).map((state) => [{ state }, schema[state].length] as const),
      ['state'],
    ],
  ],
  missingParts: [
    [
      'degraded',
      'Whether the service goes on without this part; /readyz says what follows.',
      (missing) => parts.map((part) => [{ part }, missing.some((each) => each.part === part) ? 1 : 0] as const),
      ['part'],
    ],
  ],
  figures: [
    ['backup_age_seconds', 'Time since the last backup that was restored on trial.', ({ backupAgeS }) => backupAgeS],
    ['change_log_bytes', 'Size of the change log, with its indexes.', ({ changeLogBytes }) => changeLogBytes],
    ['database_bytes', 'Size of the database.', ({ databaseBytes }) => databaseBytes],
  ],
};

/** Shows these values among the metrics of a registry. */
export function watchValues(registry: Registry, watched: Partial<Watched>): void {
  for (const [name, read] of Object.entries(watched)) {
    if (!read) continue;
    const latest = readSparingly<unknown>(read);
    for (const shape of shapes[name as keyof Watched])
      registry.registerMetric(gaugeOf(shape as Shape<unknown>, latest));
  }
}

const gaugeOf = ([name, help, show, labelNames = []]: Shape<unknown>, read: () => Promise<unknown>) =>
  new Gauge({
    name: `callboard_${name}`,
    help,
    labelNames: [...labelNames],
    registers: [],
    async collect() {
      const value = await read();
      const shown = value === null ? null : show(value);
      if (typeof shown === 'number') return this.set(shown);
      this.reset();
      if (labelNames.length === 0) this.remove();
      for (const [labels, number] of shown ?? []) this.set(labels, number);
    },
  });

/**
 * Reads once for all who ask at the same time. What took long to read is used for a hundred times as long, so that it costs the
 * database little however often the metrics are read; null if it cannot be read in time.
 */
function readSparingly<T>(read: () => T | Promise<T>): () => Promise<T | null> {
  let reading: Promise<T | null> | null = null;
  const readOnce = async () => {
    const startedAt = performance.now();
    const value = await (async () => read())().catch(() => null);
    const tookMs = performance.now() - startedAt;
    if (tookMs > limits.slowFigureMs) setTimeout(() => (reading = null), 100 * tookMs).unref();
    else reading = null;
    return value;
  };
  return () => within(limits.shortWaitMs, (reading ??= readOnce())).catch(() => null);
}
