/** What the exit status says, by kind. `callboard --help` prints it. */
export const exits = {
  done: { status: 0, meaning: 'done' },
  failed: { status: 1, meaning: 'failed, for a reason not named below' },
  invalid: { status: 2, meaning: 'wrong usage, input or setting' },
  notFound: { status: 3, meaning: 'what was named does not exist' },
  conflict: { status: 4, meaning: 'what is there stands against it: an e-mail is taken, a database is not empty' },
  noDatabase: { status: 5, meaning: 'the database cannot be reached, opened or used, or another process has it' },
  interrupted: { status: 130, meaning: 'interrupted at a prompt' },
} as const;

export type Exit = keyof typeof exits;

export const exitTable = (): string =>
  Object.values(exits)
    .map(({ status, meaning }) => `  ${String(status).padEnd(5)}${meaning}`)
    .join('\n');
