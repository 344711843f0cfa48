import type { ServerClient } from './connection.ts';
import { SessionError } from './failures.ts';
import type { SessionSettings } from './session-settings.ts';
import { settleEachTransaction } from './shared-session.ts';

interface CheckedSetting {
  readonly name: string;
  readonly actual: string;
  readonly wanted: string;
  /** Whether the session belongs to this connection alone. Poolers send a process id of their own. */
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

/**
 * Prepares a new connection for its first use. Behind a pooler, each transaction may run in another session, which other
 * clients use as well: there, no session is changed, and every transaction begins with its settings. Throws `SessionError`
 * if a session or a transaction does not have them.
 */
export async function prepareSession(client: ServerClient, settings: SessionSettings): Promise<void> {
  const check = async () => {
    const values = [client.processID, Object.keys(settings), Object.values(settings)];
    return (await client.query<CheckedSetting>(settleAndCheck, values)).rows;
  };
  const first = await check();
  if (first.every(({ isOwn }) => isOwn)) return requireSettings(first);
  // It cannot be sent with a statement, because a transaction has its level before it has a statement.
  requireSettings(first.filter(({ name }) => name === 'default_transaction_isolation'));
  settleEachTransaction(client, settings);
  await client.query('BEGIN').catch(explainRefusal);
  requireSettings(await check());
  await client.query('COMMIT');
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
