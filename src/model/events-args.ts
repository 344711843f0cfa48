import { ArgsType, Field } from 'type-graphql';
import { EventFilter, EventSort } from './events-filter.ts';
import { CursorArgs } from './page-args.ts';

@ArgsType()
export class EventListArgs extends CursorArgs {
  @Field(() => EventFilter, {
    nullable: true,
    description: 'Only events like this; all but deleted ones if not given.',
  })
  filter?: EventFilter | null;

  @Field(() => EventSort, { nullable: true, description: 'Order; by start, oldest first, if not given.' })
  sort?: EventSort | null;
}
