import pg from 'pg';
import type { Config } from '../../config/config.ts';
import { SessionError } from './failures.ts';

/** Parameters of PostgreSQL and their values. Null stands for the default of the role and the database. */
export type SessionSettings = Readonly<Record<string, string | null>>;

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
    // Prisma sends times without a zone, so a session in another zone would store and read them hours off.
    TimeZone: 'UTC',
    DateStyle: 'ISO, MDY',
    standard_conforming_strings: 'on',
    // src/guide/performance.md#jit-off
    ...(!/\bjit\s*=/.test(options ?? '') && { jit: 'off' }),
    statement_timeout: `${statementTimeoutMs}ms`,
    idle_in_transaction_session_timeout: `${transactionTimeoutMs}ms`,
    search_path: schema && pg.escapeIdentifier(schema),
    // A rule that waits for a lock then has to read what the holder of the lock wrote.
    default_transaction_isolation: 'read committed',
  };
}

/**
 * Builds the script that gives a transaction its settings, which end with it. SET takes no snapshot, so the isolation level can be
 * set after it.
 */
export function settingsScript(settings: SessionSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => {
      const text = name === 'search_path' ? value : value && pg.escapeLiteral(value);
      return `SET LOCAL ${name} TO ${text ?? 'DEFAULT'}`;
    })
    .join('; ');
}

interface CheckedSetting {
  readonly name: string;
  readonly actual: string;
  readonly wanted: string;
  /** Whether the session belongs to this connection alone. */
  readonly isOwn: boolean;
  /** Triggers do not run in the role `replica`. */
  readonly role: string;
}

/** Gives the session its settings if it belongs to this connection alone, and reads them back in the spelling of PostgreSQL. */
const settleAndCheck = `
  SELECT name, pg_backend_pid() = $1 AS "isOwn", current_setting('session_replication_role') AS role,
         CASE WHEN pg_backend_pid() = $1 THEN set_config(name, value, FALSE) ELSE current_setting(name) END AS actual,
         set_config(name, value, TRUE) AS wanted
    FROM unnest($2::text[], $3::text[]) AS setting (name, value)`;

/** The id of the process that serves the connection, as the server has sent it. A pooler sends one of its own. */
type ServedClient = pg.ClientBase & { readonly processID?: number | null };

/**
 * Prepares a new connection for its first use, and returns whether it shares its sessions. Behind a pooler, each transaction may
 * run in another session, which other clients use as well: there, no session is changed, and every transaction has to begin with
 * its settings. Throws `SessionError` if a session or a transaction does not have them. `leavesShared`: behind a pooler, statements
 * go as they are, because some cannot be part of a transaction.
 */
export async function prepareSession(
  client: ServedClient,
  settings: SessionSettings,
  { leavesShared = false } = {},
): Promise<boolean> {
  const check = async () => {
    const values = [client.processID ?? null, Object.keys(settings), Object.values(settings)];
    return (await client.query<CheckedSetting>(settleAndCheck, values)).rows;
  };
  const first = await check();
  if (first.every(({ isOwn }) => isOwn)) {
    requireSettings(first);
    return false;
  }
  if (leavesShared) return true;
  // A transaction that Prisma begins has its level before it has its settings.
  requireSettings(first.filter(({ name }) => name === 'default_transaction_isolation'));
  await client.query(`BEGIN; ${settingsScript(settings)}`).catch(explainRefusal);
  requireSettings(await check());
  await client.query('COMMIT');
  return true;
}

function requireSettings(settings: readonly CheckedSetting[]): void {
  for (const { name, actual, wanted, role } of settings) {
    if (actual !== wanted)
      throw new SessionError(`The sessions of PostgreSQL have ${name} = ${actual} instead of ${wanted}.`);
    if (role === 'replica')
      throw new SessionError(
        'The sessions of PostgreSQL have session_replication_role = replica: triggers do not run.',
      );
  }
}

/** PgBouncer reports everything by one SQLSTATE. */
function explainRefusal(error: unknown): never {
  if (/statement pooling/.test((error as Error).message))
    throw new SessionError('The pooler refuses transactions: set its pool_mode to session or transaction.', {
      cause: error,
    });
  throw error;
}
