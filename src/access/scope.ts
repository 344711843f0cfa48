import type { FastifyBaseLogger } from 'fastify';
import { limits } from '../config.ts';
import type { Reach } from '../db/reach.ts';
import { isSerializationConflict } from '../db/failures.ts';
import { bindToBusiness, type TenantDb } from '../db/tenant.ts';
import { unavailable } from '../errors.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { Actor, AnonymousActor, KnownActor } from './actor.ts';
import type { LogIn } from './login.ts';
import type { Passwords } from './passwords.ts';

interface AnyCall {
  readonly clock: () => Date;
  readonly log: FastifyBaseLogger;
  readonly logIn: LogIn;
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
  /** Runs in one transaction, as a scope of its own; tried again when it lost against another one. */
  readonly transaction: <T>(run: (scope: Scope) => Promise<T>) => Promise<T>;
}

export type CallScope = PublicScope | Scope;

export interface ScopeParts {
  readonly prisma: PrismaClient;
  readonly clock: () => Date;
  readonly logIn: LogIn;
  readonly passwords: Passwords;
}

/** The only maker of a scope, and so of a database that an operation may touch. */
export const createScopes = ({ prisma, clock, logIn, passwords }: ScopeParts) => ({
  open(actor: Actor, log: FastifyBaseLogger): CallScope {
    if (actor.kind === 'anonymous') return { actor, clock, log, logIn };
    const { db, transact } = bindToBusiness(prisma, actor.businessId, reachOf(actor));
    const scope: Scope = {
      actor,
      clock,
      log,
      logIn,
      businessId: actor.businessId,
      db,
      hashPassword: passwords.hash,
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
