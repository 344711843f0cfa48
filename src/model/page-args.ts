import { ArgsType, Field, Int } from 'type-graphql';
import { limits } from '../config.ts';

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
