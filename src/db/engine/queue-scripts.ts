import type { Server } from './pool.ts';

/** Whether SQL of the job queue is a script, which begins and commits a transaction. */
export function isScript(text: string): boolean {
  return /^\s*BEGIN;/.test(text);
}

/** Runs a script in a transaction, which it begins and commits itself otherwise. */
export function runScript({ transact }: Server, script: string): Promise<{ rows: unknown[] }> {
  const statements = script.replace(/^\s*BEGIN;/, '').replace(/COMMIT;\s*$/, '');
  return transact({}, async (client) => {
    await client.query(statements);
    return { rows: [] };
  });
}
