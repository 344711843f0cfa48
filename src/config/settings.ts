import { limits, rateLimitByPlan } from './limits.ts';
import {
  addressList,
  bearerToken,
  file,
  flag,
  choice,
  contact,
  emailAddress,
  optional,
  originList,
  signingSecrets,
  siteUrl,
  freeText,
  host,
  url,
  urlList,
  whole,
  type Setting,
} from './setting-types.ts';

/** All settings. The table in src/guide/operators.md is generated from them. */
export const settings = {
  HOST: { ...host, default: '127.0.0.1', meaning: 'Address to listen on.' },
  PORT: { ...whole(0, 65_535), default: '4000', meaning: 'Port to listen on. 0 takes a free one.' },
  NODE_ENV: {
    ...choice('development', 'production', 'test'),
    default: 'development',
    meaning:
      'In production, credentials over plain http are refused unless they come from loopback, the embedded database is used only if `DATA_DIR` is set, and there are no demo businesses.',
  },
  DATABASE_URL: {
    ...url('postgresql', 'postgres'),
    default: '',
    meaning: 'PostgreSQL (14 or newer) to use. Empty: the embedded database in `DATA_DIR`.',
  },
  DATABASE_READ_URLS: {
    ...urlList('postgresql', 'postgres'),
    default: '',
    meaning:
      'Streaming replicas of `DATABASE_URL`, on which events, lists, reports and CSV exports are read while they are as fresh as it. A comma inside a URL is written `%2C`. Empty: everything is read from `DATABASE_URL`.',
  },
  DATA_DIR: {
    ...freeText,
    default: '.callboard',
    meaning:
      'Folder of the embedded database and of its signing secret. Only one process at a time can use it. In production, it has no default.',
  },
  DEMO: {
    ...flag,
    default: 'true',
    meaning: 'Fill an empty embedded database with two demo businesses at the first start, except in production.',
  },
  REDIS_URL: {
    ...url('redis', 'rediss'),
    default: '',
    meaning:
      'Redis in which several processes count against the same rate limits. Empty: each process counts by itself.',
  },
  JWT_SECRETS: {
    ...signingSecrets,
    default: '',
    meaning:
      'Secrets of personal access tokens: the first signs, all verify. Each needs at least 32 bytes. Required with `DATABASE_URL`; with the embedded database, a secret is generated and stored in `DATA_DIR`.',
  },
  TRUST_PROXY: {
    ...addressList,
    default: '',
    meaning: 'Proxies whose `X-Forwarded-*` headers are trusted.',
  },
  CORS_ORIGINS: {
    ...originList,
    default: '',
    meaning: 'Origins whose pages may call the API from a browser. Empty: only the pages of this service.',
  },
  TLS_CERT: { ...file, default: '', meaning: 'Certificate chain (PEM) for https. Requires `TLS_KEY`.' },
  TLS_KEY: { ...file, default: '', meaning: 'Private key (PEM) of `TLS_CERT`.' },
  PUBLIC_URL: {
    ...siteUrl,
    default: '',
    meaning:
      'Address under which people reach this service, such as `https://staff.example.com`. Links in mails begin with it.',
  },
  SMTP_URL: {
    ...url('smtp', 'smtps'),
    default: '',
    meaning:
      'Mail server, such as `smtps://user:password@mail.example.com`. Empty: no mail is sent. Requires `MAIL_FROM` and `PUBLIC_URL`.',
  },
  MAIL_FROM: { ...emailAddress, default: '', meaning: 'E-mail address that mails come from.' },
  CALLBOARD_SECURITY_CONTACT: {
    ...contact,
    default: '',
    meaning:
      'Who takes reports of weaknesses, for `/.well-known/security.txt`, such as `mailto:security@example.com`. Empty: the page `/guide/security`.',
  },
  LOG_LEVEL: {
    ...choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    meaning: 'Lowest level of log lines that are written.',
  },
  LOG_FORMAT: {
    ...choice('auto', 'json', 'pretty'),
    default: 'auto',
    meaning: 'Log lines as JSON, or pretty for people. `auto`: pretty on a terminal, JSON elsewhere.',
  },
  METRICS_PORT: {
    ...optional(whole(0, 65_535)),
    default: '',
    meaning: 'Separate port, on the same address, at which Prometheus reads `/metrics`.',
  },
  METRICS_TOKEN: {
    ...bearerToken,
    default: '',
    meaning:
      'Bearer token that `/metrics` requires. Without `METRICS_PORT`, metrics are served on the port of the API. Without both settings, there are none.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    ...url('http', 'https'),
    default: '',
    meaning:
      "OpenTelemetry collector (OTLP over HTTP) that receives the traces. Empty: no traces, and OpenTelemetry is not loaded. OpenTelemetry's own variables, such as `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_TRACES_SAMPLER`, apply as well.",
  },
  OTEL_SERVICE_NAME: { ...freeText, default: 'callboard', meaning: 'Name of this service in traces.' },
  CALLBOARD_ANONYMOUS_PER_MINUTE: {
    ...whole(1, 1_000_000),
    default: '120',
    unit: 'requests',
    meaning: 'Rate limit of calls without a valid credential, per minute and IP address.',
  },
  CALLBOARD_PERSON_PER_MINUTE: {
    ...whole(1, 1_000_000),
    default: '120',
    unit: 'requests',
    meaning: `Rate limit of a person who is logged in on the pages, per minute. All of a business together have ${limits.pagesShare} times the limit of its plan; keys and tokens are counted apart.`,
  },
  CALLBOARD_ENTERPRISE_PER_MINUTE: {
    ...whole(1, 1_000_000_000),
    default: String(rateLimitByPlan.enterprise),
    unit: 'requests',
    meaning: 'Rate limit of a business on the `enterprise` plan, per minute. The default is the documented limit.',
  },
  CALLBOARD_BODY_LIMIT: {
    ...whole(1024, 10_485_760),
    default: '262144',
    unit: 'bytes',
    meaning: `Largest request body. Without a credential, at most ${limits.anonymousBodyBytes / 1024} KiB are taken.`,
  },
  CALLBOARD_HEADERS_TIMEOUT: {
    ...whole(100, 600_000),
    default: '8000',
    unit: 'ms',
    meaning: 'Time that a client has to send its request headers.',
  },
  CALLBOARD_REQUEST_TIMEOUT: {
    ...whole(100, 600_000),
    default: '12000',
    unit: 'ms',
    meaning: 'Time that a client has to send its whole request.',
  },
  CALLBOARD_ANSWER_TIMEOUT: {
    ...whole(100, 3_600_000),
    default: '120000',
    unit: 'ms',
    meaning:
      'Time from the arrival of a request until the client has read its answer, at least `CALLBOARD_EXPORT_TIMEOUT`. After that, the connection is closed.',
  },
  CALLBOARD_STALL_TIMEOUT: {
    ...whole(100, 600_000),
    default: '30000',
    unit: 'ms',
    meaning:
      'Longest time without traffic on a connection that has a request, for example if the client stops reading.',
  },
  CALLBOARD_KEEP_ALIVE_TIMEOUT: {
    ...whole(100, 600_000),
    default: '65000',
    unit: 'ms',
    meaning:
      'How long a connection without a request is kept open. It should be longer than in a proxy in front of the service.',
  },
  CALLBOARD_CONNECTIONS: {
    ...whole(1, 1_000_000),
    default: '5000',
    unit: 'connections',
    meaning: 'Simultaneous client connections per process. Further connections are closed.',
  },
  CALLBOARD_SHUTDOWN_TIMEOUT: {
    ...whole(100, 600_000),
    default: '14000',
    unit: 'ms',
    meaning: 'Time that running requests have to finish after SIGTERM.',
  },
  CALLBOARD_DRAIN_DELAY: {
    ...whole(0, 60_000),
    default: '500',
    unit: 'ms',
    meaning:
      'Time after SIGTERM in which `/readyz` answers 503 and requests are still accepted, so that a load balancer notices. It is part of `CALLBOARD_SHUTDOWN_TIMEOUT`. With the embedded database, there is no such time.',
  },
  CALLBOARD_BLOCKED: {
    ...whole(100, 600_000),
    default: '1000',
    unit: 'ms',
    meaning:
      'If the process was too busy to accept requests for this long, those that arrived meanwhile are answered 503. This does not apply to the embedded database, which runs in this process.',
  },
  CALLBOARD_DB_POOL: {
    ...whole(1, 1000),
    default: '10',
    unit: 'connections',
    meaning: 'Connections to PostgreSQL per process.',
  },
  CALLBOARD_DB_SHARE: {
    ...whole(2, 1000),
    default: '4',
    unit: 'connections',
    meaning:
      'Connections that one business may use at a time, per process, while there are others, and never all of `CALLBOARD_DB_POOL`. A business whose reads are slow may use half as many. Further operations wait.',
  },
  CALLBOARD_DB_PREPARE: {
    ...flag,
    default: 'true',
    meaning: 'Whether repeated statements are prepared on each connection. Behind a pooler they never are.',
  },
  CALLBOARD_DB_CONNECT_TIMEOUT: {
    ...whole(100, 600_000),
    default: '1500',
    unit: 'ms',
    meaning: 'Longest wait for a connection to PostgreSQL, including the wait for the pool.',
  },
  CALLBOARD_DB_IDLE_TIMEOUT: {
    ...whole(100, 86_400_000),
    default: '600000',
    unit: 'ms',
    meaning:
      'How long a connection to PostgreSQL stays open that nobody uses. A new one costs its statements to be planned again; a shorter time leaves room where several programs share `max_connections`.',
  },
  CALLBOARD_DB_STATEMENT_TIMEOUT: {
    ...whole(100, 600_000),
    default: '5000',
    unit: 'ms',
    meaning: 'Longest run of one SQL statement. PostgreSQL then cancels it.',
  },
  CALLBOARD_DB_QUERY_TIMEOUT: {
    ...whole(100, 600_000),
    default: '6000',
    unit: 'ms',
    meaning:
      'Longest silence of PostgreSQL while an answer is awaited, for example from a frozen server. The connection is then closed. Where `CALLBOARD_DB_TRANSACTION_TIMEOUT` is longer, that holds.',
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
      'Simultaneous CSV exports per process, and never so many that they use every connection. One business may have all but one of them. Further exports wait for 2 seconds, then they are answered 503.',
  },
  CALLBOARD_EXPORT_TIMEOUT: {
    ...whole(100, 3_600_000),
    default: '120000',
    unit: 'ms',
    meaning: 'Longest CSV export, including the time that its client takes to read it.',
  },
  CALLBOARD_ANSWER_LIMIT: {
    ...whole(1, 256),
    default: '8',
    unit: 'MiB',
    meaning:
      'Largest answer, and largest page of a CSV export. The rows that are read for it may take twice as much memory. Larger ones are refused, and the error says what to ask for instead.',
  },
  CALLBOARD_ANSWER_MEMORY: {
    ...whole(4, 4096),
    default: '96',
    unit: 'MiB',
    meaning:
      'Memory that all answers under way in a process may take, from the first row that is read until the client has the answer; one business may use half of it. The last third is kept for answers of at most 1 MiB. Further answers are refused with 503; streams of live updates wait, and hold what their clients have not read yet.',
  },
  CALLBOARD_ANSWER_CACHE: {
    ...whole(0, 4096),
    default: '8',
    unit: 'MiB',
    meaning:
      'Memory of the response cache. A cached answer is used as long as nothing of its business has changed; one answer takes at most an eighth of the memory. 0 turns the cache off.',
  },
  CALLBOARD_STREAMS: {
    ...whole(0, 100_000),
    default: '2000',
    unit: 'streams',
    meaning:
      'Open streams of live updates per process, of which one business may have a quarter. Each is a connection of `CALLBOARD_CONNECTIONS`. Further streams are answered 503, or 429 where their business has too many. 0 turns live updates off.',
  },
  CALLBOARD_REDIS_TIMEOUT: {
    ...whole(10, 10_000),
    default: '100',
    unit: 'ms',
    meaning: 'Longest wait for Redis before this process counts by itself.',
  },
  CALLBOARD_AUDIT_DAYS: {
    ...whole(1, 36_500),
    default: '400',
    unit: 'days',
    meaning: 'How long entries of the audit trail are kept, and offers and swaps after their end.',
  },
  CALLBOARD_CHANGE_LOG_DAYS: {
    ...whole(1, 36_500),
    default: '90',
    unit: 'days',
    meaning: 'How long the change log keeps what was changed. The last change of a business always stays.',
  },
  CALLBOARD_WEBHOOK_KEYS: {
    ...signingSecrets,
    default: '',
    meaning:
      'Secrets that encrypt the signing secrets of webhooks: the first encrypts, all decrypt. Each needs at least 32 bytes. Empty: keys derived from `JWT_SECRETS`.',
  },
  CALLBOARD_WEBHOOK_ALLOW: {
    ...addressList,
    default: '',
    meaning:
      'Private and loopback addresses to which webhooks may be sent, for receivers inside. Empty: only public addresses.',
  },
  CALLBOARD_WEBHOOK_DAYS: {
    ...whole(1, 36_500),
    default: '30',
    unit: 'days',
    meaning: 'How long webhook messages are kept, with the attempts to deliver them.',
  },
  CALLBOARD_REFUSE_COMMON_PASSWORDS: {
    ...flag,
    default: 'false',
    meaning:
      'Whether a new password that is among the most common ones is refused with 422. Passwords that are set already stay. Switch it on in production.',
  },
  CALLBOARD_HASH_CONCURRENCY: {
    ...whole(1, 64),
    default: '2',
    unit: 'hashes',
    meaning: 'Password hashes that are computed at the same time.',
  },
  CALLBOARD_HASH_QUEUE: {
    ...whole(0, 10_000),
    default: '100',
    unit: 'hashes',
    meaning:
      'Password hashes that may wait. IP addresses take turns. Beyond this number, the address with the most waiting log-ins loses one of them, which is answered 503.',
  },
} as const satisfies Record<string, Setting>;

/** Settings of the version before that have no effect any more, each with the reason. The next version refuses them. */
export const retiredSettings: Readonly<Record<string, string>> = {
  CALLBOARD_TZ_DATA: 'time zone data always come from the package moment-timezone',
  CALLBOARD_TZ_DIR: 'time zone data always come from the package moment-timezone',
};
