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
import type { Shell } from './shell.ts';
import { userCommands } from './user.ts';

/* The command line for operators. Results go to stdout, everything else to stderr. */

function createProgram(shell: Shell): Command {
  // These settings must come before the commands, which inherit them.
  const program = new Command('callboard')
    .description('Callboard, an event staffing service.')
    .version(version)
    .option('--json', 'print one JSON document for scripts')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => shell.stdout.write(text),
      writeErr: (text) => shell.stderr.write(text),
      outputError: () => undefined,
    })
    .exitOverride()
    .addHelpText(
      'after',
      `\nSettings, such as DATABASE_URL and DATA_DIR, come from the environment. src/guide/operators.md lists them.`,
    )
    .addHelpText('after', `\nExit status:\n${exitTable()}`);

  program
    .command('serve')
    .description('run the service until SIGTERM or SIGINT; migrates the database first')
    .option(
      '--no-jobs',
      'leave the jobs (webhooks, mails, offers, swaps, the deletion of old entries) to `callboard work`',
    )
    .action(async ({ jobs }: { jobs: boolean }) => {
      const config = loadConfig(shell.env);
      const { startService } = await import('./start-service.ts');
      await startService(config, { jobs });
    });
  program
    .command('work')
    .description(
      'run the jobs (webhooks, mails, offers, swaps, the deletion of old entries) until SIGTERM or SIGINT, without serving; needs DATABASE_URL',
    )
    .action(async () => {
      const config = loadConfig(shell.env);
      const { startTracing } = await import('./tracing.ts');
      const tracing = await startTracing(config);
      const { work } = await import('./work.ts');
      await work(config, tracing);
    });
  migrateCommand(program, shell);
  retimeCommand(program, shell);
  seedCommand(program, shell);
  backupCommands(program, shell);
  configCommands(program, shell);
  businessCommands(program, shell);
  userCommands(program, shell);
  keyCommands(program, shell);
  checkIsolationCommand(program, shell);
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

/** Runs the command that the words name. The exit status is that of the shell when nothing is left to do. */
export async function runCommandLine(words: readonly string[], shell: Shell): Promise<void> {
  if (words.length === 0) {
    shell.stderr.write(firstSteps);
    shell.exitCode = exits.invalid.status;
    return;
  }
  try {
    await createProgram(shell).parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) endWith(shell, error);
    else if (error.exitCode === 0) shell.exitCode = exits.done.status;
    else if (error.code === 'commander.help') shell.exitCode = exits.invalid.status;
    else endWith(shell, new Failure('VALIDATION_FAILED', error.message.replace(/^error: /, '')));
  }
}
