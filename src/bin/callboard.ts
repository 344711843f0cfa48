#!/usr/bin/env -S node --max-semi-space-size=16
import { Command, CommanderError } from 'commander';
import { loadConfig } from '../config/config.ts';
import { Failure } from '../errors.ts';
import { version } from '../version.ts';
import { backupCommands } from './backup.ts';
import { businessCommands } from './business.ts';
import { configCommands } from './config.ts';
import { exits, exitTable } from './exits.ts';
import { endWith } from './explain.ts';
import { keyCommands } from './key.ts';
import { migrateCommand } from './migrate.ts';
import { checkIsolationCommand } from './check-isolation.ts';
import { retimeCommand } from './retime.ts';
import { seedCommand } from './seed.ts';
import { userCommands } from './user.ts';

/* The command line for operators. Results go to stdout, everything else to stderr. */

function createProgram(): Command {
  // These settings must come before the commands, which inherit them.
  const program = new Command('callboard')
    .description('Callboard, an event staffing service.')
    .version(version)
    .option('--json', 'print one JSON document for scripts')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: () => undefined })
    .exitOverride()
    .addHelpText(
      'after',
      `\nSettings, such as DATABASE_URL and DATA_DIR, come from the environment. src/guide/operators.md lists them.`,
    )
    .addHelpText('after', `\nExit status:\n${exitTable()}`);

  program
    .command('serve')
    .description('run the service until SIGTERM or SIGINT; migrates the database first')
    .option('--no-jobs', 'leave webhooks and the deletion of old entries to `callboard work`')
    .action(async ({ jobs }: { jobs: boolean }) => {
      const config = loadConfig();
      const { startService } = await import('./start-service.ts');
      await startService(config, { jobs });
    });
  program
    .command('work')
    .description('deliver webhooks and delete old entries until SIGTERM or SIGINT, without serving; needs DATABASE_URL')
    .action(async () => {
      const config = loadConfig();
      const { startTracing } = await import('./tracing.ts');
      const tracing = await startTracing(config);
      const { work } = await import('./work.ts');
      await work(config, tracing);
    });
  migrateCommand(program);
  retimeCommand(program);
  seedCommand(program);
  backupCommands(program);
  configCommands(program);
  businessCommands(program);
  userCommands(program);
  keyCommands(program);
  checkIsolationCommand(program);
  return program;
}

/** What a newcomer needs to know. `--help` shows everything. */
const firstSteps = `Callboard ${version}, an event staffing service.

To look at it, run
  callboard serve
It serves two demo businesses on an embedded database in .callboard/, and prints its address and how to log in.
Ctrl+C stops it.

To run it on PostgreSQL, set DATABASE_URL and JWT_SECRETS, and run
  callboard config check
  callboard business create --name <text> --plan <plan> --admin-email <address> --admin-name <text>
  callboard serve

All commands: callboard --help. The guide for operators is src/guide/operators.md here, and /guide/operators when it serves.
Where the command is not found, write "npx callboard".
`;

// EPIPE means that the reader of the pipe has stopped, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') endWith(error);
});
process.stderr.on('error', () => undefined);

try {
  if (process.argv.length > 2) await createProgram().parseAsync();
  else {
    process.stderr.write(firstSteps);
    process.exitCode = exits.invalid.status;
  }
} catch (error) {
  if (!(error instanceof CommanderError)) endWith(error);
  else if (error.exitCode === 0) process.exitCode = exits.done.status;
  else if (error.code === 'commander.help') process.exitCode = exits.invalid.status;
  else endWith(new Failure('VALIDATION_FAILED', error.message.replace(/^error: /, '')));
}
