/** The side of a contender that runs in a process of its own: says that it is ready, and does what it is asked to. */
export function serveCommands(port: number, commands: Record<string, (input: never) => unknown> = {}): void {
  process.on('message', (message: { id: number; command: string; input: unknown }) => {
    void answer(message);
  });
  process.once('SIGTERM', () => process.exit(0));
  process.once('disconnect', () => process.exit(0));
  process.send?.({ ready: port });

  async function answer({ id, command, input }: { id: number; command: string; input: unknown }) {
    try {
      process.send?.({ id, answer: await commands[command]?.(input as never) });
    } catch (error) {
      process.send?.({ id, error: String(error) });
    }
  }
}

interface Queries {
  query: (...args: never[]) => unknown;
}

/** Counts what every client of `pg` sends, BEGIN and COMMIT included; and the requests that it is sent for. */
export function countStatements({ prototype }: { prototype: Queries }) {
  const counts = { requests: 0, statements: 0 };
  const { query } = prototype;
  prototype.query = function counted(this: Queries, ...args) {
    counts.statements++;
    return query.apply(this, args);
  };
  return counts;
}

export const portOf = (address: unknown): number => (address as { port: number }).port;
