import pg from 'pg';
import { serveCommands } from './child.ts';

/* The database's limit: prepared statements through a plain pool, as many at a time as it has connections. */

export interface Job {
  /** Sent one after another; the answer's first column is received as text. */
  readonly statements: readonly { readonly text: string; readonly takesValues?: boolean }[];
  /** Taken in turn. */
  readonly values: readonly (readonly unknown[])[];
  readonly seconds: number;
}

export interface Done {
  readonly seconds: number;
  readonly latenciesMs: number[];
}

const connections = 10;
const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: connections,
  options: '-c jit=off -c timezone=UTC',
});

async function run({ statements, values, seconds }: Job): Promise<Done> {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + 1000 * seconds;
  let next = 0;
  const work = async () => {
    while (performance.now() < endsAt) {
      const given = values[next++ % values.length] as unknown[];
      const sentAt = performance.now();
      if (statements.length === 1) await pool.query(prepared(statements[0] as Job['statements'][0], given));
      else await inTransaction(statements, given);
      latenciesMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return { seconds: (performance.now() - startedAt) / 1000, latenciesMs };
}

async function inTransaction(statements: Job['statements'], given: readonly unknown[]): Promise<void> {
  const client = await pool.connect();
  try {
    for (const statement of statements) await client.query(prepared(statement, given));
  } finally {
    client.release();
  }
}

const names = new Map<string, string>();
function prepared({ text, takesValues = true }: Job['statements'][0], given: readonly unknown[]) {
  if (!takesValues) return { text };
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = `s${names.size}`));
  return { name, text, values: [...given] };
}

async function answer({ statements, values }: Job): Promise<unknown> {
  const { rows } = await pool.query({
    ...prepared(statements[0] as Job['statements'][0], values[0] ?? []),
    rowMode: 'array',
  });
  return (rows[0] as unknown[])[0];
}

serveCommands(0, { run, answer });
