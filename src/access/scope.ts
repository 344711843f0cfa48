import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import type { Database } from '../db/engine/database.ts';
import { isSerializationConflict } from '../db/engine/failures.ts';
import { bindToBusiness, type TenantDb, type Transact } from '../db/tenant.ts';
import type { Visibility } from '../db/visibility.ts';
import { type Failure, unavailable } from '../errors.ts';
import { memoize } from '../memoize.ts';
import type { Actor, AnonymousActor, KnownActor } from './actor.ts';
import type { Attempt, Attempts } from './attempts.ts';
import type { Audit, NewEntry, Note } from './audit.ts';
import type { Idempotency } from './idempotency.ts';
import type { LoggedIn, LogIn } from './log-in.ts';
import type { Passwords } from './passwords.ts';
import type { OperationName } from './policy.ts';
import type { BudgetState } from './rate-limits.ts';

interface AnyCall {
  readonly clock: () => Date;
  readonly log: FastifyBaseLogger;
  readonly logIn: (email: string, password: string) => Promise<LoggedIn>;
  /** What is left of the caller's budget, after what this call has cost. */
  readonly budget: () => BudgetState;
  readonly attempt: Attempt;
  /** Takes down what an answer is made of. */
  readonly used: (name: OperationName) => void;
  /** Of a call that may be sent again. */
  readonly idempotency?: Idempotency;
  /** Keeps for the audit trail that the caller was refused. */
  readonly refused: (name: OperationName, refusal: Failure) => Promise<void>;
}

/** The request that a scope is opened for. */
export interface Call {
  readonly log: FastifyBaseLogger;
  /** IP address of the caller. */
  readonly address: string;
  readonly requestId: string;
  readonly budget: () => BudgetState;
  readonly used: (name: OperationName) => void;
}

/** What an operation open to anyone gets: no database. */
export interface PublicScope extends AnyCall {
  readonly actor: AnonymousActor;
}

/** What an operation of a known caller gets: the database as the caller's business sees it. */
export interface Scope extends AnyCall {
  readonly actor: KnownActor;
  readonly businessId: number;
  readonly db: TenantDb;
  readonly hashPassword: Passwords['hash'];
  readonly checkPassword: Passwords['check'];
  /** The largest page of a list read from a cursor on. */
  readonly pageRowsMax: number;
  /** Takes a snapshot of the database, which is read through a scope of its own; nothing is written on it. */
  readonly openSnapshot: (pageRowsMax: number) => Promise<Snapshot>;
  /** Whether all that is done here stands or falls together: within a transaction. */
  readonly isAtomic: boolean;
  /** Runs in one transaction, as a scope of its own; tried again when it lost against another one. */
  readonly transaction: <T>(run: (scope: Scope) => Promise<T>) => Promise<T>;
  /** Within a transaction: says for the audit trail what was done. Stored with what it tells of, or not at all. */
  readonly note: (note: Note) => void;
  /** The same, on behalf of an operation: its notes stand under its name. */
  readonly during: (name: OperationName) => Scope;
}

export type CallScope = PublicScope | Scope;

/** The database as it was at one moment. Holds a connection until it is closed, or its time is over. */
export interface Snapshot {
  readonly scope: Scope;
  readonly close: () => Promise<void>;
}

export interface ScopeParts {
  readonly database: Pick<Database, 'prisma' | 'read'>;
  readonly transactionTimeoutMs: number;
  readonly exports: Config['exports'];
  readonly clock: () => Date;
  readonly logIn: LogIn;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly audit: Audit;
}

/** The only maker of a scope, and so of a database that an operation may touch. */
export const createScopes = ({
  database,
  transactionTimeoutMs,
  exports,
  clock,
  logIn,
  passwords,
  attempts,
  audit,
}: ScopeParts) => ({
  open(actor: Actor, { budget, used, ...caller }: Call): CallScope {
    const call: AnyCall = {
      clock,
      log: caller.log,
      logIn: (email, password) => logIn(email, password, caller),
      budget,
      attempt: attempts.of(actor, caller.address),
      used,
      refused: (name, refusal) => audit.refused(actor, caller, name, refusal),
    };
    if (actor.kind === 'anonymous') return { actor, ...call };
    const { prisma, read } = database;
    const { db, transact, readSnapshot } = bindToBusiness(prisma, actor.businessId, visibilityOf(actor), read);

    const outside = (name: OperationName | null): Scope => ({
      actor,
      ...call,
      businessId: actor.businessId,
      db,
      hashPassword: passwords.hash,
      checkPassword: passwords.check,
      pageRowsMax: limits.perPageMax,
      isAtomic: false,
      openSnapshot: (pageRowsMax) => openSnapshot(readSnapshot(exports.timeoutMs), (tx) => onSnapshot(tx, pageRowsMax)),
      transaction: (run) =>
        retrying(transactionTimeoutMs, (timeoutMs) =>
          transact(async (tx) => {
            const entries: NewEntry[] = [];
            const result = await run(inside(tx, entries, name));
            if (entries.length > 0) await tx.auditEntry.createMany({ data: entries });
            return result;
          }, timeoutMs),
        ),
      note: () => {
        throw new Error('What is noted belongs into the transaction that does it.');
      },
      during: outside,
    });

    const inside = (tx: TenantDb, entries: NewEntry[], name: OperationName | null): Scope => {
      const scope: Scope = {
        ...outside(name),
        db: tx,
        isAtomic: true,
        // Whoever opened the transaction keeps it, once that is undone.
        refused: async () => undefined,
        transaction: (run) => run(scope),
        note: (note) => void entries.push(audit.done(actor, caller, name, note)),
        during: (inner) => inside(tx, entries, inner),
      };
      return scope;
    };

    const onSnapshot = (tx: TenantDb, pageRowsMax: number) => {
      const refusals: [OperationName, Failure][] = [];
      const scope: Scope = {
        ...outside(null),
        db: tx,
        pageRowsMax,
        // Nothing is written on a snapshot, and the embedded database does nothing else meanwhile.
        refused: async (name, refusal) => void refusals.push([name, refusal]),
        transaction: (run) => run(scope),
        during: () => scope,
      };
      const closed = async () => {
        for (const [name, refusal] of refusals) await call.refused(name, refusal);
      };
      return { scope, closed };
    };
    return outside(null);
  },
});

/** Holds the transaction open until the snapshot is closed. */
function openSnapshot(
  transact: Transact,
  onSnapshot: (tx: TenantDb) => { scope: Scope; closed: () => Promise<void> },
): Promise<Snapshot> {
  return new Promise((resolve, reject) => {
    const transaction = transact(async (tx) => {
      const { scope, closed } = onSnapshot(tx);
      await new Promise<void>((release) => {
        const close = async () => {
          release();
          // One that has ended before, by its time or with its connection, has told its reader.
          await transaction.catch(() => undefined);
          await closed();
        };
        resolve({ scope, close: memoize(close) });
      });
    });
    transaction.catch(reject);
  });
}

const visibilityOf = (actor: KnownActor): Visibility =>
  actor.kind === 'apiKey' || actor.role === 'admin' ? { of: 'business' } : { of: actor.role, userId: actor.userId };

export type Scopes = ReturnType<typeof createScopes>;

/** All tries together have the time of one transaction. */
async function retrying<T>(timeoutMs: number, run: (timeoutMs: number) => Promise<T>): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt++) {
    const leftMs = Math.ceil(deadline - performance.now());
    try {
      return await answeredInTime(leftMs + limits.transactionGraceMs, run(leftMs));
    } catch (error) {
      if (!isSerializationConflict(error)) throw error;
      const isLast = attempt > limits.transactionRetries || performance.now() + limits.transactionGraceMs > deadline;
      if (isLast) throw unavailable('Too many changes at the same time: try again.', 1, error);
    }
  }
}

/** Prisma ends a transaction whose time is over, but not before its statement has ended: no caller waits for that. */
async function answeredInTime<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable('The database did not answer in time: try again.', 2)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
