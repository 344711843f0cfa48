import type { Command } from 'commander';
import { exits, type Exit } from './exits.ts';
import { oneLine } from './explain.ts';
import type { Shell } from './shell.ts';

/** The result of a command, as JSON for scripts and as text for people. */
export interface CommandOutcome {
  readonly json: object;
  readonly text: string;
  /** Exit status of a command that printed its result but did not reach its goal. */
  readonly exit?: Exit;
}

/** Creates a commander action that prints its outcome when all is done: text, or one JSON document with `--json`. */
export const printing =
  <Args extends unknown[]>(shell: Shell, run: (shell: Shell, ...args: Args) => Promise<CommandOutcome>) =>
  async (...args: [...Args, Command]): Promise<void> => {
    const command = args.at(-1) as Command;
    const { json, text, exit } = await run(shell, ...(args.slice(0, -1) as Args));
    const isForScripts = command.optsWithGlobals()['json'] === true;
    shell.stdout.write(`${isForScripts ? JSON.stringify(json) : text}\n`);
    if (exit) shell.exitCode = exits[exit].status;
  };

type OutputCell = string | number | null;

/** Formats rows as aligned columns, in the order of the first row's keys; numbers are right-aligned. */
export function table(rows: readonly Record<string, OutputCell>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const columns = names.map((name) => {
    const cells = [name.replaceAll('_', ' ').toUpperCase(), ...rows.map((row) => oneLine(String(row[name] ?? '-')))];
    const width = Math.max(...cells.map((cell) => [...cell].length));
    const isNumeric = rows.every((row) => typeof row[name] === 'number');
    return cells.map((cell) => {
      const space = ' '.repeat(width - [...cell].length);
      return isNumeric ? space + cell : cell + space;
    });
  });
  return [-1, ...rows.keys()]
    .map((row) =>
      columns
        .map((cells) => cells[row + 1])
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats a time for tables: UTC, to the minute. */
export const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
