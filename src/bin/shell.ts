import type { Readable, Writable } from 'node:stream';

/** Where a command was called from: the process that runs the command line. A test calls commands with streams of its own. */
export interface Shell {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable & { isTTY?: boolean };
  /** Status that the process ends with when nothing is left to do. */
  exitCode?: number | string | null | undefined;
}
