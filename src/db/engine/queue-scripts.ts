import type pg from 'pg';

/** Whether SQL of the job queue is a script, which begins and commits a transaction. */
export function isScript(text: string): boolean {
  return /^\s*BEGIN;/.test(text);
}

/**
 * Runs a script in a transaction. Its BEGIN and COMMIT are sent apart, because a connection behind a pooler adds its settings to
 * the BEGIN, and takes no more than one statement outside a transaction.
 */
export async function runScript(pool: pg.Pool, script: string): Promise<{ rows: unknown[] }> {
  const statements = script.replace(/^\s*BEGIN;/, '').replace(/COMMIT;\s*$/, '');
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(statements);
    await client.query('COMMIT');
    return { rows: [] };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
