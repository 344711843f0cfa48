import type { Command } from 'commander';
import { onDatabase } from './on-database.ts';
import { printing, table } from './outcome.ts';
import type { Shell } from './shell.ts';

export function migrateCommand(program: Command, shell: Shell): void {
  program
    .command('migrate')
    .description('apply pending migrations')
    .option('--plan', 'only show them, with the locks that they take and the sizes of the tables')
    .action(printing(shell, run));
}

const run = (shell: Shell, { plan: plans = false }: { plan?: boolean }) => (plans ? plan(shell) : migrate(shell));

const migrate = (shell: Shell) =>
  onDatabase(shell, { schema: 'migrated' }, async (_database, _config, applied) => ({
    json: { applied },
    text: applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.',
  }));

const plan = (shell: Shell) =>
  onDatabase(shell, { schema: 'as it is' }, async (database) => {
    const { planMigrations } = await import('./migration/migration-plan.ts');
    const planned = await planMigrations(database.prisma, await database.pending());
    const rows = planned.flatMap(({ name, isAlone, locks }) =>
      locks.map(({ table: locked, mode, stops, bytes, rows: count }) => ({
        migration: name,
        table: locked,
        lock: mode,
        stops,
        megabytes: Math.round(bytes / 1_048_576),
        rows: count,
        transaction: isAlone ? 'none' : 'one',
      })),
    );
    const free = planned.filter(({ locks }) => locks.length === 0).map(({ name }) => name);
    const lines = [
      ...(planned.length === 0 ? ['The database is up to date.'] : []),
      ...(rows.length > 0 ? [table(rows)] : []),
      ...(free.length > 0 ? [`Without a lock on a table that is there: ${free.join(', ')}.`] : []),
    ];
    const pending = planned.map(({ name, isAlone, locks }) => ({ name, in_transaction: !isAlone, locks }));
    return { json: { pending }, text: lines.join('\n') };
  });
