import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

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
  signingSecretBytesMin: 32,
  /** Credentials longer than this are refused unread. */
  credentialChars: 4096,
  keyUseResolutionS: 60,
  hstsMaxAgeS: 31_536_000,
  budgetWindowS: 60,
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
  /** Errors of one document that are told, before it is not read any further. */
  graphqlErrorsMax: 4,
  transactionRetries: 3,
  /** Longer ones name nothing; Fastify itself would answer 414 from here on. */
  pathParameterChars: 1000,
  /** How often request time-outs are looked at. */
  connectionsCheckMs: 1000,
  migrationLockWaitMs: 60_000,
  migrationLockPollMs: 100,
  databaseRetryMs: 1000,
  zonesRemembered: 2000,
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
  CALLBOARD_ANONYMOUS_PER_MINUTE: {
    ...whole(1, 1_000_000),
    default: '120',
    unit: 'requests',
    meaning: 'Budget of calls without a valid credential, a minute and IP address.',
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
  CALLBOARD_SHUTDOWN_TIMEOUT: {
    ...whole(100, 600_000),
    default: '14000',
    unit: 'ms',
    meaning: 'Time that running requests get after SIGTERM.',
  },
  CALLBOARD_DB_POOL: {
    ...whole(1, 1000),
    default: '10',
    unit: 'connections',
    meaning: 'Connections to PostgreSQL, a process.',
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
    meaning: 'Longest wait for the answer to one SQL statement, ended here (a frozen server answers nothing).',
  },
  CALLBOARD_DB_TRANSACTION_TIMEOUT: {
    ...whole(100, 600_000),
    default: '5000',
    unit: 'ms',
    meaning: 'Longest transaction.',
  },
  CALLBOARD_REDIS_TIMEOUT: {
    ...whole(10, 10_000),
    default: '100',
    unit: 'ms',
    meaning: 'Longest wait for Redis before this process counts for itself.',
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

  return deepFreeze({
    env: set.NODE_ENV,
    demo: set.DEMO,
    http: {
      host: set.HOST,
      port: set.PORT,
      trustProxy: set.TRUST_PROXY,
      tls: set.TLS_CERT ? { cert: set.TLS_CERT, key: set.TLS_KEY } : null,
      bodyLimitBytes: set.CALLBOARD_BODY_LIMIT,
      headersTimeoutMs: set.CALLBOARD_HEADERS_TIMEOUT,
      requestTimeoutMs: set.CALLBOARD_REQUEST_TIMEOUT,
      shutdownTimeoutMs: set.CALLBOARD_SHUTDOWN_TIMEOUT,
    },
    db: {
      url: set.DATABASE_URL || null,
      dataDir: set.DATA_DIR,
      poolSize: set.CALLBOARD_DB_POOL,
      connectTimeoutMs: set.CALLBOARD_DB_CONNECT_TIMEOUT,
      statementTimeoutMs: set.CALLBOARD_DB_STATEMENT_TIMEOUT,
      queryTimeoutMs: set.CALLBOARD_DB_QUERY_TIMEOUT,
      transactionTimeoutMs: set.CALLBOARD_DB_TRANSACTION_TIMEOUT,
    },
    redis: { url: set.REDIS_URL || null, timeoutMs: set.CALLBOARD_REDIS_TIMEOUT },
    auth: {
      secrets: set.JWT_SECRETS,
      hashConcurrency: set.CALLBOARD_HASH_CONCURRENCY,
      hashQueue: set.CALLBOARD_HASH_QUEUE,
    },
    budget: { anonymousPerMinute: set.CALLBOARD_ANONYMOUS_PER_MINUTE },
    log: { level: set.LOG_LEVEL, format: set.LOG_FORMAT },
  });
}

export type Config = ReturnType<typeof loadConfig>;

function deepFreeze<T extends object>(value: T): Readonly<T> {
  for (const inner of Object.values(value)) if (inner !== null && typeof inner === 'object') deepFreeze(inner);
  return Object.freeze(value);
}
