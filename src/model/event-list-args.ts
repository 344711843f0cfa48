import { ArgsType, Field, Int } from 'type-graphql';
import { limits } from '../config.ts';
import type { EventStatus as StoredStatus } from '../generated/prisma/enums.ts';
import { EventStatus, SortOrder } from './enums.ts';

@ArgsType()
export class EventListArgs {
  @Field(() => EventStatus, {
    nullable: true,
    description: 'Only events of this status; without it, all but deleted ones.',
  })
  status?: StoredStatus | null;

  @Field(() => Int, { nullable: true, description: `Page number, from 1; ${limits.pageDefault} if not given.` })
  page?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: `Events per page, at most ${limits.perPageMax}; ${limits.perPageDefault} if not given.`,
  })
  perPage?: number | null;

  @Field(() => SortOrder, { nullable: true, description: 'By start; ASC if not given.' })
  sortOrder?: 'asc' | 'desc' | null;
}
