import { ArgsType, Field } from 'type-graphql';
import type * as stored from '../generated/prisma/enums.ts';
import { EventStatus } from './enums.ts';
import { EventFilterInput, EventSortInput } from './events-filter.ts';
import { CursorArgs } from './page-args.ts';

@ArgsType()
export class EventListArgs extends CursorArgs {
  @Field(() => EventFilterInput, {
    nullable: true,
    description: 'Lists only events that match this filter. Default: all except deleted ones.',
  })
  filter?: EventFilterInput | null;

  @Field(() => EventSortInput, { nullable: true, description: 'Order of the list. Default: by start, oldest first.' })
  sort?: EventSortInput | null;
}

@ArgsType()
export class OwnEventsArgs extends CursorArgs {
  @Field(() => [EventStatus], {
    nullable: true,
    description:
      'Lists only events with one of these statuses. Default: ACTIVE and CANCELED, which are all that a client can see.',
  })
  statuses?: stored.EventStatus[] | null;
}
