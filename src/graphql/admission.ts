import type { ApolloServerPlugin } from '@apollo/server';
import { Failure, unauthenticated } from '../errors.ts';
import type { Context } from './context.ts';
import { refusal } from './failures.ts';
import { serializeQueryCost, refuseAboveLimits } from './limits.ts';
import { measureQueryCost, listRootFields, type QueryCost } from './query-cost.ts';
import { selectionsOf } from './selection.ts';

/** Root fields that need no credential. */
const openFields = new Set(['login', 'rateLimit', '__schema', '__type', '__typename']);

/** Root fields that are part of every request's own point. */
const freeFields = new Set(['rateLimit']);

/** Asks for `extensions.cost` with the answer. */
const costHeader = 'x-graphql-cost';

/**
 * Before anything runs: what an operation asks for is held against the limits, a request costs its number of root fields,
 * and one that shows no credential but asks only for what needs one is refused whole.
 */
export const admission: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    let measured: QueryCost | null = null;
    return {
      async didResolveOperation({ schema, document, operation, request, contextValue }) {
        if (!operation) return;
        if (!schema.getRootType(operation.operation))
          throw refusal(new Failure('BAD_REQUEST', `This service has no ${operation.operation}s.`));
        const fields = listRootFields(document, operation);
        Object.assign(contextValue.selections, selectionsOf(schema, document));
        contextValue.record.graphql = { type: operation.operation, fields: [...new Set(fields)].sort() };
        measured = measureQueryCost(schema, document, operation, request.variables ?? {});
        const exceeded = refuseAboveLimits(measured);
        if (exceeded) throw exceeded;
        try {
          await admit(fields, contextValue);
        } catch (error) {
          throw error instanceof Failure ? refusal(error) : error;
        }
      },
      async willSendResponse({ request, response: { body } }) {
        if (!measured || body.kind !== 'single' || request.http?.headers.get(costHeader) !== '1') return;
        body.singleResult.extensions = { ...body.singleResult.extensions, cost: serializeQueryCost(measured) };
      },
    };
  },
};

async function admit(names: readonly string[], { scope, spend }: Context): Promise<void> {
  const points = names.filter((name) => !freeFields.has(name)).length;
  if (points > 1) await spend(points - 1);
  if (scope.actor.kind === 'anonymous' && names.length > 0 && !names.some((name) => openFields.has(name)))
    throw unauthenticated();
}
