#!/usr/bin/env -S node --max-semi-space-size=16
import { runCommandLine } from './command-line.ts';
import { endWith } from './explain.ts';

// EPIPE means that the reader of the pipe has stopped, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') endWith(process, error);
});
process.stderr.on('error', () => undefined);

await runCommandLine(process.argv.slice(2), process);
