import { createSecureContext } from 'node:tls';
import { readDatabaseTls, type DatabaseTls } from './database-url.ts';
import { rateLimitByPlan, limits } from './limits.ts';
import { readSettingText } from './setting-files.ts';
import { findRetiredNames, findUnknownNames } from './setting-names.ts';
import { settings } from './settings.ts';

const mebibyte = 1024 * 1024;

/** A setting is wrong: the message is the one line that the operator needs. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Settings = { [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['parse']> };

/** Reads the settings. One that is wrong has its default, and what is wrong with it is added to `faults`. */
function readSettings(env: NodeJS.ProcessEnv, faults: string[]): Settings {
  for (const { text, isHarmless } of findUnknownNames(env)) if (!isHarmless) faults.push(text);
  const values = Object.entries(settings).map(([name, setting]) => {
    const text = readSettingText(name, setting, env, faults);
    try {
      return [name, setting.parse(text ?? setting.default)];
    } catch (error) {
      faults.push(`${name} is not valid: expected ${(error as Error).message}.`);
      return [name, setting.parse(setting.default)];
    }
  });
  return Object.fromEntries(values) as Settings;
}

/** Adds what is wrong with the settings together. Of a setting that is wrong by itself, nothing more is said. */
function addCombinedFaults(set: Settings, env: NodeJS.ProcessEnv, signsTokens: boolean, faults: string[]): void {
  const isFaulty = (name: string) =>
    faults.some((fault) => fault.startsWith(`${name} `) || fault.startsWith(`${name}_FILE `));
  if (signsTokens && set.DATABASE_URL && set.JWT_SECRETS.length === 0 && !isFaulty('JWT_SECRETS'))
    faults.push(
      `JWT_SECRETS is missing: with DATABASE_URL it must name at least one kid:secret of ${limits.secretBytes} bytes or more.`,
    );
  const namesDataDir = Boolean(env['DATA_DIR']?.trim() ?? env['DATA_DIR_FILE']?.trim());
  if (set.NODE_ENV === 'production' && !set.DATABASE_URL && !namesDataDir && !isFaulty('DATABASE_URL'))
    faults.push(
      'DATABASE_URL is missing: in production, the embedded database is used only if DATA_DIR names its folder.',
    );
  if (set.METRICS_PORT !== null && set.METRICS_PORT > 0 && set.METRICS_PORT === set.PORT)
    faults.push('METRICS_PORT must be another port than PORT.');
  faults.push(...faultsOf(() => readDatabase(set.DATABASE_URL, env)));
  faults.push(...faultsOf(() => readReplicas(set.DATABASE_READ_URLS, env)));
  if (set.DATABASE_READ_URLS.length > 0 && !set.DATABASE_URL && !isFaulty('DATABASE_URL'))
    faults.push('DATABASE_READ_URLS needs DATABASE_URL, whose replicas it names: set both or only DATABASE_URL.');
  if (!isFaulty('TLS_CERT') && !isFaulty('TLS_KEY')) {
    if (Boolean(set.TLS_CERT) !== Boolean(set.TLS_KEY))
      faults.push('TLS_CERT and TLS_KEY go together: set both or neither.');
    else if (set.TLS_CERT) faults.push(...faultsOf(() => requirePair(set.TLS_CERT, set.TLS_KEY)));
  }
  const mail = ['SMTP_URL', 'MAIL_FROM', 'PUBLIC_URL'] as const;
  const missing = mail.filter((name) => !set[name] && !isFaulty(name));
  if ((set.SMTP_URL || set.MAIL_FROM) && missing.length > 0)
    faults.push(`${missing.join(' and ')} is missing: mail needs SMTP_URL, MAIL_FROM and PUBLIC_URL.`);
  if (set.CALLBOARD_DRAIN_DELAY >= set.CALLBOARD_SHUTDOWN_TIMEOUT)
    faults.push('CALLBOARD_DRAIN_DELAY must be less than CALLBOARD_SHUTDOWN_TIMEOUT.');
}

/** Returns the fault that a check throws, if it throws one. */
function faultsOf(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [error.message];
    throw error;
  }
}

/** Returns everything that is wrong with the settings of the environment. */
export function findConfigFaults(env: NodeJS.ProcessEnv = process.env): string[] {
  const faults: string[] = [];
  addCombinedFaults(readSettings(env, faults), env, true, faults);
  return faults;
}

/**
 * Reads and checks the environment. Throws `ConfigError` with the first fault. A command that signs no tokens needs no
 * signing secrets.
 */
export function loadConfig(
  env: NodeJS.ProcessEnv = process.env,
  { signsTokens = true }: { signsTokens?: boolean } = {},
) {
  const faults: string[] = [];
  const set = readSettings(env, faults);
  if (faults.length === 0) addCombinedFaults(set, env, signsTokens, faults);
  const [fault] = faults;
  if (fault !== undefined) throw new ConfigError(fault);
  const database = readDatabase(set.DATABASE_URL, env);

  return deepFreeze({
    env: set.NODE_ENV,
    /** Everybody knows the password of the demo accounts. */
    demo: set.DEMO && set.NODE_ENV !== 'production',
    /** Warnings of variables that look like settings, or were some, and have no effect. They are said at each start. */
    warnings: [...findUnknownNames(env).map(({ text }) => text), ...findRetiredNames(env)],
    http: {
      host: set.HOST,
      port: set.PORT,
      trustProxy: set.TRUST_PROXY,
      corsOrigins: set.CORS_ORIGINS,
      securityContact: set.CALLBOARD_SECURITY_CONTACT,
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
      ...database,
      replicas: readReplicas(set.DATABASE_READ_URLS, env),
      dataDir: set.DATA_DIR,
      poolSize: set.CALLBOARD_DB_POOL,
      share: set.CALLBOARD_DB_SHARE,
      prepare: set.CALLBOARD_DB_PREPARE,
      connectTimeoutMs: set.CALLBOARD_DB_CONNECT_TIMEOUT,
      idleTimeoutMs: set.CALLBOARD_DB_IDLE_TIMEOUT,
      statementTimeoutMs: set.CALLBOARD_DB_STATEMENT_TIMEOUT,
      queryTimeoutMs: set.CALLBOARD_DB_QUERY_TIMEOUT,
      transactionTimeoutMs: set.CALLBOARD_DB_TRANSACTION_TIMEOUT,
    },
    exports: { atATime: set.CALLBOARD_EXPORTS, timeoutMs: set.CALLBOARD_EXPORT_TIMEOUT },
    answers: {
      bytesMax: set.CALLBOARD_ANSWER_LIMIT * mebibyte,
      memoryBytes: set.CALLBOARD_ANSWER_MEMORY * mebibyte,
      cacheBytes: set.CALLBOARD_ANSWER_CACHE * mebibyte,
    },
    streams: { max: set.CALLBOARD_STREAMS },
    redis: { url: set.REDIS_URL || null, timeoutMs: set.CALLBOARD_REDIS_TIMEOUT },
    auth: {
      secrets: set.JWT_SECRETS,
      refuseCommonPasswords: set.CALLBOARD_REFUSE_COMMON_PASSWORDS,
      hashConcurrency: set.CALLBOARD_HASH_CONCURRENCY,
      hashQueue: set.CALLBOARD_HASH_QUEUE,
    },
    rateLimits: {
      anonymousPerMinute: set.CALLBOARD_ANONYMOUS_PER_MINUTE,
      personPerMinute: set.CALLBOARD_PERSON_PER_MINUTE,
      byPlan: { ...rateLimitByPlan, enterprise: set.CALLBOARD_ENTERPRISE_PER_MINUTE },
    },
    log: { level: set.LOG_LEVEL, format: set.LOG_FORMAT },
    audit: { days: set.CALLBOARD_AUDIT_DAYS },
    changeLog: { days: set.CALLBOARD_CHANGE_LOG_DAYS },
    webhooks: {
      keys: set.CALLBOARD_WEBHOOK_KEYS,
      allow: set.CALLBOARD_WEBHOOK_ALLOW,
      days: set.CALLBOARD_WEBHOOK_DAYS,
    },
    /** Null: no mail is sent. */
    mail: set.SMTP_URL
      ? { smtpUrl: set.SMTP_URL, from: set.MAIL_FROM, publicUrl: set.PUBLIC_URL.replace(/\/+$/, '') }
      : null,
    metrics: { port: set.METRICS_PORT, token: set.METRICS_TOKEN || null },
    traces: { endpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT || null, serviceName: set.OTEL_SERVICE_NAME },
  });
}

function readDatabase(url: string, env: NodeJS.ProcessEnv): { url: string | null; tls: DatabaseTls | null } {
  return url === '' ? { url: null, tls: null } : readServer('DATABASE_URL', url, env);
}

const readReplicas = (urls: readonly string[], env: NodeJS.ProcessEnv) =>
  urls.map((url) => readServer('DATABASE_READ_URLS', url, env));

function readServer(setting: string, url: string, env: NodeJS.ProcessEnv): { url: string; tls: DatabaseTls | null } {
  try {
    return readDatabaseTls(url, env);
  } catch (error) {
    throw new ConfigError(`${setting} is not valid: expected ${(error as Error).message}.`);
  }
}

/** Checks the pair here, so that the error can name the setting, which OpenSSL's messages cannot. */
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

/**
 * The two credentials for `callboard check-isolation`. They are not settings of the service, but come from the
 * environment as well.
 */
export const isolationCredentials = (env: NodeJS.ProcessEnv = process.env) => ({
  a: env['PROVE_CREDENTIAL_A'],
  b: env['PROVE_CREDENTIAL_B'],
});

function deepFreeze<T extends object>(value: T): Readonly<T> {
  for (const inner of Object.values(value)) if (inner !== null && typeof inner === 'object') deepFreeze(inner);
  return Object.freeze(value);
}
