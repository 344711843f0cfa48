import { ArgsType, Field, Int } from 'type-graphql';
import { limits } from '../config.ts';
import { EventFilter, EventSort } from './event-filter.ts';
import { PageArgs } from './page-args.ts';

@ArgsType()
export class EventListArgs extends PageArgs {
  @Field(() => EventFilter, {
    nullable: true,
    description: 'Only events like this; all but deleted ones if not given.',
  })
  filter?: EventFilter | null;

  @Field(() => EventSort, { nullable: true, description: 'Order; by start, oldest first, if not given.' })
  sort?: EventSort | null;

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
