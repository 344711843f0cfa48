import { Field, Int, ObjectType, type ClassType } from 'type-graphql';
import { PageInfo } from './page-info.ts';

/** Creates the class of a page of a list, and that of its edges: `WorkShiftEdge` for `WorkShift`. */
export function connectionTo<Node extends object>(node: ClassType<Node>, name: string, what: string) {
  @ObjectType(`${name}Edge`, { description: `One of the ${what} of a list, with its cursor.`, simpleResolvers: true })
  class Edge {
    @Field(() => String, { description: 'Cursor of this item, to be sent as `after` to read on.' })
    cursor!: string;

    @Field(() => node, { description: 'The item.' })
    node!: Node;
  }

  @ObjectType({ simpleResolvers: true })
  abstract class Connection {
    @Field(() => [node], { description: `The ${what} of this page.` })
    nodes!: Node[];

    @Field(() => [Edge], { description: `The ${what} of this page, each with its cursor.` })
    edges!: Edge[];

    @Field(() => Int, { simple: false, description: `How many ${what} there are on all pages.` })
    totalCount!: number;

    @Field(() => PageInfo, { description: 'Position of this page in the whole list.' })
    pageInfo!: PageInfo;
  }
  return Connection;
}
