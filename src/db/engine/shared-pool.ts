import pg from 'pg';
import { inCurrentContext } from './async-context.ts';
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

  #connect(connected: Connected): void {
    this.#turns.take(
      this.#isInQuery,
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
