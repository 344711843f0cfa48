import pg from 'pg';
import { inCurrentContext } from './async-context.ts';
import type { ServerClient } from './connection.ts';
import { SessionError } from './failures.ts';
import type { NamedQuery } from './named-query.ts';
import { QueryBatch } from './query-batch.ts';
import { StatementTurns, type StatementTurnsConfig, type Turn } from './statement-turns.ts';

type Connected = (error: Error | undefined, client: pg.PoolClient, release: (error?: Error | boolean) => void) => void;

/** pg's methods, as they are called here. */
interface Internals {
  connect(connected: Connected): void;
  query(...args: unknown[]): unknown;
}

const internals = pg.Pool.prototype as unknown as Internals;

/**
 * A pool of connections at whose door businesses take turns. A turn lasts from `connect` until the connection is released, so
 * it covers single statements and transactions alike, whoever sends them.
 */
export class SharedPool extends pg.Pool {
  readonly #turns: StatementTurns;
  readonly #turnByClient = new Map<object, Turn>();
  /** pg's `query` calls `connect` before it returns. */
  #isInQuery = false;

  constructor(options: pg.PoolConfig, turns: StatementTurnsConfig) {
    super(options);
    this.#turns = new StatementTurns(turns);
    // A connection can break in the moment between its release by one caller and its use by the next, who has no listener yet.
    // Without any listener, the event would end the process; the next statement reports the failure.
    this.on('connect', (client) => client.on('error', () => undefined));
    this.on('release', (_error: unknown, client: object) => {
      const turn = this.#turnByClient.get(client);
      this.#turnByClient.delete(client);
      if (turn) this.#turns.end(turn);
    });
    // Replaces pg's methods, whose overloads a method could not repeat.
    Object.assign(this, {
      connect: (connected?: Connected) => (connected ? this.#connect(connected) : this.#connectLater()),
      query: (...args: unknown[]) => this.#query(args),
    });
  }

  /** Statements and transactions that wait for their turn. */
  get turnsWaiting(): number {
    return this.#turns.waitingCount;
  }

  /** Runs statements that need each other as one packet on one connection, and never behind a pooler. Each calls its own callback. */
  queryAtOnce(queries: readonly NamedQuery[]): void {
    this.#connect((error, client, release) => {
      const isShared = !error && (client as unknown as ServerClient).connection.isShared;
      if (isShared) release();
      const refusal =
        error ?? (isShared ? new SessionError('The statements cannot go together behind a pooler.') : null);
      if (refusal) for (const query of queries) query.callback?.(refusal);
      else this.#send(client, queries, release);
    }, true);
  }

  /** Runs statements on one connection, in one turn. Each calls its own callback. */
  queryTogether(queries: readonly NamedQuery[]): void {
    this.#connect((error, client, release) => {
      if (error) for (const query of queries) query.callback?.(error);
      else if ((client as unknown as ServerClient).connection.isShared) {
        // Behind a pooler, each statement brings settings of its own.
        release();
        for (const query of queries) this.#queryAlone(query);
      } else this.#send(client, queries, release);
    }, true);
  }

  #send(client: pg.PoolClient, queries: readonly NamedQuery[], release: (error?: Error) => void): void {
    releaseAfter(queries, release);
    client.query(new QueryBatch(queries) as unknown as pg.Submittable);
  }

  /** pg's pool has a callback of its own, which calls the given one. */
  #queryAlone(query: NamedQuery): void {
    const { callback } = query;
    query.callback = undefined;
    this.#query([query, callback]);
  }

  #query(args: unknown[]): unknown {
    this.#isInQuery = true;
    try {
      return internals.query.apply(this, args);
    } finally {
      this.#isInQuery = false;
    }
  }

  #connectLater(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      this.#connect((error, client) => (error ? reject(error) : resolve(client)));
    });
  }

  #connect(connected: Connected, isStatement = this.#isInQuery): void {
    this.#turns.take(
      isStatement,
      (turn) => this.#connectIn(turn, connected),
      (reason) => connected(reason, undefined as never, () => undefined),
    );
  }

  #connectIn(turn: Turn, connected: Connected): void {
    const begin = dropWhenCalled<Parameters<Connected>>((error, client, release) => {
      if (error) this.#turns.end(turn);
      else {
        this.#turnByClient.set(client, turn);
        this.#turns.start(turn);
      }
      connected(error, client, release);
    });
    // The pool may hand over the connection in the async context of whoever gives one back, even if another one is free now.
    internals.connect.call(this, inCurrentContext(begin));
  }
}

/** Releases a connection when the last of its queries has ended; after a failure it is closed, as by pg's own pool. */
function releaseAfter(queries: readonly NamedQuery[], release: (error?: Error) => void): void {
  let running = queries.length;
  let failure: Error | undefined;
  for (const query of queries) {
    const { callback } = query;
    query.callback = (error, result) => {
      failure ??= error ?? undefined;
      running--;
      if (running === 0) release(failure);
      callback?.(error, result);
    };
  }
}

/**
 * pg and its pool keep a callback as long as the connection is open, and with it the rows of the query that the connection was
 * opened for. This one drops the function that it calls.
 */
function dropWhenCalled<Args extends unknown[]>(callback: (...args: Args) => void): (...args: Args) => void {
  let pending: typeof callback | undefined = callback;
  return (...args) => {
    const called = pending;
    pending = undefined;
    called?.(...args);
  };
}
