import type { Config } from '../../config/config.ts';
import type { Database, DatabaseHooks } from './database.ts';

/**
 * Opens the database that the configuration names. PostgreSQL is not connected to before the first query, so that the service
 * starts while it is down. Throws `ConfigError` when the embedded one cannot be opened.
 */
export async function openDatabase(config: Config['db'], hooks: DatabaseHooks = {}): Promise<Database> {
  // Imported when chosen: the embedded database costs a server deployment nothing, and the reverse.
  if (config.url !== null) {
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres(config.url, config, hooks);
  }
  const { openEmbedded } = await import('./embedded.ts');
  return openEmbedded(config, hooks);
}
