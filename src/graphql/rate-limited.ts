import { Extensions, UseMiddleware, type ResolverData } from 'type-graphql';
import type { LimitedField } from '../access/attempts.ts';
import type { Operation } from '../access/operation.ts';
import type { CallScope } from '../access/scope.ts';
import type { TSchema } from 'typebox';
import type { Context } from './context.ts';

type Limited = Pick<Operation<TSchema, unknown>, 'operation'>;

/**
 * Limits how often a field calls an operation whose record has limits on tries. graphql-rate-limit decides before the resolver
 * runs, and counts together with REST's calls of the operation.
 */
export function RateLimited(calls: Limited): MethodDecorator {
  const limit = UseMiddleware(({ root, args, context, info }: ResolverData<Context>, next) =>
    runLimited(context.scope, calls, { parent: root, args, context, info }, next),
  );
  const mark = Extensions({ limits: calls.operation.name });
  return (target, name, descriptor) => {
    limit(target, name, descriptor);
    mark(target, name, descriptor);
  };
}

/** Runs what a field does with an operation, or refuses it. */
export async function runLimited<T>(
  { call }: CallScope,
  { operation }: Limited,
  field: LimitedField,
  run: () => Promise<T>,
): Promise<T> {
  const resolved = await call.limitField(operation, field);
  try {
    return await run();
  } finally {
    await resolved();
  }
}
