import { loadConfig, type Config } from '../config/config.ts';
import { openDatabase, type Database } from '../db/engine/database.ts';
import { Failure } from '../errors.ts';

interface Needs {
  /** Brings the schema up to date first; without it, one that is behind is refused. */
  readonly migrates?: boolean;
  /** What the command wants otherwise than the service does. */
  readonly settings?: Partial<Config['db']>;
}

/** Runs a command's work on the configured database, which is closed whatever happens; `applied` names migrations. */
export async function onDatabase<T>(
  { migrates = false, settings = {} }: Needs,
  work: (database: Database, config: Config, applied: string[]) => Promise<T>,
): Promise<T> {
  const config = loadConfig(undefined, { signsTokens: false });
  const database = await openDatabase({ ...config.db, ...settings });
  try {
    const applied = migrates ? await database.migrate() : [];
    if (!migrates && (await database.pendingMigrations()).length > 0)
      throw new Failure('PRECONDITION_FAILED', 'The database is not up to date: run `callboard migrate` first.');
    return await work(database, config, applied);
  } finally {
    await database.close();
  }
}
