import { Extensions, UseMiddleware, type ResolverData } from 'type-graphql';
import type { Operation } from '../access/operation.ts';
import type { TSchema } from 'typebox';
import type { Context } from './context.ts';

/**
 * Limits how often a field calls an operation whose record has limits on tries. graphql-rate-limit decides before the resolver
 * runs, and counts together with REST's calls of the operation.
 */
export function RateLimited(calls: Pick<Operation<TSchema, unknown>, 'operation'>): MethodDecorator {
  const limit = UseMiddleware(async ({ root, args, context, info }: ResolverData<Context>, next): Promise<unknown> => {
    const resolved = await context.scope.call.limitField(calls.operation, { parent: root, args, context, info });
    try {
      return await next();
    } finally {
      await resolved();
    }
  });
  const mark = Extensions({ limits: calls.operation.name });
  return (target, name, descriptor) => {
    limit(target, name, descriptor);
    mark(target, name, descriptor);
  };
}
