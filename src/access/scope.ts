import type { FastifyBaseLogger } from 'fastify';
import { limits } from '../config.ts';
import type { Reach } from '../db/reach.ts';
import { isSerializationConflict } from '../db/failures.ts';
import { bindToBusiness, type TenantDb } from '../db/tenant.ts';
import { unavailable } from '../errors.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { Actor, AnonymousActor, KnownActor } from './actor.ts';
import type { Attempt, Attempts } from './attempts.ts';
import type { BudgetState } from './budget.ts';
import type { LogIn } from './login.ts';
import type { Passwords } from './passwords.ts';

interface AnyCall {
  readonly clock: () => Date;
  readonly log: FastifyBaseLogger;
  readonly logIn: LogIn;
  /** What is left of the caller's budget, after what this call has cost. */
  readonly budget: () => BudgetState;
  readonly attempt: Attempt;
}

/** The request that a scope is opened for. */
export interface Call {
  readonly log: FastifyBaseLogger;
  /** IP address of the caller. */
  readonly address: string;
  readonly budget: () => BudgetState;
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
  /** Runs in one transaction, as a scope of its own; tried again when it lost against another one. */
  readonly transaction: <T>(run: (scope: Scope) => Promise<T>) => Promise<T>;
}

export type CallScope = PublicScope | Scope;

export interface ScopeParts {
  readonly prisma: PrismaClient;
  readonly clock: () => Date;
  readonly logIn: LogIn;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
}

/** The only maker of a scope, and so of a database that an operation may touch. */
export const createScopes = ({ prisma, clock, logIn, passwords, attempts }: ScopeParts) => ({
  open(actor: Actor, { log, address, budget }: Call): CallScope {
    const call: AnyCall = { clock, log, logIn, budget, attempt: attempts.of(actor, address) };
    if (actor.kind === 'anonymous') return { actor, ...call };
    const { db, transact } = bindToBusiness(prisma, actor.businessId, reachOf(actor));
    const scope: Scope = {
      actor,
      ...call,
      businessId: actor.businessId,
      db,
      hashPassword: passwords.hash,
      checkPassword: passwords.check,
      transaction: (run) =>
        retrying(() =>
          transact((tx) => {
            const inner: Scope = { ...scope, db: tx, transaction: (deeper) => deeper(inner) };
            return run(inner);
          }),
        ),
    };
    return scope;
  },
});

const reachOf = (actor: KnownActor): Reach =>
  actor.kind === 'apiKey' || actor.role === 'admin' ? { of: 'business' } : { of: actor.role, userId: actor.userId };

export type Scopes = ReturnType<typeof createScopes>;

async function retrying<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isSerializationConflict(error)) throw error;
      if (attempt > limits.transactionRetries) throw unavailable('Too many changes at once.', 1, error);
    }
  }
}
