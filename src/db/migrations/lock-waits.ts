import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { limits } from '../../config/limits.ts';

/** From the weakest to the strongest. */
const lockModes = [
  'ACCESS SHARE',
  'ROW SHARE',
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'EXCLUSIVE',
  'ACCESS EXCLUSIVE',
];

/** The name that SQL has for a column of modes such as `AccessExclusiveLock`. */
export const lockModeSql = (column: string): string =>
  `upper(regexp_replace(replace(${column}, 'Lock', ''), '(\\w)([A-Z])', '\\1 \\2', 'g'))`;

export const strongerLock = (one: string, other: string): string =>
  lockModes.indexOf(one) > lockModes.indexOf(other) ? one : other;

/** The lock that a session waited for when it was last looked at. */
export interface LockWait {
  readonly pid: number;
  readonly mode: string;
  /** The table, as SQL; null where the lock is on something else, such as a transaction that has to end. */
  readonly table: string | null;
  /** A text for operators about the sessions that hold the lock. */
  readonly blockers: string;
}

/** A session by its process, or by the statement that it runs: behind a pooler, a lone statement cannot ask for its process. */
export type Waiter = { readonly pid: number } | { readonly sql: string };

/**
 * A wait for a row is one for its transaction, beside a lock on the row itself, which names the table. Roles without the right to
 * see the sessions of others see no more than their processes.
 */
const findWait = `
  SELECT l.pid, ${lockModeSql('l.mode')} AS mode, t.oid::regclass::text AS "table",
         (SELECT string_agg(concat('process ', a.pid, ' (', concat_ws(', ', nullif(a.application_name, ''), 'role ' || a.usename, a.state,
                   'its transaction began ' || extract(epoch FROM clock_timestamp() - a.xact_start)::int || ' s ago',
                   'its last statement ' || extract(epoch FROM clock_timestamp() - a.query_start)::int || ' s ago'), ')'), ' and ')
            FROM pg_stat_activity a WHERE a.pid = ANY (pg_blocking_pids(l.pid))) AS blockers
    FROM pg_locks l
    LEFT JOIN pg_locks r ON r.pid = l.pid AND r.locktype = 'tuple' AND r.granted
    LEFT JOIN pg_index i ON i.indexrelid = l.relation
    LEFT JOIN pg_class t ON t.oid = coalesce(i.indrelid, l.relation, r.relation) AND t.relkind IN ('r', 'p')
   WHERE NOT l.granted
     AND l.pid = coalesce($1::int, (SELECT a.pid FROM pg_stat_activity a
                                     WHERE a.datname = current_database() AND a.usename = current_user AND a.state = 'active'
                                       AND a.query <> '' AND starts_with($2, a.query) LIMIT 1))
   LIMIT 1`;

/** Watches a session until its work is done. Returns the work's result, or throws its error; `last` says what it waited for. */
export async function watchWaits<T>(
  observer: pg.Pool,
  waiter: Waiter,
  onWait: (wait: LockWait, waitedMs: number) => unknown,
  work: () => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const values = 'pid' in waiter ? [waiter.pid, null] : [null, waiter.sql];
  const watch = async () => {
    let since: number | null = null;
    while (!ended.signal.aborted) {
      await sleep(limits.pollMs, undefined, { signal: ended.signal });
      const [wait] = (await observer.query<LockWait>(findWait, values)).rows;
      since = wait ? (since ?? Date.now()) : null;
      if (wait && since !== null) await onWait(wait, Date.now() - since);
    }
  };
  // It only explains: where it cannot look, the work goes on.
  const watching = watch().catch(() => undefined);
  try {
    return await work();
  } finally {
    ended.abort();
    await watching;
  }
}
