import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';

/** Bounds that the contract or the design fixes. What an operator may set stands in `settings`. */
export const limits = Object.freeze({
  int4Max: 2_147_483_647,
  pageDefault: 1,
  perPageDefault: 15,
  perPageMax: 100,
  /** Items of one parent in a plain nested list of GraphQL; connections page through more. */
  nestedListMax: 500,
  filterValuesMax: 100,
  cursorChars: 4096,
  titleChars: 200,
  venueNameChars: 250,
  addressChars: 200,
  cityChars: 200,
  stateChars: 50,
  zipChars: 50,
  shortTextChars: 200,
  longTextChars: 20_000,
  nameChars: 200,
  emailChars: 254,
  coordinateChars: 20,
  timezoneChars: 64,
  passwordMinBytes: 8,
  passwordMaxBytes: 1024,
  keyNameChars: 100,
  businessNameChars: 200,
  customValueChars: 20_000,
  customFieldOptionsMax: 200,
  /** Positions, skill levels and custom fields that a business may have, of each. */
  catalogRowsMax: 500,
  copyDaysMax: 36_500,
  /** Call times, and shifts, of an event to be copied. */
  copyRowsMax: 2000,
  /** Texts about one field that a refusal lists. */
  fieldErrorsMax: 50,
  staffNeededMax: 10_000,
  overrideReasonChars: 1000,
  bulkItemsMax: 100,
  /** Clashes that a refusal lists. */
  clashesMax: 50,
  /** Of all amounts of money (ISO 4217). */
  currency: 'USD',
  /** Longest time that a report may cover: a year and a month. */
  reportDaysMax: 400,
  reportGroupsMax: 1000,
  /** Years that a wall-clock time may lie in. */
  yearMin: 1970,
  yearMax: 2999,
  tokenLifetimeS: 86_400,
  metricsTokenBytesMin: 16,
  signingSecretBytesMin: 32,
  /** Credentials longer than this are refused unread. */
  credentialChars: 4096,
  keyUseResolutionS: 60,
  hstsMaxAgeS: 31_536_000,
  assetMaxAgeS: 3600,
  /** Of files whose names tell their content. */
  hashedAssetMaxAgeS: 31_536_000,
  /** Answers from this size on are compressed: below it, what is saved is less than a packet. */
  compressFromBytes: 2048,
  /** Up to this length on the spot, which takes 2 to 4 ms at the most; longer ones in a thread, one at a time. */
  compressInlineChars: 1_000_000,
  /** How long a browser may go by a preflight. */
  corsMaxAgeS: 3600,
  tlsVersionMin: 'TLSv1.2',
  headersMax: 100,
  requestsPerConnection: 100_000,
  /** Requests of one connection that wait for their answers at a time. */
  pipelinedMax: 32,
  budgetWindowS: 60,
  idempotencyKeyChars: 255,
  /** How long the first answer to a call with a key is given again. */
  idempotencyKeptS: 86_400,
  /** Expired answers that go for each that comes. */
  idempotencySweepRows: 10,
  /** One entry of the audit trail in this time for the refusals of a caller by an operation. */
  auditRefusalWindowS: 3600,
  /** The same for the failed log-ins as one user. */
  auditFailureWindowS: 60,
  /** How long shutting down waits for the collector of traces. */
  tracesFlushMs: 3000,
  /** How often at the most the log says that it does not answer. */
  tracesLostMs: 60_000,
  auditActionChars: 100,
  /** How often old entries are looked for, and how many are deleted at a time. */
  auditPruneMs: 3_600_000,
  auditPruneRows: 5000,
  /** How long Redis is not asked after it failed to answer. */
  redisPauseMs: 250,
  /** Rows of a page in which an export is read and sent. */
  csvPageRows: 500,
  /** When to try again while as many exports run as may. */
  exportRetryS: 5,
  /** Answers that are kept at the least: none is larger than its share. */
  answersKeptMin: 8,
  /** What an answer that is kept takes beside its bytes. */
  answerOverheadBytes: 512,
  answerDigestChars: 22,
  /** Requests of which is remembered that they were asked, so that their answers are kept when they are asked again. */
  askedRemembered: 5000,
  /** GraphQL requests of which is remembered what they cost and ask for. */
  operationsRemembered: 5000,
  graphqlTokens: 2000,
  /** Fields below one another. */
  graphqlDepth: 15,
  graphqlAliases: 100,
  graphqlDirectives: 50,
  graphqlRootFields: 50,
  /** Objects that one operation may read at the most: page sizes multiplied along each path. */
  graphqlCost: 50_000,
  /** Items that a list without a page size counts for in the cost. */
  graphqlAssumedItems: 10,
  /** Queries that are kept compiled, and how often one is interpreted before. */
  graphqlCompiledMax: 200,
  graphqlCompileAfter: 1,
  /** Errors of one document that are told, before it is not read any further. */
  graphqlErrorsMax: 4,
  /** By how much of what is in use the heap may grow before it is collected; V8 itself would take a multiple. */
  heapGrowthPercent: 20,
  /** Texts of statements that each connection keeps prepared. */
  preparedStatements: 200,
  transactionRetries: 3,
  /** For a transaction that is over its time to end, before its caller is told so. */
  transactionGraceMs: 500,
  /** Longer than Node takes a request line: Fastify itself would answer 414. */
  pathParameterChars: 16_384,
  /** How often is looked whether the process keeps up. */
  loopCheckMs: 250,
  /** How often request time-outs are looked at. */
  connectionsCheckMs: 1000,
  migrationLockWaitMs: 60_000,
  migrationLockPollMs: 100,
  databaseRetryMs: 1000,
  zonesRemembered: 2000,
  /** prove-isolation: longest wait for an answer, for a budget, and how often in a row for the latter. */
  proofAnswerMs: 60_000,
  proofWaitS: 900,
  proofSpentInARowMax: 10,
  seedTransactionMs: 60_000,
  seedStatementMs: 600_000,
  seedChunkEvents: 1000,
  seedEventsMax: 5_000_000,
});

/** Requests a minute, by the business's plan. */
export const budgetByPlan = Object.freeze({ free: 60, basic: 120, professional: 300, enterprise: 1000 });

export interface AttemptLimit {
  /** Whose tries are counted: those of an IP address, or of a user or API key. */
  readonly by: 'address' | 'caller';
  /** The input field that each value of is counted by itself. */
  readonly field?: string;
  /** What uses it up: every call, or those that fail; then a success gives back what was counted. */
  readonly of: 'calls' | 'failures';
  readonly max: number;
  readonly windowS: number;
}

/**
 * Operations that can be tried only so often, in both dialects together, beside the budget. A window ends its time after
 * its first try, however many follow: nobody is locked out for good.
 */
export const attemptLimits = Object.freeze({
  'tokens.login': [
    { by: 'address', field: 'email', of: 'failures', max: 5, windowS: 900 },
    { by: 'address', of: 'failures', max: 50, windowS: 900 },
  ],
  'passwords.change': [{ by: 'caller', of: 'failures', max: 5, windowS: 900 }],
  'passwords.reset': [{ by: 'caller', of: 'calls', max: 30, windowS: 900 }],
  'exports.open': [{ by: 'caller', of: 'calls', max: 30, windowS: 900 }],
} as const satisfies Record<string, readonly AttemptLimit[]>);

/** A setting is wrong: the message is the one line that the operator needs. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

interface Setting {
  readonly type: string;
  readonly unit?: string;
  readonly default: string;
  readonly meaning: string;
  /** Throws with what is expected; the caller names the setting. */
  readonly parse: (text: string) => unknown;
}

const whole = (min: number, max: number) => ({
  type: `integer ${min}-${max}`,
  parse: (text: string) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (!(value >= min && value <= max)) throw new Error(`an integer from ${min} to ${max}`);
    return value;
  },
});

const oneOf = <const T extends string>(...values: T[]) => ({
  type: values.join(' \\| '),
  parse: (text: string): T => {
    const value = values.find((candidate) => candidate === text);
    if (value === undefined) throw new Error(`one of ${values.join(', ')}`);
    return value;
  },
});

const flag = {
  type: 'true \\| false',
  parse: (text: string) => {
    if (text !== 'true' && text !== 'false') throw new Error('true or false');
    return text === 'true';
  },
};

const text = { type: 'text', parse: (value: string) => value };

const url = (...protocols: string[]) => ({
  type: `URL (${protocols.join(', ')})`,
  parse: (value: string) => {
    if (value === '') return '';
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol.slice(0, -1)))
      throw new Error(`a URL that starts with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`);
    return value;
  },
});

const file = {
  type: 'path of a file',
  parse: (path: string) => {
    if (path === '') return '';
    try {
      return readFileSync(path, 'utf8');
    } catch {
      throw new Error('the path of a readable file');
    }
  },
};

const addressList = {
  type: 'list of IP or CIDR',
  parse: (value: string) => {
    const entries = value.split(',').map((entry) => entry.trim());
    const isAddress = (entry: string) => {
      const [ip = '', prefix] = entry.split('/');
      const family = isIP(ip);
      return family !== 0 && (prefix === undefined || (/^\d+$/.test(prefix) && +prefix <= (family === 4 ? 32 : 128)));
    };
    if (value !== '' && !entries.every(isAddress))
      throw new Error('a comma-separated list of IP addresses or CIDR ranges');
    return value === '' ? [] : entries;
  },
};

const originList = {
  type: 'list of origins',
  parse: (value: string) => {
    const entries = value === '' ? [] : value.split(',').map((entry) => entry.trim());
    const isOrigin = (entry: string) =>
      /^https?:[^*]+$/.test(entry) && URL.canParse(entry) && new URL(entry).origin === entry;
    if (!entries.every(isOrigin))
      throw new Error('a comma-separated list of origins as a browser spells them, such as https://app.example');
    return entries;
  },
};

/** Nothing, or as the other one says. */
const optional = <S extends Pick<Setting, 'type' | 'parse'>>({ type, parse }: S) => ({
  type,
  parse: (value: string) => (value === '' ? null : (parse(value) as ReturnType<S['parse']>)),
});

const bearerToken = {
  type: 'text',
  parse: (value: string) => {
    if (value !== '' && Buffer.byteLength(value) < limits.metricsTokenBytesMin)
      throw new Error(`at least ${limits.metricsTokenBytesMin} bytes`);
    return value;
  },
};

export interface SigningSecret {
  readonly kid: string;
  readonly secret: string;
}

const signingSecrets = {
  type: 'list of kid:secret',
  parse: (value: string): SigningSecret[] => {
    const secrets =
      value === ''
        ? []
        : value.split(',').map((entry) => {
            const colon = entry.indexOf(':');
            return { kid: entry.slice(0, Math.max(colon, 0)).trim(), secret: entry.slice(colon + 1).trim() };
          });
    if (secrets.some(({ kid }) => !/^[\w.-]{1,64}$/.test(kid))) throw new Error('a comma-separated list of kid:secret');
    if (new Set(secrets.map(({ kid }) => kid)).size < secrets.length)
      throw new Error('a list in which no kid stands twice');
    if (secrets.some(({ secret }) => Buffer.byteLength(secret) < limits.signingSecretBytesMin))
      throw new Error(`a list of secrets of at least ${limits.signingSecretBytesMin} bytes each`);
    return secrets;
  },
};

/** Every setting there is. The README's table is printed from this. */
export const settings = {
  HOST: { ...text, default: '127.0.0.1', meaning: 'Address to listen on.' },
  PORT: { ...whole(0, 65_535), default: '4000', meaning: 'Port to listen on; 0 takes a free one.' },
  NODE_ENV: {
    ...oneOf('development', 'production', 'test'),
    default: 'development',
    meaning: 'In production, credentials over plain http are refused unless they come from loopback.',
  },
  DATABASE_URL: {
    ...url('postgresql', 'postgres'),
    default: '',
    meaning: 'PostgreSQL (14 or newer) to use. Empty: the embedded database in `DATA_DIR`.',
  },
  DATA_DIR: {
    ...text,
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
    ...oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    meaning: 'Least severe log line to write.',
  },
  LOG_FORMAT: {
    ...oneOf('auto', 'json', 'pretty'),
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
  OTEL_SERVICE_NAME: { ...text, default: 'callboard', meaning: 'What traces call this service.' },
  CALLBOARD_ANONYMOUS_PER_MINUTE: {
    ...whole(1, 1_000_000),
    default: '120',
    unit: 'requests',
    meaning: 'Budget of calls without a valid credential, a minute and IP address.',
  },
  CALLBOARD_ENTERPRISE_PER_MINUTE: {
    ...whole(1, 1_000_000_000),
    default: String(budgetByPlan.enterprise),
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

type Settings = { [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['parse']> };

function readSettings(env: NodeJS.ProcessEnv): Settings {
  const unknown = Object.keys(env).find((name) => name.startsWith('CALLBOARD_') && !(name in settings));
  if (unknown) throw new ConfigError(`${unknown} is not a setting of Callboard. The README lists them all.`);
  const values = Object.entries(settings).map(([name, setting]) => {
    try {
      return [name, setting.parse(env[name]?.trim() || setting.default)];
    } catch (error) {
      throw new ConfigError(`${name} is not valid: expected ${(error as Error).message}.`);
    }
  });
  return Object.fromEntries(values) as Settings;
}

/** Reads and checks the environment; throws `ConfigError`. Whoever signs no tokens needs no signing secrets. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env, { signsTokens = true } = {}) {
  const set = readSettings(env);
  if (signsTokens && set.DATABASE_URL && set.JWT_SECRETS.length === 0)
    throw new ConfigError(
      `JWT_SECRETS is missing: with DATABASE_URL it must name at least one kid:secret of ${limits.signingSecretBytesMin} bytes or more.`,
    );
  if (Boolean(set.TLS_CERT) !== Boolean(set.TLS_KEY))
    throw new ConfigError('TLS_CERT and TLS_KEY go together: set both or neither.');
  if (set.TLS_CERT) requirePair(set.TLS_CERT, set.TLS_KEY);
  if (set.CALLBOARD_DRAIN_DELAY >= set.CALLBOARD_SHUTDOWN_TIMEOUT)
    throw new ConfigError('CALLBOARD_DRAIN_DELAY must be less than CALLBOARD_SHUTDOWN_TIMEOUT.');

  return deepFreeze({
    env: set.NODE_ENV,
    demo: set.DEMO,
    http: {
      host: set.HOST,
      port: set.PORT,
      trustProxy: set.TRUST_PROXY,
      corsOrigins: set.CORS_ORIGINS,
      tls: set.TLS_CERT ? { cert: set.TLS_CERT, key: set.TLS_KEY } : null,
      bodyLimitBytes: set.CALLBOARD_BODY_LIMIT,
      headersTimeoutMs: set.CALLBOARD_HEADERS_TIMEOUT,
      requestTimeoutMs: set.CALLBOARD_REQUEST_TIMEOUT,
      answerTimeoutMs: Math.max(set.CALLBOARD_ANSWER_TIMEOUT, set.CALLBOARD_EXPORT_TIMEOUT),
      stallTimeoutMs: set.CALLBOARD_STALL_TIMEOUT,
      keepAliveTimeoutMs: set.CALLBOARD_KEEP_ALIVE_TIMEOUT,
      connectionsMax: set.CALLBOARD_CONNECTIONS,
      shutdownTimeoutMs: set.CALLBOARD_SHUTDOWN_TIMEOUT,
      drainDelayMs: set.CALLBOARD_DRAIN_DELAY,
      blockedMs: set.CALLBOARD_BLOCKED,
    },
    db: {
      url: set.DATABASE_URL || null,
      dataDir: set.DATA_DIR,
      poolSize: set.CALLBOARD_DB_POOL,
      prepare: set.CALLBOARD_DB_PREPARE,
      connectTimeoutMs: set.CALLBOARD_DB_CONNECT_TIMEOUT,
      statementTimeoutMs: set.CALLBOARD_DB_STATEMENT_TIMEOUT,
      queryTimeoutMs: set.CALLBOARD_DB_QUERY_TIMEOUT,
      transactionTimeoutMs: set.CALLBOARD_DB_TRANSACTION_TIMEOUT,
    },
    exports: { atATime: set.CALLBOARD_EXPORTS, timeoutMs: set.CALLBOARD_EXPORT_TIMEOUT },
    answers: { bytesMax: set.CALLBOARD_ANSWER_CACHE * 1024 * 1024 },
    redis: { url: set.REDIS_URL || null, timeoutMs: set.CALLBOARD_REDIS_TIMEOUT },
    auth: {
      secrets: set.JWT_SECRETS,
      hashConcurrency: set.CALLBOARD_HASH_CONCURRENCY,
      hashQueue: set.CALLBOARD_HASH_QUEUE,
    },
    budget: {
      anonymousPerMinute: set.CALLBOARD_ANONYMOUS_PER_MINUTE,
      byPlan: { ...budgetByPlan, enterprise: set.CALLBOARD_ENTERPRISE_PER_MINUTE },
    },
    log: { level: set.LOG_LEVEL, format: set.LOG_FORMAT },
    audit: { days: set.CALLBOARD_AUDIT_DAYS },
    metrics: { port: set.METRICS_PORT, token: set.METRICS_TOKEN || null },
    traces: { endpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT || null, serviceName: set.OTEL_SERVICE_NAME },
  });
}

/** Told apart here, where the setting has a name; OpenSSL's words for it are few and its own. */
function requirePair(cert: string, key: string): void {
  const refuses = (part: { cert?: string; key?: string }): boolean => {
    try {
      createSecureContext(part);
      return false;
    } catch {
      return true;
    }
  };
  if (refuses({ cert })) throw new ConfigError('TLS_CERT is not valid: expected a certificate chain in PEM.');
  if (refuses({ key })) throw new ConfigError('TLS_KEY is not valid: expected a private key in PEM, not encrypted.');
  if (refuses({ cert, key })) throw new ConfigError('TLS_KEY is not valid: expected the private key of TLS_CERT.');
}

export type Config = ReturnType<typeof loadConfig>;

/** The two credentials of `callboard prove-isolation`: no settings of the service, but in the environment like them. */
export const proofCredentials = (env: NodeJS.ProcessEnv = process.env) => ({
  a: env['PROVE_CREDENTIAL_A'],
  b: env['PROVE_CREDENTIAL_B'],
});

function deepFreeze<T extends object>(value: T): Readonly<T> {
  for (const inner of Object.values(value)) if (inner !== null && typeof inner === 'object') deepFreeze(inner);
  return Object.freeze(value);
}
