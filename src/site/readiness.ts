import type { Database } from '../db/engine/database.ts';
import { isDiskFull, SessionError } from '../db/engine/failures.ts';
import { shuttingDown, unavailable } from '../errors.ts';

/** Throws UNAVAILABLE with the reason. Its cause goes to the log alone, because it may name hosts and roles. */
export async function requireReady(database: Database, isDraining: () => boolean): Promise<void> {
  if (isDraining()) throw shuttingDown();
  const { pending, unknown, isReadOnly } = await database.schemaState().catch((error: unknown) => {
    throw notReady(whyUnreachable(error), error);
  });
  if (pending.length > 0) throw notReady('The database schema is behind this version.');
  if (unknown.length > 0)
    throw notReady(`The database schema is of a later version: it has the migration ${unknown.at(-1)}.`);
  if (isReadOnly) throw notReady('The database accepts no writes: it is read-only.');
  if (await database.isDiskFull()) throw notReady(diskIsFull);
}

const diskIsFull =
  'Writes fail because the disk of the database is full. Free some space on it; a restart is not needed.';

function whyUnreachable(error: unknown): string {
  if (error instanceof SessionError) return error.message;
  return isDiskFull(error) ? diskIsFull : 'The database cannot be reached.';
}

const notReady = (reason: string, cause?: unknown) => unavailable(reason, 2, cause);
