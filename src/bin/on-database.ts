import { loadConfig, type Config } from '../config/config.ts';
import type { Database } from '../db/engine/database.ts';
import { openDatabase } from '../db/engine/open-database.ts';
import { Failure } from '../errors.ts';
import { useTzData } from '../time/tz-data.ts';

interface Needs {
  /** Whether pending migrations are applied first. Without it, an outdated schema is refused. */
  readonly migrates?: boolean;
  /** Database settings of this command that differ from those of the service. */
  readonly settings?: Partial<Config['db']>;
}

/** Runs a command on the configured database and always closes it. `applied` lists the migrations that ran. */
export async function onDatabase<T>(
  { migrates = false, settings = {} }: Needs,
  work: (database: Database, config: Config, applied: string[]) => Promise<T>,
): Promise<T> {
  const config = loadConfig(undefined, { signsTokens: false });
  useTzData(config.tz);
  const database = await openDatabase({ ...config.db, ...settings });
  try {
    const pending = await database.pending();
    if (pending.length > 0 && !migrates)
      throw new Failure('PRECONDITION_FAILED', 'The database is not up to date: run `callboard migrate` first.');
    const applied = migrates ? await database.migrate() : [];
    return await work(database, config, applied);
  } finally {
    await database.close();
  }
}
