import { isInterfaceType, isObjectType, type GraphQLSchema } from 'graphql';
import { nodeTypes, type NodeType } from '../fields/node-types.ts';
import { encodeGlobalId, valueKey } from '../model/global-ids.ts';
import type { TypedRow } from '../model/nodes.ts';

type KeyKind = (typeof nodeTypes)[NodeType]['key'];

const byNumber = ({ id }: { readonly id: number | string }) => id;

/** Reads the key of a row, by kind of key. Rows of API keys have their public id as `id`. */
const readKey = {
  uuid: ({ uuid }: { readonly uuid: string }) => uuid,
  number: byNumber,
  'public id': byNumber,
  'event and field': valueKey,
} as const satisfies Readonly<Record<KeyKind, (row: never) => string | number>>;

/**
 * Makes every type of the interface `Node` give `id` and `databaseId` from its row. These resolvers run once for each row of an answer
 * and need nothing of type-graphql's. The types of the interface are told apart without a promise, which compiled queries need.
 */
export function resolveGlobalIds(schema: GraphQLSchema): void {
  const node = schema.getType('Node');
  if (!isInterfaceType(node)) throw new Error('The schema has no interface Node.');
  node.resolveType = ({ __typename }: TypedRow) => __typename;
  for (const type of schema.getPossibleTypes(node)) {
    if (!isObjectType(type) || !isNodeType(type.name))
      throw new Error(`${type.name} is missing in fields/node-types.ts.`);
    const { name } = type;
    const keyOf = readKey[nodeTypes[name].key] as (row: unknown) => string | number;
    const { id, databaseId } = type.getFields();
    if (id) id.resolve = (row) => encodeGlobalId(name, keyOf(row));
    if (databaseId) databaseId.resolve = byNumber;
  }
}

function isNodeType(name: string): name is NodeType {
  return Object.hasOwn(nodeTypes, name);
}
