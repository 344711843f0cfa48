import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLResolveInfo } from 'graphql';
import type { CallScope } from '../access/scope.ts';
import { withKeyHeader } from '../http/headers.ts';
import type { RequestRecord } from '../http/request-log.ts';
import type { CsvPlan } from './csv/plan.ts';
import { createLoaders, type Loaders } from './loaders.ts';
import type { OperationCost } from './query-cost.ts';

/** A list that waits for the others of its batch (answer-limits.ts). */
interface HeldList {
  readonly list: readonly unknown[];
  readonly info: GraphQLResolveInfo;
  readonly handOut: (list: readonly unknown[]) => void;
}

/** Everything that the resolvers of one request share. */
export interface Context {
  readonly scope: CallScope;
  /**
   * Recreated before each root field of a mutation, because an earlier field may have changed the rows that were
   * loaded.
   */
  loaders: Loaders;
  /** Takes further points from the caller's rate limit, beyond the one point that every request costs. */
  readonly consume: (points: number, isDone?: boolean) => Promise<unknown>;
  readonly log: FastifyBaseLogger;
  readonly requestId: string;
  /** Collects facts about the request for its log line. */
  readonly record: RequestRecord;
  /** The lists that are held back, once the answer is large. */
  heldLists?: HeldList[];
  /** Cost of the operation, once it is measured. */
  cost?: OperationCost;
  /** What the answer is remembered by, if it holds nothing but parts of the schema. */
  introspection?: string;
  /** Set if the client asked for CSV: execution then waits until the CSV plan is known. */
  readonly csv?: { plan?: CsvPlan };
}

/** The header Idempotency-Key holds for the one mutation of a document: `admitOperation` refuses others. */
export function createContext(request: FastifyRequest, reply: FastifyReply): Context {
  const { consume, id, record, log } = request;
  return withLoaders({ scope: withKeyHeader(request, reply), consume, requestId: id, record, log });
}

export function withLoaders(parts: Omit<Context, 'loaders'>): Context {
  return { ...parts, loaders: createLoaders(parts.scope) };
}
