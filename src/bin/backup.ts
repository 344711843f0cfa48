import type { Command } from 'commander';
import { ConfigError, loadConfig } from '../config/config.ts';
import { printing } from './outcome.ts';
import type { Shell } from './shell.ts';

interface Options {
  readonly force?: true;
}

export function backupCommands(program: Command, shell: Shell): void {
  program
    .command('backup')
    .description('write the embedded database to a file; it contains no signing secrets')
    .argument('<file>', 'where to')
    .option('--force', 'overwrite the file')
    .action(printing(shell, backup));
  program
    .command('restore')
    .description('restore a backup into an empty or missing DATA_DIR')
    .argument('<file>', 'a file that backup wrote')
    .option('--force', 'move an existing database aside')
    .action(printing(shell, restore));
}

async function backup(shell: Shell, file: string, options: Options) {
  const dataDir = embeddedDataDir(shell, `pg_dump --format=custom --file=${file} "$DATABASE_URL"`);
  const { backUp } = await import('./backup-archive.ts');
  const { schema, rows, bytes } = await backUp(dataDir, file, options);
  return {
    json: { file, bytes, schema, rows },
    text: `Wrote ${file}: ${count(bytes)} bytes, ${told(rows)}; schema ${schema}.`,
  };
}

async function restore(shell: Shell, file: string, options: Options) {
  const dataDir = embeddedDataDir(shell, `pg_restore --exit-on-error --no-owner --dbname="$DATABASE_URL" ${file}`);
  const { restore: restoreFrom } = await import('./backup-archive.ts');
  const { schema, pending, rows, movedAside } = await restoreFrom(dataDir, file, options);
  return {
    json: { data_dir: dataDir, schema, pending_migrations: pending, rows, moved_aside: movedAside },
    text: [
      `Restored ${file} into ${dataDir}: ${told(rows)}; schema ${schema}.`,
      ...(pending > 0 ? ['The next start brings the schema up to date.'] : []),
      ...(movedAside === null ? [] : [`The database that was there is in ${movedAside}.`]),
    ].join('\n'),
  };
}

/** PostgreSQL has programs of its own for it: `instead` is what to type. */
function embeddedDataDir(shell: Shell, instead: string): string {
  const { db } = loadConfig(shell.env, { signsTokens: false });
  if (db.url === null) return db.dataDir;
  throw new ConfigError(`This command is for the embedded database. With DATABASE_URL, use: ${instead}`);
}

const count = (n: number): string => n.toLocaleString('en-US');

const told = ({ businesses = 0, events = 0, ...others }: Record<string, number>): string => {
  const all = Object.values(others).reduce((sum, n) => sum + n, businesses + events);
  return `${count(businesses)} businesses, ${count(events)} events, ${count(all)} rows in all`;
};
