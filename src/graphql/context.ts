import type { FastifyRequest } from 'fastify';
import { defaultFieldResolver, type ExecutionResult, type GraphQLField } from 'graphql';
import type { CallScope } from '../access/scope.ts';
import type { RequestRecord } from '../http/request-log.ts';
import type { CsvPlan } from './csv/plan.ts';
import { createLoaders, type Loaders } from './loaders.ts';
import type { Selection } from './selection.ts';

/** What every resolver of one request shares. */
export interface Context {
  readonly scope: CallScope;
  /** Renewed before each root field of a mutation: what an earlier one read, this one may change. */
  loaders: Loaders;
  /** What is needed of the rows; of all that an operation can ask for, until it is known. */
  readonly selection: Selection;
  /** Takes further points from the caller's budget, beyond the one that every request costs. */
  readonly spend: (points: number) => Promise<void>;
  /** What the log knows the request by. */
  readonly requestId: string;
  /** Takes down, for the log, what is found out about the request. */
  readonly record: RequestRecord;
  /** Result of the operation, from the moment when compiled execution (execute.ts) starts it. */
  execution?: Promise<ExecutionResult>;
  /** Where CSV is wanted: nothing is executed before it is known how. */
  readonly csv?: { plan?: CsvPlan };
}

export const createContext = ({ scope, spend, id, record }: FastifyRequest): Context =>
  withLoaders({ scope, spend, requestId: id, record });

export function withLoaders(parts: Omit<Context, 'loaders' | 'selection'>): Context {
  const selection: Selection = {};
  return { ...parts, selection, loaders: createLoaders(parts.scope, selection) };
}

/** Root fields of a mutation run one after the other, each with its selections: none shall see what an earlier one read. */
export function renewLoadersBefore(fields: Iterable<GraphQLField<unknown, Context>>): void {
  for (const field of fields) {
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = (source, args, context, info) => {
      context.loaders = createLoaders(context.scope, context.selection);
      return resolve(source, args, context, info) as unknown;
    };
  }
}
