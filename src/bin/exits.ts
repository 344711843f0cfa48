/** Exit statuses by kind. `callboard --help` prints this table. */
export const exits = {
  done: { status: 0, meaning: 'done' },
  failed: { status: 1, meaning: 'failed, for a reason not named below' },
  invalid: { status: 2, meaning: 'wrong usage, input or setting' },
  notFound: { status: 3, meaning: 'the named user, business, key or file does not exist' },
  conflict: { status: 4, meaning: 'conflict with existing data: an e-mail is taken, or the database is not empty' },
  noDatabase: { status: 5, meaning: 'the database cannot be reached, opened or used, or another process is using it' },
  interrupted: { status: 130, meaning: 'interrupted at a prompt' },
} as const;

export type Exit = keyof typeof exits;

export const exitTable = (): string =>
  Object.values(exits)
    .map(({ status, meaning }) => `  ${String(status).padEnd(5)}${meaning}`)
    .join('\n');
