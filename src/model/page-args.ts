import { ArgsType, Field, Int } from 'type-graphql';
import { limits } from '../config/limits.ts';

@ArgsType()
class PageArgs {
  @Field(() => Int, { nullable: true, description: 'Page number, starting at 1. Default: 1.' })
  page?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: `Items per page, at most ${limits.perPageMax}. Default: ${limits.perPageDefault}.`,
  })
  perPage?: number | null;
}

/** Arguments of a list that can also be read by cursor. */
@ArgsType()
export class CursorArgs extends PageArgs {
  @Field(() => Int, {
    nullable: true,
    description: `Number of items when reading by cursor instead of by page number, at most ${limits.perPageMax}. Default with \`after\`: ${limits.perPageDefault}.`,
  })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Continue after the item with this cursor, from a list in the same order. Without it, the list starts at the first item.',
  })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: `Number of items at the end of the list, or before a cursor, in the order of the list, at most ${limits.perPageMax}. Default with \`before\`: ${limits.perPageDefault}.`,
  })
  last?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Items before the one with this cursor, from a list in the same order, such as `startCursor`.',
  })
  before?: string | null;
}
