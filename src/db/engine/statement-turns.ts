import { limits } from '../../config/limits.ts';
import { unavailable } from '../../errors.ts';
import { FairQueue } from '../../fair-queue.ts';
import { inCurrentContext } from './async-context.ts';
import { payerOfStatements } from './statement-count.ts';

/** The id of a business; undefined for statements of no business, such as the look-up of a credential. */
type Payer = number | undefined;

export interface StatementTurnsConfig {
  /** Turns of all businesses together: one for each connection. */
  readonly total: number;
  /** Turns of one business. It is lowered where it would be all of several connections. */
  readonly share: number;
  /** Longest wait for a connection, except for those of the same business. */
  readonly waitMs: number;
}

/** The right to one connection: for a statement, or for a transaction until it ends. */
export class Turn {
  readonly payer: Payer;
  readonly isStatement: boolean;
  startedAt = 0;
  isOver = false;

  constructor(payer: Payer, isStatement: boolean) {
    this.payer = payer;
    this.isStatement = isStatement;
  }
}

/**
 * Divides the connections among the businesses, so that none takes all of them or all cores of the database. While several
 * businesses send statements, each has a share of the connections, and half of that while its statements are slow: heavy
 * statements beside each other slow down everybody and gain little for their business. Performance notes:
 * src/guide/performance.md#shares-of-the-connections
 */
export class StatementTurns {
  readonly #config: StatementTurnsConfig;
  readonly #queue: FairQueue<Payer>;
  readonly #share: number;
  readonly #slowShare: number;
  /** Statements that run, by business, in order of their start. */
  readonly #running = new Map<Payer, Set<Turn>>();
  readonly #slowUntil = new Map<Payer, number>();
  /** The business whose statement came last, and until when it counts as one of several. */
  #latestPayer: Payer;
  #isSharedUntil = 0;

  constructor(config: StatementTurnsConfig) {
    this.#config = config;
    this.#share = Math.max(1, Math.min(config.share, config.total - 1));
    this.#slowShare = Math.ceil(this.#share / 2);
    this.#queue = new FairQueue({
      total: config.total,
      each: (payer) => this.#shareOf(payer),
      waitingMax: limits.statementsWaiting,
    });
  }

  get waitingCount(): number {
    return this.#queue.waitingCount;
  }

  /** Calls `begin` with a turn, at once if one is free, or `refuse` with the reason why there is none. */
  take(isStatement: boolean, begin: (turn: Turn) => void, refuse: (reason: Error) => void): void {
    const turn = new Turn(payerOfStatements(), isStatement);
    this.#noteCompany(turn.payer);
    const waiter = { key: turn.payer };
    if (this.#queue.tryBegin(waiter)) {
      begin(turn);
      return;
    }
    const waitingSince = performance.now();
    const onDue = () => {
      const leftMs = limits.shareWaitMs - (performance.now() - waitingSince);
      const isOwnShare = this.#queue.isAtLimit(waiter);
      if (isOwnShare && leftMs > 1) due = setTimeout(onDue, leftMs);
      else if (stopWaiting()) refuse(isOwnShare ? this.#shareIsUsed() : allAreUsed());
    };
    let due = setTimeout(onDue, this.#config.waitMs);
    // Whoever ends a turn begins the next one, which belongs to the request that waits.
    const stopWaiting = this.#queue.wait(waiter, {
      begin: inCurrentContext(() => {
        clearTimeout(due);
        begin(turn);
      }),
      refuse: () => {
        clearTimeout(due);
        refuse(allAreUsed());
      },
    });
  }

  /** Notes that the statement of a turn is sent: it has its connection. */
  start(turn: Turn): void {
    turn.startedAt = performance.now();
    if (!turn.isStatement || turn.payer === undefined) return;
    const running = this.#running.get(turn.payer);
    if (running) running.add(turn);
    else this.#running.set(turn.payer, new Set([turn]));
  }

  end(turn: Turn): void {
    if (turn.isOver) return;
    turn.isOver = true;
    const { payer } = turn;
    const running = this.#running.get(payer);
    if (running?.delete(turn)) {
      if (running.size === 0) this.#running.delete(payer);
      this.#noteSlowness(turn);
    }
    this.#queue.end({ key: payer });
  }

  #noteSlowness({ payer, startedAt }: Turn): void {
    const now = performance.now();
    if (now - startedAt > limits.slowStatementMs) this.#slowUntil.set(payer, now + limits.slowStatementRememberedMs);
    else if ((this.#slowUntil.get(payer) ?? now) < now) this.#slowUntil.delete(payer);
  }

  #noteCompany(payer: Payer): void {
    if (payer === undefined || payer === this.#latestPayer) return;
    if (this.#latestPayer !== undefined) this.#isSharedUntil = performance.now() + limits.companyRememberedMs;
    this.#latestPayer = payer;
  }

  /** A business that is alone leaves one connection to whoever comes next. */
  #shareOf(payer: Payer): number {
    if (performance.now() > this.#isSharedUntil) return Math.max(1, this.#config.total - 1);
    return this.#isSlow(payer) ? this.#slowShare : this.#share;
  }

  /** Whether a statement of the business was slow a moment ago, or is by now. */
  #isSlow(payer: Payer): boolean {
    const now = performance.now();
    if ((this.#slowUntil.get(payer) ?? 0) > now) return true;
    const [oldest] = this.#running.get(payer) ?? [];
    return oldest !== undefined && now - oldest.startedAt > limits.slowStatementMs;
  }

  #shareIsUsed(): Error {
    return unavailable(
      `Too many database statements of your business at the same time (at most ${this.#share} beside other businesses, or ${this.#slowShare} while they are slow): ask for less at a time, and try again.`,
      2,
    );
  }
}

const allAreUsed = () => unavailable('All connections to the database are in use: try again.', 2);
