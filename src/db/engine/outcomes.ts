import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { limits } from '../../config/limits.ts';
import { outcomeUnknown } from '../../errors.ts';
import { isAnswerToCommit } from './failures.ts';
import type { Server } from './pool.ts';

/*
 * A connection can break after COMMIT was sent and before it was answered. What the client sees is the same whether or not the
 * transaction is stored, so PostgreSQL is asked on another connection. For this, the id of each transaction is read before its COMMIT,
 * and a statement that writes alone gets a transaction of its own.
 */

interface Written {
  readonly xid: string;
  /** Tells the server that gave the id. After a failover or a crash, another transaction may get the same id. */
  readonly history: string | null;
}

/** The timeline, which a failover changes, and when statistics began, which is anew after a crash and not after a restart. */
const history = `concat_ws(' ', left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
  extract(epoch FROM pg_stat_get_bgwriter_stat_reset_time()))`;

/** Reads the id and the history of the transaction; nulls if it has not written. */
export const readWritten = `
  SELECT xid::text, CASE WHEN xid IS NOT NULL THEN ${history} END AS history FROM pg_current_xact_id_if_assigned() AS xid`;

/** Reads the same of a transaction that is going to write. A standby gives no id, and refuses the write itself. */
const giveId = `
  SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_current_xact_id()::text END AS xid,
         CASE WHEN pg_is_in_recovery() THEN NULL ELSE ${history} END AS history`;

/** A standby, which may lag behind, knows no status. */
export const readStatus = `
  SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_xact_status($1::text::xid8) END AS status,
         CASE WHEN pg_is_in_recovery() THEN NULL ELSE ${history} END AS history`;

export interface Status {
  readonly status: string | null;
  readonly history: string | null;
}

/** Asks about a transaction, on another connection than its own. */
export type AskStatus = (xid: string) => Promise<Status>;

/** Asks on connections of a pool. */
export function askOn(pool: () => pg.Pool): AskStatus {
  return async (xid) => (await pool().query<Status>(readStatus, [xid])).rows[0]!;
}

/**
 * Commits a transaction. If its COMMIT is not answered, the outcome is found out: this resolves if it is stored, throws the error
 * of the connection if it is not, and throws OUTCOME_UNKNOWN if nobody can tell.
 */
export async function commitSurely(written: Written | null, commit: () => Promise<unknown>, ask: AskStatus) {
  try {
    await commit();
  } catch (error) {
    if (!written || isAnswerToCommit(error)) throw error;
    const outcome = await findOutcome(written, ask);
    if (outcome === 'committed') return;
    throw outcome === 'aborted' ? error : outcomeUnknown(error);
  }
}

async function findOutcome(written: Written, ask: AskStatus): Promise<'committed' | 'aborted' | null> {
  const deadline = performance.now() + limits.longWaitMs;
  do {
    const found = await ask(written.xid).catch(() => null);
    if (found?.status === 'aborted') return 'aborted';
    if (found?.status === 'committed') return found.history === written.history ? 'committed' : null;
    await wait(limits.pollMs);
  } while (performance.now() < deadline);
  return null;
}

/** Sends a statement that writes in a transaction of its own, so that its outcome can be found out. */
export function writeAlone<T>(
  server: Server,
  send: (client: pg.PoolClient, canPrepare: boolean) => Promise<T>,
  ask: AskStatus,
): Promise<T> {
  let written: Written | null = null;
  // The id comes with BEGIN, which saves a round trip.
  return server.transact(
    { first: giveId, end: (commit) => commitSurely(written, commit, ask) },
    (client, canPrepare, found) => {
      if (found?.['xid']) written = { xid: found['xid'], history: found['history'] ?? null };
      return send(client, canPrepare);
    },
  );
}
