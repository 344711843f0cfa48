import { Field, ID, Int, InterfaceType } from 'type-graphql';
import type { NodeType } from '../fields/node-types.ts';

/** A row that was read by its global id, with the name of its type. */
export interface TypedRow {
  readonly __typename: NodeType;
}

@InterfaceType('Node', {
  description: 'A stored object with a globally unique id, by which `node` and `nodes` read it again.',
  resolveType: (row: TypedRow) => row.__typename,
})
export abstract class Node {
  @Field(() => ID, {
    name: 'id',
    description:
      'Globally unique id: no two objects have the same, whatever their types. Opaque; it stays the same as long as the object exists.',
  })
  protected readonly globalId!: string;
}

/** The number of a row, as REST and the command line name it. */
export const DatabaseId = (): PropertyDecorator & MethodDecorator =>
  Field(() => Int, {
    name: 'databaseId',
    description: 'Number of the row, by which REST and the command line name it.',
  });
