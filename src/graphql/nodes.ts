import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { invalid } from '../errors.ts';
import { Node } from '../model/nodes.ts';
import type { AnyNode } from '../services/nodes.ts';
import { toApiKey } from './api-keys.ts';
import type { Context } from './context.ts';

@Resolver()
export class NodeResolver {
  @Query(() => Node, {
    nullable: true,
    description: 'One object by its global id; null if there is none that the caller may see.',
  })
  async node(
    @Ctx() { loaders }: Context,
    @Arg('id', () => ID, { description: 'Global id, such as that of an event or a work shift.' }) id: string,
  ) {
    return withTypeName(await loaders.nodeByGlobalId.load(id));
  }

  @Query(() => [Node], {
    nullable: 'itemsAndList',
    description:
      'Objects by their global ids, in the order of the ids; null in place of each one that does not exist or that the caller may not see.',
  })
  async nodes(
    @Ctx() { loaders }: Context,
    @Arg('ids', () => [ID], {
      description: `Global ids, such as those of an event or a work shift, at most ${limits.nodesMax}.`,
    })
    ids: string[],
  ) {
    if (ids.length > limits.nodesMax) throw invalid({ ids: [`must have at most ${limits.nodesMax} items`] });
    return (await Promise.all(ids.map((id) => loaders.nodeByGlobalId.load(id)))).map(withTypeName);
  }
}

/** The row as the resolvers of its type expect it. */
function withTypeName(node: AnyNode | null) {
  if (!node) return null;
  const { type, row } = node;
  return { ...row, ...(type === 'ApiKey' && toApiKey(row as { publicId: string })), __typename: type };
}
