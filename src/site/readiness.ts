import type { FastifyBaseLogger } from 'fastify';
import { limits } from '../config/limits.ts';
import type { Database } from '../db/engine/database.ts';
import { findDatabaseFault, SessionError, UnfitDatabase } from '../db/engine/failures.ts';
import { databaseFaults, type DatabaseFault } from '../db/engine/faults.ts';
import type { SchemaState } from '../db/migrations/migrations.ts';
import { within } from '../within.ts';

/** Why a process cannot serve. `/readyz`, the log and the metrics use the same words. */
type UnreadyReason = DatabaseFault | 'schema_behind' | 'schema_later' | 'draining';

export interface Readiness {
  readonly reason: 'ready' | UnreadyReason;
  /** The reason for operators. It names no host, role or secret, because everybody may read it. */
  readonly message: string;
  /** How the schema of the database differs from that of this build; null if that is not known. */
  readonly schema: SchemaState | null;
}

interface ReadinessParts {
  readonly database: Pick<Database, 'schemaState' | 'isDiskFull' | 'executeSql' | 'connections'>;
  readonly isDraining: () => boolean;
  readonly log: FastifyBaseLogger;
}

/**
 * Makes the check whether this process can serve. It sends one statement at a time, whoever asks, and answers in time even if the
 * database does not. A line of the log tells when the reason changes.
 */
export function createReadiness({ database, isDraining, log }: ReadinessParts): () => Promise<Readiness> {
  let known: Readiness['reason'] = 'ready';
  let checking: Promise<Readiness> | null = null;
  const check = async (): Promise<Readiness> => {
    let err: unknown;
    const found = await look(database).catch(async (error: unknown) => {
      // Prisma's error does not tell a stopped server from an unknown host.
      const isKnown = findDatabaseFault(error) !== 'failed';
      err = isKnown
        ? error
        : await database.executeSql('SELECT 1').then(
            () => error,
            (plain: unknown) => plain,
          );
      return describeFault(err);
    });
    // A shutdown ends connections as well, and has told of itself.
    if (found.reason !== known && !isDraining()) {
      if (found.reason === 'ready') log.info({ was: known }, 'ready again');
      else log.warn({ reason: found.reason, ...(err !== undefined && { err }) }, `not ready: ${found.message}`);
      known = found.reason;
    }
    return found;
  };
  return async () => {
    if (isDraining()) return { reason: 'draining', message: 'The service is shutting down.', schema: null };
    checking ??= check().finally(() => (checking = null));
    return within(limits.shortWaitMs, checking).catch(() => {
      const reason = (database.connections?.().waiting ?? 0) > 0 ? 'busy' : 'no_answer';
      return { reason, message: databaseFaults[reason], schema: null };
    });
  };
}

async function look(database: ReadinessParts['database']): Promise<Readiness> {
  const schema = await database.schemaState();
  const { pending, unknown, isReadOnly } = schema;
  if (pending.length > 0)
    return { reason: 'schema_behind', message: 'The database schema is behind this version.', schema };
  if (unknown.length > 0) {
    const message = `The database schema is of a later version: it has the migration ${unknown.at(-1)}.`;
    return { reason: 'schema_later', message, schema };
  }
  if (isReadOnly) return { reason: 'read_only', message: databaseFaults.read_only, schema };
  if (await database.isDiskFull()) return { reason: 'disk_full', message: databaseFaults.disk_full, schema };
  return { reason: 'ready', message: 'The service is ready.', schema };
}

function describeFault(error: unknown): Readiness {
  const reason = findDatabaseFault(error);
  const isTold = error instanceof SessionError || error instanceof UnfitDatabase;
  return { reason, message: isTold ? error.message : databaseFaults[reason], schema: null };
}
