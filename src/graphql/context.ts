import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { defaultFieldResolver, type ExecutionResult, type GraphQLField } from 'graphql';
import type { CallScope } from '../access/scope.ts';
import type { RequestRecord } from '../http/request-log.ts';
import type { CsvPlan } from './csv/plan.ts';
import { createLoaders, type Loaders } from './loaders.ts';
import type { RowSelections } from './selection.ts';

/** Everything that the resolvers of one request share. */
export interface Context {
  readonly scope: CallScope;
  /**
   * Recreated before each root field of a mutation, because an earlier field may have changed the rows that were
   * loaded.
   */
  loaders: Loaders;
  /** Columns that the operation needs. All columns are selected until that is known. */
  readonly selections: RowSelections;
  /** Takes further points from the caller's rate limit, beyond the one point that every request costs. */
  readonly consume: (points: number) => Promise<void>;
  readonly log: FastifyBaseLogger;
  /** Id of the request in the log. */
  readonly requestId: string;
  /** Collects facts about the request for its log line. */
  readonly record: RequestRecord;
  /** Admission of the operation, if it has begun (known-queries.ts). */
  admission?: Promise<void>;
  /** Result of the operation, from the moment when compiled execution (execute.ts) starts it. */
  execution?: Promise<ExecutionResult>;
  /** Set if the client asked for CSV: execution then waits until the CSV plan is known. */
  readonly csv?: { plan?: CsvPlan };
}

export const createContext = ({ scope, consume, id, record, log }: FastifyRequest): Context =>
  withLoaders({ scope, consume, requestId: id, record, log });

export function withLoaders(parts: Omit<Context, 'loaders' | 'selections'>): Context {
  const selections: RowSelections = {};
  return { ...parts, selections, loaders: createLoaders(parts.scope, selections) };
}

/**
 * Gives each root field of a mutation new loaders: root fields run one after the other, and none may see rows as they
 * were before an earlier one.
 */
export function renewLoadersBefore(fields: Iterable<GraphQLField<unknown, Context>>): void {
  for (const field of fields) {
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = (source, args, context, info) => {
      context.loaders = createLoaders(context.scope, context.selections);
      return resolve(source, args, context, info) as unknown;
    };
  }
}
