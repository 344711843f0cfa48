import { ObjectType, type ClassType } from 'type-graphql';
import { PageInfo } from './page-info.ts';
import { field, objectWith } from './shapes.ts';

/** Creates the class of a page of a list, and that of its edges: `WorkShiftEdge` for `WorkShift`. */
export function connectionTo<Node extends object>(node: ClassType<Node>, name: string, what: string) {
  @ObjectType(`${name}Edge`, { description: `One of the ${what} of a list, with its cursor.` })
  class Edge extends objectWith({
    cursor: field.text('Cursor of this item, to be sent as `after` to read on.'),
    node: field.of(node)('The item.'),
  }) {}

  return objectWith({
    nodes: field.of([node])(`The ${what} of this page.`),
    edges: field.of([Edge])(`The ${what} of this page, each with its cursor.`),
    totalCount: field.int(`How many ${what} there are on all pages. Counted only when asked for.`, { simple: false }),
    pageInfo: field.of(PageInfo)('Position of this page in the whole list.'),
  });
}
