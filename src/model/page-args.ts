import { ArgsType, Field, Int } from 'type-graphql';
import { limits } from '../config/limits.ts';

@ArgsType()
export class PageArgs {
  @Field(() => Int, { nullable: true, description: `Page number, from 1; ${limits.pageDefault} if not given.` })
  page?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: `Items per page, at most ${limits.perPageMax}; ${limits.perPageDefault} if not given.`,
  })
  perPage?: number | null;
}

/** Arguments of a list that can also be read by cursor. */
@ArgsType()
export class CursorArgs extends PageArgs {
  @Field(() => Int, {
    nullable: true,
    description: `Read from a cursor on instead of by page number: how many, at most ${limits.perPageMax}; ${limits.perPageDefault} if only \`after\` is given.`,
  })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Cursor of the item behind which to go on, from a list in the same order; from the start if not given.',
  })
  after?: string | null;
}
