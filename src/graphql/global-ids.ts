import type { GraphQLResolveInfo } from 'graphql';
import { FieldResolver, ID, Info, Resolver, Root } from 'type-graphql';
import { nodeTypes, type NodeType } from '../fields/node-types.ts';
import { encodeGlobalId, valueKey } from '../model/global-ids.ts';
import { Node } from '../model/nodes.ts';

type KeyKind = (typeof nodeTypes)[NodeType]['key'];

const byNumber = ({ id }: { readonly id: number | string }) => id;

/** Reads the key of a row, by kind of key. Rows of API keys have their public id as `id`. */
const readKey = {
  uuid: ({ uuid }: { readonly uuid: string }) => uuid,
  number: byNumber,
  'public id': byNumber,
  'event and field': valueKey,
} as const satisfies Readonly<Record<KeyKind, (row: never) => string | number>>;

@Resolver(() => Node)
export class NodeFields {
  @FieldResolver(() => ID, { name: 'id' })
  globalId(@Root() row: object, @Info() { parentType }: GraphQLResolveInfo): string {
    const type = parentType.name as NodeType;
    const keyOf = readKey[nodeTypes[type].key] as (row: object) => string | number;
    return encodeGlobalId(type, keyOf(row));
  }
}
