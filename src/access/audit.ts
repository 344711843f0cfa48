import type { FastifyBaseLogger } from 'fastify';
import { limits } from '../config/limits.ts';
import { withoutCounting } from '../db/engine/statement-count.ts';
import { Failure } from '../errors.ts';
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts';
import type { Actor, KnownActor } from './actor.ts';
import type { Counters } from './counters.ts';
import type { OperationName } from './policy.ts';

/** Operations that leave an entry in the audit trail once they are done, and what each is done to. */
export const audited = {
  'tokens.login': 'user',
  'tokens.revokeUsed': 'user',
  'tokens.revokeAllOwn': 'user',
  'apiKeys.create': 'apiKey',
  'apiKeys.revoke': 'apiKey',
  'apiKeys.revokeAll': 'business',
  'passwords.change': 'user',
  'passwords.reset': 'user',
  'users.create': 'user',
  'users.update': 'user',
  'users.delete': 'user',
} as const satisfies Partial<Record<OperationName, Subject>>;

export type Subject = 'user' | 'apiKey' | 'business';

/** Parts of other reads: where one is not for the caller it is null, and nobody was refused anything. */
const parts: ReadonlySet<OperationName> = new Set<OperationName>([
  'customFields.valuesOfEvents',
  'customFields.pagesOfEvents',
  'coverage.ofEvents',
  'coverage.ofCallTimes',
  'labourCost.ofEvents',
  'labourCost.ofCallTimes',
]);

/** What an operation says of what it did: to the row of which id, and what changed. Never a secret. */
export interface Note {
  readonly id: number;
  readonly details?: Prisma.InputJsonObject;
}

/** Where a call comes from. */
export interface Caller {
  readonly address: string;
  readonly requestId: string;
  readonly log: FastifyBaseLogger;
}

export type NewEntry = Prisma.AuditEntryUncheckedCreateInput;

export interface Audit {
  /** The entry for what an operation did, to be stored in its transaction. */
  done(actor: KnownActor, caller: Caller, name: OperationName | null, note: Note): NewEntry;
  /** Keeps that a known caller was refused: once, though a refusal may pass several operations. */
  refused(actor: Actor, caller: Caller, name: OperationName, refusal: Failure): Promise<void>;
  /** Keeps that somebody failed to log in as this user. Nobody waits for it: the answer tells nothing by its time either. */
  logInFailed(user: { businessId: number; id: number }, caller: Caller): void;
  /** Until what nobody waits for is written. */
  settled(): Promise<void>;
}

interface AuditParts {
  readonly prisma: PrismaClient;
  readonly clock: () => Date;
  readonly counters: Counters;
}

/**
 * What changes nothing could be repeated to fill the table: of refusals there is an entry for each caller and operation
 * in an hour, of failed log-ins one for each user in a minute. The log has them all.
 */
export function createAudit({ prisma, clock, counters }: AuditParts): Audit {
  const refusals = counters.counter('audit:refused', limits.auditRefusalWindowS);
  const failures = counters.counter('audit:failed', limits.auditFailureWindowS);
  const kept = new WeakSet<Failure>();
  const pending = new Set<Promise<void>>();

  const keep = async (isFirst: boolean, entry: NewEntry, { log }: Caller): Promise<void> => {
    if (!isFirst) return;
    try {
      await prisma.auditEntry.createMany({ data: [entry] });
    } catch (error) {
      log.warn({ err: error, action: entry.action }, 'an entry of the audit trail is lost');
    }
  };

  return {
    done(actor, caller, name, { id, details }) {
      if (name === null || !isAudited(name)) throw new Error(`${name ?? 'This'} is no audited operation.`);
      return {
        ...entryOf(actor, caller, name, clock()),
        outcome: 'done',
        subjectKind: audited[name],
        subjectId: id,
        ...(details && { details }),
      };
    },
    async refused(actor, caller, name, refusal) {
      if (actor.kind === 'anonymous' || parts.has(name) || kept.has(refusal)) return;
      kept.add(refusal);
      const { points } = await refusals.add(`${actor.kind}:${actor.businessId}:${idOf(actor)}:${name}`, 1);
      await keep(points === 1, { ...entryOf(actor, caller, name, clock()), outcome: 'refused' }, caller);
    },
    logInFailed({ businessId, id }, caller) {
      const writing = withoutCounting(async () => {
        const { points } = await failures.add(`${businessId}:${id}`, 1);
        const entry: NewEntry = {
          businessId,
          at: clock(),
          action: 'tokens.login',
          outcome: 'failed',
          actorKind: 'anonymous',
          subjectKind: audited['tokens.login'],
          subjectId: id,
          address: caller.address,
          requestId: caller.requestId,
        };
        await keep(points === 1, entry, caller);
      });
      pending.add(writing);
      void writing.finally(() => pending.delete(writing));
    },
    settled: async () => void (await Promise.all(pending)),
  };
}

/** Whether an error says that the caller may not do what was asked. */
export const isRefusal = (error: unknown): error is Failure => error instanceof Failure && error.code === 'FORBIDDEN';

const isAudited = (name: OperationName): name is keyof typeof audited => name in audited;

const idOf = (actor: KnownActor): number => (actor.kind === 'user' ? actor.userId : actor.keyId);

const entryOf = (actor: KnownActor, { address, requestId }: Caller, action: OperationName, at: Date) => ({
  businessId: actor.businessId,
  at,
  action,
  actorKind: actor.kind,
  actorId: idOf(actor),
  actorName: actor.name,
  address,
  requestId,
});

/** The entry for what the operator did on the command line. */
export const byOperator = (
  businessId: number,
  command: string,
  [subjectKind, subjectId]: readonly [Subject, number],
  details?: Prisma.InputJsonObject,
): NewEntry => ({
  businessId,
  action: `cli.${command}`,
  outcome: 'done',
  actorKind: 'operator',
  subjectKind,
  subjectId,
  ...(details && { details }),
});
