import type pg from 'pg';
import { limits } from '../../config/limits.ts';
import { NotOnReplica } from './fallback.ts';
import { NamedQuery, type QueryCallback } from './named-query.ts';
import { types, type Statement } from './reads.ts';
import type { SharedPool } from './shared-pool.ts';
import { boundRows, currentRowBound, type RowBound } from './statement-count.ts';

/** What a replica must have replayed for the rows of one call. */
export interface Freshness {
  readonly businessId: number;
  /** The least data version of the business. */
  readonly revision: bigint;
  /** Called when the rows are of a later data version. */
  readonly onLater: () => void;
}

/** Which server replays the writes of another one, and the data version of the business there; 0 if it has none. */
const readState = `
  SELECT pg_is_in_recovery() AS "isStandby",
         coalesce((SELECT r.revision FROM business_revisions r WHERE r.business_id = $1::int), 0) AS revision`;

/**
 * The statements of one call on a replica. Each packet holds a transaction with one snapshot: first the data version of the
 * business, then one statement, or the brief reads that the call sends at the same moment. So they need no round trip for the check, and
 * whatever server the connection leads to, its rows are as fresh as its data version. The snapshot costs two statements that read
 * nothing; without it, the rows could be of a later data version than the one that was read before them.
 */
export class FreshReads {
  readonly #pool: SharedPool;
  readonly #prepare: boolean;
  readonly #freshness: Freshness;
  /** The least data version for the next packet. A URL may lead to several replicas, and none may show less than the one before. */
  #least: bigint;
  #waiting: NamedQuery[] | null = null;

  constructor(pool: SharedPool, prepare: boolean, freshness: Freshness) {
    this.#pool = pool;
    this.#prepare = prepare;
    this.#freshness = freshness;
    this.#least = freshness.revision;
  }

  /** Rejects with NotOnReplica if the rows may be older than on the primary, or are late. */
  query({ name = '', ...statement }: Statement, isBrief: boolean): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      const query = extended({ ...statement, name }, (error, result) =>
        result ? resolve(result) : reject(error as Error),
      );
      if (!isBrief) this.#send([query]);
      else if (this.#waiting) this.#waiting.push(query);
      else {
        const waiting = (this.#waiting = [query]);
        // Every promise that is settled by now goes on before this, and may send another statement.
        process.nextTick(() => {
          this.#waiting = null;
          this.#send(waiting);
        });
      }
    });
  }

  #send(queries: readonly NamedQuery[]): void {
    const least = this.#least;
    const bound = currentRowBound();
    const rows = bound && new TrialRows(bound);
    const callbacks = queries.map(({ callback }) => callback);
    let staleness: NotOnReplica | null = null;
    let isGivenUp = false;
    const timer = setTimeout(() => {
      isGivenUp = true;
      rows?.giveBackAll();
      for (const callback of callbacks) callback?.(new NotOnReplica('timeout'));
    }, limits.replicaWaitMs);

    const check = this.#statement('check', readState, [this.#freshness.businessId], (_error, result) => {
      if (result && !isGivenUp) staleness = this.#judge(result.rows[0] as ReplicaState, least);
    });
    queries.forEach((query, index) => {
      query.callback = (error, result) => {
        if (isGivenUp) return;
        clearTimeout(timer);
        const failure = staleness ?? error;
        if (failure) rows?.giveBackAll();
        callbacks[index]?.(failure, failure ? undefined : result);
      };
    });
    const ignore = () => undefined;
    boundRows(rows, () =>
      this.#pool.queryAtOnce([
        this.#statement('begin', 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', [], ignore),
        check,
        ...queries,
        this.#statement('commit', 'COMMIT', [], ignore),
      ]),
    );
  }

  #judge({ isStandby, revision }: ReplicaState, least: bigint): NotOnReplica | null {
    if (!isStandby) return new NotOnReplica('down');
    if (revision < least) return new NotOnReplica('behind');
    if (revision > this.#freshness.revision) this.#freshness.onLater();
    if (revision > this.#least) this.#least = revision;
    return null;
  }

  #statement(name: string, text: string, values: unknown[], callback: QueryCallback): NamedQuery {
    return extended({ name: this.#prepare ? `callboard_fresh_${name}` : '', text, values, types }, callback);
  }
}

interface ReplicaState {
  readonly isStandby: boolean;
  readonly revision: bigint;
}

/** A statement without values and name would otherwise not be sent by the protocol that packets need. */
function extended(statement: pg.QueryConfig & { name: string }, callback: QueryCallback): NamedQuery {
  const query = new NamedQuery({ ...statement, queryMode: 'extended' } as typeof statement);
  query.callback = callback;
  return query;
}

/** Counts rows of a replica for a request, until it turns out that the request does not use them. */
class TrialRows implements RowBound {
  readonly #bound: RowBound;
  readonly #taken = { bytes: 0, cells: 0 };
  #isOver = false;

  constructor(bound: RowBound) {
    this.#bound = bound;
  }

  get refusal(): Error | null {
    return this.#bound.refusal;
  }

  takeRow(bytes: number, cells: number): boolean {
    if (this.#isOver) return false;
    this.#taken.bytes += bytes;
    this.#taken.cells += cells;
    return this.#bound.takeRow(bytes, cells);
  }

  giveBack(bytes: number, cells: number): void {
    this.#bound.giveBack(bytes, cells);
  }

  giveBackAll(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.giveBack(this.#taken.bytes, this.#taken.cells);
  }
}
