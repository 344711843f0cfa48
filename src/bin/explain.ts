import { ConfigError } from '../config/config.ts';
import { DataDirError, fullDiskAdvice } from '../db/engine/data-dir.ts';
import { isDenied, isDiskFull, isTurnedAway, isUnreachable, UnfitDatabase } from '../db/engine/failures.ts';
import { MigrationBlocked } from '../db/migrations/migrate.ts';
import { Failure, type FailureCode } from '../errors.ts';
import { exits, type Exit } from './exits.ts';
import type { Shell } from './shell.ts';

const exitByCode: Partial<Record<FailureCode, Exit>> = {
  VALIDATION_FAILED: 'invalid',
  NOT_FOUND: 'notFound',
  CONFLICT: 'conflict',
};

/** Prints one line to stderr and sets the exit status; the process ends when nothing is left to do. */
export function endWith(shell: Pick<Shell, 'stderr' | 'exitCode'>, error: unknown): void {
  const [exit, line] = explain(error);
  shell.stderr.write(`callboard: ${oneLine(line)}\n`);
  shell.exitCode = exits[exit].status;
}

function explain(error: unknown): [Exit, string] {
  if (error instanceof Failure) return [exitByCode[error.code] ?? 'failed', textOf(error)];
  if (error instanceof DataDirError || error instanceof UnfitDatabase || error instanceof MigrationBlocked)
    return ['noDatabase', error.message];
  if (error instanceof ConfigError) return ['invalid', error.message];
  if (isDiskFull(error)) return ['noDatabase', `A disk is full: ${causeOf(error)}. ${fullDiskAdvice}`];
  if (isUnreachable(error)) return ['noDatabase', `The database cannot be reached: ${causeOf(error)}`];
  if (isTurnedAway(error)) return ['noDatabase', `The database cannot be used: ${causeOf(error)}`];
  if (isDenied(error) || isDenied((error as Error).cause))
    return ['noDatabase', `The role lacks a right on the database: ${causeOf(error)}`];
  if (error instanceof Error && error.name === 'ExitPromptError') return ['interrupted', 'Interrupted.'];
  return ['failed', causeOf(error)];
}

/** Field errors are named by the option that they came from, also those of one of several values. */
function textOf({ message, errors }: Failure): string {
  if (!errors) return message;
  const texts = Object.entries(errors).flatMap(([field, all]) => all.map((text) => `${optionOf(field)} ${text}`));
  return texts.join('; ');
}

const optionOf = (field: string): string =>
  field === 'password'
    ? 'the password'
    : `--${field.replace(/\..*/, '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * Prisma wraps the database's message in several lines, and the error for several unreachable addresses has no message.
 */
export function causeOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return causeOf(error.errors[0]);
  const message = error instanceof Error ? error.message : String(error);
  return /Message: `([^]*)`\s*$/.exec(message)?.[1] ?? message.replace(/^\s*Invalid `[^`]*` invocation[^\n]*/, '');
}

/** Control characters may come from anywhere and would be obeyed by a terminal. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
