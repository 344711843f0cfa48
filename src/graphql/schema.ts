import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync, type BuildSchemaOptions } from 'type-graphql';
import { boundObjects } from './answer-objects.ts';
import { renewLoadersBefore } from './context.ts';
import { resolveGlobalIds } from './global-ids.ts';
import { resolvePositions } from './positions-fields.ts';
import { readRowIds } from './row-ids.ts';

export type ResolverClass = BuildSchemaOptions['resolvers'][number];

function notPublished(): never {
  throw new Error('A subscription names its own `subscribe`.');
}

/** Input is validated by the services, which serve REST too, so type-graphql's own validation is off. */
export function buildSchema(resolvers: readonly ResolverClass[]): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: [...resolvers] as unknown as BuildSchemaOptions['resolvers'],
    validate: false,
    // Each subscription subscribes by itself: nothing is published. type-graphql wants this all the same.
    pubSub: { publish: () => undefined, subscribe: () => notPublished() },
    // Apollo checks the schema as well.
    skipCheck: true,
  });
  // type-graphql has no way to describe the root types.
  Object.assign(schema.getQueryType() ?? {}, { description: 'All reads.' });
  Object.assign(schema.getMutationType() ?? {}, {
    description:
      'All changes. The fields of a request run one after the other; a failure does not undo the fields before it.',
  });
  Object.assign(schema.getSubscriptionType() ?? {}, {
    description:
      'Live updates, as server-sent events: a request with `Accept: text/event-stream` has one field of these.',
  });
  resolveGlobalIds(schema);
  resolvePositions(schema);
  readRowIds(schema);
  boundObjects(schema);
  renewLoadersBefore(Object.values(schema.getMutationType()?.getFields() ?? {}));
  return schema;
}
