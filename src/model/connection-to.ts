import { Field, Int, ObjectType, type ClassType } from 'type-graphql';
import { PageInfo } from './page-info.ts';

/** Creates the class of a page of a nested list. */
export function connectionTo<Node extends object>(node: ClassType<Node>, what: string) {
  @ObjectType({ simpleResolvers: true })
  abstract class Connection {
    @Field(() => [node], { description: `The ${what} of this page.` })
    nodes!: Node[];

    @Field(() => Int, { simple: false, description: `How many ${what} there are on all pages.` })
    totalCount!: number;

    @Field(() => PageInfo, { description: 'Position of this page in the whole list.' })
    pageInfo!: PageInfo;
  }
  return Connection;
}
