import { Readable, Writable } from 'node:stream';
import { runCommandLine } from '../../src/bin/command-line.ts';
import type { Shell } from '../../src/bin/shell.ts';

/** The words of a command as a shell would split it. */
export const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);

/** Runs a command in this process, with streams and an environment of its own. */
export async function runCommand(words: readonly string[], env: Readonly<Record<string, string>>, stdin = '') {
  const written = { stdout: '', stderr: '' };
  const collect = (name: keyof typeof written) =>
    new Writable({
      write(chunk, _encoding, done) {
        written[name] += String(chunk);
        done();
      },
    });
  const shell: Shell = {
    env,
    stdin: Readable.from(stdin ? [Buffer.from(stdin)] : []),
    stdout: collect('stdout'),
    stderr: collect('stderr'),
  };
  await runCommandLine(words, shell);
  return { status: Number(shell.exitCode ?? 0), ...written };
}
