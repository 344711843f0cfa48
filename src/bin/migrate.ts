import type { Command } from 'commander';
import { onDatabase } from './on-database.ts';
import { printing } from './outcome.ts';

export function migrateCommand(program: Command): void {
  program.command('migrate').description('apply pending migrations').action(printing(migrate));
}

const migrate = () =>
  onDatabase({ migrates: true }, async (_database, _config, applied) => ({
    json: { applied },
    text: applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.',
  }));
