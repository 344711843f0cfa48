import { Field, ID, InterfaceType } from 'type-graphql';

/** Where a field shows a node of any type, its row is an instance of the class of its type (graphql/global-ids.ts). */
@InterfaceType('Node', {
  description: 'A stored object with a globally unique id, by which `node` and `nodes` read it again.',
})
export abstract class Node {
  @Field(() => ID, {
    name: 'id',
    description:
      'Globally unique id: no two objects have the same, whatever their types. Opaque; it stays the same as long as the object exists.',
  })
  protected readonly globalId!: string;
}
