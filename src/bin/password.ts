import { isUtf8 } from 'node:buffer';
import askHidden from '@inquirer/password';
import type { Command } from 'commander';
import { loadConfig } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { Failure, invalid } from '../errors.ts';
import { isCommonPassword } from '../validation/common-passwords.ts';
import { compile } from '../validation/compile.ts';
import { closedObject, newPassword } from '../validation/schemas.ts';
import type { Shell } from './shell.ts';

export interface PasswordOptions {
  readonly passwordStdin?: true;
}

export const withPassword = (command: Command): Command =>
  command.option('--password-stdin', 'read the password from standard input instead of asking for it');

const checkLength = compile(closedObject({ password: newPassword() }));

/** Throws unless the service would accept the new password. */
function check(password: string, isCommonRefused: boolean): string {
  checkLength({ password });
  if (isCommonRefused && isCommonPassword(password))
    throw invalid({ password: ['is among the most common passwords'] });
  return password;
}

/** Reads a new password, never from the command line, which other users of the machine can see. */
export async function readPassword(shell: Shell, { passwordStdin }: PasswordOptions): Promise<string> {
  if (!passwordStdin && !shell.stdin.isTTY)
    throw new Failure('VALIDATION_FAILED', 'There is no terminal to ask for the password: use --password-stdin.');
  const { refuseCommonPasswords } = loadConfig(shell.env, { signsTokens: false }).auth;
  return check(
    passwordStdin ? await readStdin(shell) : await askTwice(shell, refuseCommonPasswords),
    refuseCommonPasswords,
  );
}

/** Reads everything except the line break that `echo` adds. */
async function readStdin({ stdin }: Shell): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > 2 * limits.passwordMaxBytes) break;
  }
  const read = Buffer.concat(chunks);
  if (!isUtf8(read) && bytes <= 2 * limits.passwordMaxBytes) throw invalid({ password: ['must be UTF-8'] });
  return read.toString().replace(/\r?\n$/, '');
}

/** The prompt uses stderr, because stdout is for the result only. */
async function askTwice(shell: Shell, isCommonRefused: boolean): Promise<string> {
  const onStderr = { input: shell.stdin, output: shell.stderr };
  const password = await askHidden(
    { message: 'Password:', validate: (text) => complaint(text, isCommonRefused) },
    onStderr,
  );
  const validate = (again: string) => again === password || 'That is another one. Once more';
  await askHidden({ message: 'Again:', validate }, onStderr);
  return password;
}

function complaint(password: string, isCommonRefused: boolean): true | string {
  try {
    check(password, isCommonRefused);
    return true;
  } catch (error) {
    return ((error as Failure).errors?.['password'] ?? []).map((text) => `The password ${text}.`).join(' ');
  }
}
