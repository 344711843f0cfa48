import { ArgsType, Field } from 'type-graphql';
import type * as stored from '../generated/prisma/enums.ts';
import { EventStatus } from './enums.ts';
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

@ArgsType()
export class OwnEventsArgs extends CursorArgs {
  @Field(() => [EventStatus], {
    nullable: true,
    description: 'Only events of one of these statuses; ACTIVE and CANCELED, all there is to see, if not given.',
  })
  statuses?: stored.EventStatus[] | null;
}
