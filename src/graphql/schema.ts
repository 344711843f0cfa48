import 'reflect-metadata';
import type { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { buildSchemaSync, type BuildSchemaOptions } from 'type-graphql';
import { boundObjects } from './answer-limits.ts';
import { readPositionsOfRows } from './positions-fields.ts';

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
  describeRoot(schema.getQueryType(), 'All reads.');
  describeRoot(
    schema.getMutationType(),
    'All changes. The fields of a request run one after the other; a failure does not undo the fields before it.',
  );
  describeRoot(
    schema.getSubscriptionType(),
    'Live updates, as server-sent events: a request with `Accept: text/event-stream` has one field of these.',
  );
  readPositionsOfRows(schema);
  boundObjects(schema);
  return schema;
}

/** type-graphql has no way to describe the root types. */
function describeRoot(type: GraphQLObjectType | null | undefined, description: string): void {
  if (type) type.description = description;
}
