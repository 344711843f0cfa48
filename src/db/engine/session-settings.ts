import pg from 'pg';
import type { Config } from '../../config/config.ts';

/** Parameters of PostgreSQL and their values. Null stands for the default of the role and the database. */
export type SessionSettings = Readonly<Record<string, string | null>>;

/**
 * Parameters of the startup message. Poolers keep these for each client, and refuse or ignore most others. Prisma sends times
 * without a zone, so a session in another zone would store and read them hours off.
 */
export const startupParameters = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  standard_conforming_strings: 'on',
} as const;

interface UrlParameters {
  /** Prisma's parameter of the URL, which becomes the search path. */
  readonly schema: string | null;
  /** Options of the session that the operator wants, such as `-c jit=on`. */
  readonly options: string | null;
}

/** Settings that the statements of this service rely on, whatever the defaults of the server, the database and the role are. */
export function sessionSettings(
  { statementTimeoutMs, transactionTimeoutMs }: Pick<Config['db'], 'statementTimeoutMs' | 'transactionTimeoutMs'>,
  { schema, options }: UrlParameters,
): SessionSettings {
  return {
    ...startupParameters,
    // src/guide/performance.md#jit-off
    ...(!/\bjit\s*=/.test(options ?? '') && { jit: 'off' }),
    statement_timeout: `${statementTimeoutMs}ms`,
    idle_in_transaction_session_timeout: `${transactionTimeoutMs}ms`,
    search_path: schema && pg.escapeIdentifier(schema),
    // A rule that waits for a lock then has to read what the holder of the lock wrote.
    default_transaction_isolation: 'read committed',
  };
}
