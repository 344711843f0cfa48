import { rateLimitByPlan } from './limits.ts';
import {
  addressList,
  bearerToken,
  file,
  flag,
  choice,
  optional,
  originList,
  signingSecrets,
  freeText,
  url,
  whole,
  type Setting,
} from './setting-types.ts';

/** Every setting. The table of src/guide/operators.md is printed from it. */
export const settings = {
  HOST: { ...freeText, default: '127.0.0.1', meaning: 'Address to listen on.' },
  PORT: { ...whole(0, 65_535), default: '4000', meaning: 'Port to listen on; 0 takes a free one.' },
  NODE_ENV: {
    ...choice('development', 'production', 'test'),
    default: 'development',
    meaning: 'In production, credentials over plain http are refused unless they come from loopback.',
  },
  DATABASE_URL: {
    ...url('postgresql', 'postgres'),
    default: '',
    meaning: 'PostgreSQL (14 or newer) to use. Empty: the embedded database in `DATA_DIR`.',
  },
  DATA_DIR: {
    ...freeText,
    default: '.callboard',
    meaning: 'Folder of the embedded database and of its signing secret. One process at a time.',
  },
  DEMO: {
    ...flag,
    default: 'true',
    meaning: 'Fill an empty embedded database with two demo businesses at the first start.',
  },
  REDIS_URL: {
    ...url('redis', 'rediss'),
    default: '',
    meaning:
      'Redis that several processes share their request budgets through. Empty: budgets are counted in this process.',
  },
  JWT_SECRETS: {
    ...signingSecrets,
    default: '',
    meaning:
      'Secrets of personal access tokens: the first signs, all verify. At least 32 bytes each. Required with `DATABASE_URL`; with the embedded database one is made and kept in `DATA_DIR`.',
  },
  TRUST_PROXY: {
    ...addressList,
    default: '',
    meaning: 'Proxies whose `X-Forwarded-*` headers are believed.',
  },
  CORS_ORIGINS: {
    ...originList,
    default: '',
    meaning: 'Origins whose pages may call from a browser. Empty: none but our own.',
  },
  TLS_CERT: { ...file, default: '', meaning: 'Certificate chain (PEM) to serve https with; needs `TLS_KEY`.' },
  TLS_KEY: { ...file, default: '', meaning: 'Private key (PEM) of `TLS_CERT`.' },
  LOG_LEVEL: {
    ...choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    meaning: 'Least severe log line to write.',
  },
  LOG_FORMAT: {
    ...choice('auto', 'json', 'pretty'),
    default: 'auto',
    meaning: 'Log lines as JSON or for reading; auto: pretty on a terminal, JSON elsewhere.',
  },
  METRICS_PORT: {
    ...optional(whole(0, 65_535)),
    default: '',
    meaning: 'Port of its own for Prometheus to read `/metrics` at, on the same address.',
  },
  METRICS_TOKEN: {
    ...bearerToken,
    default: '',
    meaning:
      'Bearer token that `/metrics` asks for. Without `METRICS_PORT`, it is served on the port of the API. Without both, not at all.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    ...url('http', 'https'),
    default: '',
    meaning:
      "OpenTelemetry collector (OTLP over HTTP) to send traces to. Empty: no traces, and nothing of it is loaded. OpenTelemetry's own variables, such as `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_TRACES_SAMPLER`, hold beside it.",
  },
  OTEL_SERVICE_NAME: { ...freeText, default: 'callboard', meaning: 'What traces call this service.' },
  CALLBOARD_ANONYMOUS_PER_MINUTE: {
    ...whole(1, 1_000_000),
    default: '120',
    unit: 'requests',
    meaning: 'Budget of calls without a valid credential, a minute and IP address.',
  },
  CALLBOARD_ENTERPRISE_PER_MINUTE: {
    ...whole(1, 1_000_000_000),
    default: String(rateLimitByPlan.enterprise),
    unit: 'requests',
    meaning: 'Requests a minute of a business on the `enterprise` plan; the default is the documented budget.',
  },
  CALLBOARD_BODY_LIMIT: {
    ...whole(1024, 10_485_760),
    default: '262144',
    unit: 'bytes',
    meaning: 'Largest request body.',
  },
  CALLBOARD_HEADERS_TIMEOUT: {
    ...whole(100, 600_000),
    default: '8000',
    unit: 'ms',
    meaning: 'Time a client has to send its request headers.',
  },
  CALLBOARD_REQUEST_TIMEOUT: {
    ...whole(100, 600_000),
    default: '12000',
    unit: 'ms',
    meaning: 'Time a client has to send its whole request.',
  },
  CALLBOARD_ANSWER_TIMEOUT: {
    ...whole(100, 3_600_000),
    default: '120000',
    unit: 'ms',
    meaning:
      'Time from the arrival of a request until its answer is taken, `CALLBOARD_EXPORT_TIMEOUT` at the least; then the connection is cut.',
  },
  CALLBOARD_STALL_TIMEOUT: {
    ...whole(100, 600_000),
    default: '30000',
    unit: 'ms',
    meaning: 'Longest silence of a connection with a request on it, such as of a client that reads no further.',
  },
  CALLBOARD_KEEP_ALIVE_TIMEOUT: {
    ...whole(100, 600_000),
    default: '65000',
    unit: 'ms',
    meaning: 'How long a connection without a request is kept; longer than a proxy in front keeps it.',
  },
  CALLBOARD_CONNECTIONS: {
    ...whole(1, 1_000_000),
    default: '5000',
    unit: 'connections',
    meaning: 'Client connections at a time, a process; what comes on top is closed.',
  },
  CALLBOARD_SHUTDOWN_TIMEOUT: {
    ...whole(100, 600_000),
    default: '14000',
    unit: 'ms',
    meaning: 'Time that running requests get after SIGTERM.',
  },
  CALLBOARD_DRAIN_DELAY: {
    ...whole(0, 60_000),
    default: '500',
    unit: 'ms',
    meaning:
      'Time after SIGTERM in which `/readyz` answers 503 and requests are still taken, for a balancer to notice; part of `CALLBOARD_SHUTDOWN_TIMEOUT`. None with the embedded database.',
  },
  CALLBOARD_BLOCKED: {
    ...whole(100, 600_000),
    default: '1000',
    unit: 'ms',
    meaning:
      'Where the process was too busy for this long to take up anything, what came meanwhile is answered 503. Not with the embedded database, which works in this process.',
  },
  CALLBOARD_DB_POOL: {
    ...whole(1, 1000),
    default: '10',
    unit: 'connections',
    meaning: 'Connections to PostgreSQL, a process.',
  },
  CALLBOARD_DB_PREPARE: {
    ...flag,
    default: 'true',
    meaning:
      'Whether reads that come again are prepared on each connection. Not behind a pooler that gives each transaction another connection and keeps no prepared statements.',
  },
  CALLBOARD_DB_CONNECT_TIMEOUT: {
    ...whole(100, 600_000),
    default: '1500',
    unit: 'ms',
    meaning: 'Longest wait for a connection to PostgreSQL, pool included.',
  },
  CALLBOARD_DB_STATEMENT_TIMEOUT: {
    ...whole(100, 600_000),
    default: '5000',
    unit: 'ms',
    meaning: 'Longest run of one SQL statement, ended by PostgreSQL.',
  },
  CALLBOARD_DB_QUERY_TIMEOUT: {
    ...whole(100, 600_000),
    default: '6000',
    unit: 'ms',
    meaning:
      'Longest silence of PostgreSQL while its answer is awaited (as of a frozen server): the connection is given up.',
  },
  CALLBOARD_DB_TRANSACTION_TIMEOUT: {
    ...whole(100, 600_000),
    default: '5000',
    unit: 'ms',
    meaning: 'Longest transaction.',
  },
  CALLBOARD_EXPORTS: {
    ...whole(1, 1000),
    default: '3',
    unit: 'exports',
    meaning:
      'CSV exports at a time, a process, and never so many that they take every connection; what comes on top is answered 503.',
  },
  CALLBOARD_EXPORT_TIMEOUT: {
    ...whole(100, 3_600_000),
    default: '120000',
    unit: 'ms',
    meaning: 'Longest CSV export, the time that its client takes to read it included.',
  },
  CALLBOARD_ANSWER_CACHE: {
    ...whole(0, 4096),
    default: '8',
    unit: 'MiB',
    meaning:
      'Memory for finished answers, which are given again while nothing of their business has changed; an eighth of it for one answer at the most. 0 keeps none.',
  },
  CALLBOARD_REDIS_TIMEOUT: {
    ...whole(10, 10_000),
    default: '100',
    unit: 'ms',
    meaning: 'Longest wait for Redis before this process counts for itself.',
  },
  CALLBOARD_AUDIT_DAYS: {
    ...whole(1, 36_500),
    default: '400',
    unit: 'days',
    meaning: 'How long entries of the audit trail are kept.',
  },
  CALLBOARD_HASH_CONCURRENCY: {
    ...whole(1, 64),
    default: '2',
    unit: 'hashes',
    meaning: 'Password hashes at a time.',
  },
  CALLBOARD_HASH_QUEUE: {
    ...whole(0, 10_000),
    default: '20',
    unit: 'hashes',
    meaning: 'Password hashes that may wait; what comes on top is answered 503.',
  },
} as const satisfies Record<string, Setting>;
