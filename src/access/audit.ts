import type { FastifyBaseLogger } from 'fastify';
import { limits } from '../config/limits.ts';
import { withoutCounting } from '../db/engine/statement-count.ts';
import { Failure } from '../errors.ts';
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { idOfActor, type Actor, type KnownActor } from './actor.ts';
import type { ChangedKind, RecordedChange } from './change.ts';
import type { Counters } from './counters.ts';
import type { OperationRecord } from './operation-record.ts';

/** Origin of a call. */
export interface Caller {
  readonly address: string;
  readonly requestId: string;
  /** The start of the header `User-Agent`; null if it is empty. */
  readonly userAgent: string | null;
  readonly log: FastifyBaseLogger;
}

export type NewEntry = Prisma.AuditEntryUncheckedCreateInput;

export interface Audit {
  /** Makes the entry for a recorded change. It must be stored in the transaction of the change. */
  done(actor: KnownActor, caller: Caller, change: RecordedChange): NewEntry;
  /** Stores that a known caller was refused. A refusal that passes several operations is stored once. */
  refused(actor: Actor, caller: Caller, operation: OperationRecord, refusal: Failure): Promise<void>;
  /** Stores that a log-in as this user failed. It returns at once, so that the time of the answer tells nothing. */
  logInFailed(user: { businessId: number; id: number }, caller: Caller): void;
  /** Resolves when all entries that nobody waited for are stored. */
  settled(): Promise<void>;
}

interface AuditParts {
  readonly prisma: PrismaClient;
  readonly clock: () => Date;
  readonly counters: Counters;
}

/**
 * Calls that change nothing could be repeated to fill the table. So a refusal has one entry an hour for each caller and
 * operation, and a failed log-in one entry a minute for each user. The log has all of them.
 */
export function createAudit({ prisma, clock, counters }: AuditParts): Audit {
  const refusals = counters.counter('audit:refused', limits.auditRefusalWindowS);
  const failures = counters.counter('audit:failed', limits.resolutionS);
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
    done(actor, caller, { operation, kind, id, details }) {
      return {
        ...entryOf(actor, caller, operation, clock()),
        outcome: 'done',
        subjectKind: kind,
        subjectId: id,
        ...(details && { details }),
      };
    },
    async refused(actor, caller, operation, refusal) {
      if (actor.kind === 'anonymous' || operation.isPart || kept.has(refusal)) return;
      kept.add(refusal);
      const { points } = await refusals.add(
        `${actor.kind}:${actor.businessId}:${idOfActor(actor)}:${operation.name}`,
        1,
      );
      await keep(points === 1, { ...entryOf(actor, caller, operation, clock()), outcome: 'refused' }, caller);
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
          subjectKind: 'user',
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

/** Whether an error says that the caller lacks a permission. */
export function isRefusal(error: unknown): error is Failure {
  return error instanceof Failure && error.code === 'FORBIDDEN';
}

const entryOf = (actor: KnownActor, { address, requestId }: Caller, { name: action }: OperationRecord, at: Date) => ({
  businessId: actor.businessId,
  at,
  action,
  actorKind: actor.kind,
  actorId: idOfActor(actor),
  actorName: actor.name,
  address,
  requestId,
});

/** The entry for what the service did by itself. */
export function byService(
  businessId: number,
  action: string,
  [subjectKind, subjectId]: readonly [ChangedKind, number],
  { at, details }: { readonly at: Date; readonly details: Prisma.InputJsonObject },
): NewEntry {
  return { businessId, at, action, outcome: 'done', actorKind: 'service', subjectKind, subjectId, details };
}

/** The entry for what the operator did on the command line. */
export function byOperator(
  businessId: number,
  command: string,
  [subjectKind, subjectId]: readonly [ChangedKind, number],
  details?: Prisma.InputJsonObject,
): NewEntry {
  return {
    businessId,
    action: `cli.${command}`,
    outcome: 'done',
    actorKind: 'operator',
    subjectKind,
    subjectId,
    ...(details && { details }),
  };
}
