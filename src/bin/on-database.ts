import { loadConfig, type Config } from '../config/config.ts';
import type { Database } from '../db/engine/database.ts';
import { openDatabase } from '../db/engine/open-database.ts';
import { Failure } from '../errors.ts';
import { oneLine } from './explain.ts';
import type { Shell } from './shell.ts';

interface Needs {
  /** Whether pending migrations are applied first, or may be there. Otherwise, an outdated schema is refused. */
  readonly schema?: 'migrated' | 'as it is';
  /** Database settings of this command that differ from those of the service. */
  readonly settings?: Partial<Config['db']>;
}

/** Runs a command on the configured database and always closes it. `applied` lists the migrations that ran. */
export async function onDatabase<T>(
  shell: Shell,
  { schema, settings = {} }: Needs,
  work: (database: Database, config: Config, applied: string[]) => Promise<T>,
): Promise<T> {
  const config = loadConfig(shell.env, { signsTokens: false });
  const database = await openDatabase({ ...config.db, ...settings });
  try {
    if (schema === undefined && (await database.pending()).length > 0)
      throw new Failure('PRECONDITION_FAILED', 'The database is not up to date: run `callboard migrate` first.');
    const onBlocked = (text: string) => shell.stderr.write(`${oneLine(text)}: trying again\n`);
    const applied = schema === 'migrated' ? await database.migrate(onBlocked) : [];
    return await work(database, config, applied);
  } finally {
    await database.close();
  }
}
