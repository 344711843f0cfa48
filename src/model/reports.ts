import { GraphQLDateTimeISO } from 'graphql-scalars';
import { ArgsType, Field, InputType, Int, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type { EventStatus as StoredStatus } from '../generated/prisma/enums.ts';
import { EventStatus, ReportGrouping } from './enums.ts';

@InputType({ description: 'What a report counts: all that is given must hold.' })
export class ReportFilter {
  @Field(() => [EventStatus], {
    nullable: true,
    description: 'Events of these statuses; without it ACTIVE and DRAFT, as other events need nobody.',
  })
  statuses?: StoredStatus[] | null;

  @Field(() => Int, { nullable: true, description: 'Events of this client (id of a user).' })
  clientId?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Call times and shifts of this position (its id), whatever else their event needs.',
  })
  positionId?: number | null;

  @Field(() => String, { nullable: true, description: 'Events in this city, in any case.' })
  city?: string | null;

  @Field(() => String, { nullable: true, description: 'Events in this state, in any case.' })
  state?: string | null;
}

/** The span of time that a report covers. */
@ArgsType()
export abstract class PeriodArgs {
  @Field(() => GraphQLDateTimeISO, { description: 'Start of the span of time, itself included.' })
  from!: Date;

  @Field(() => GraphQLDateTimeISO, {
    description: `End of the span of time, itself not included; at most ${limits.reportDaysMax} days after its start.`,
  })
  to!: Date;
}

@ArgsType()
export class ReportArgs extends PeriodArgs {
  @Field(() => ReportGrouping, {
    description: `What the groups stand for; a report of more than ${limits.reportGroupsMax} groups is refused.`,
  })
  groupBy!: (typeof ReportGrouping)[keyof typeof ReportGrouping];

  @Field(() => ReportFilter, { nullable: true, description: 'What to count.' })
  filter?: ReportFilter | null;
}

/** Fields that the groups of every report have. */
@ObjectType()
export abstract class ReportGroup {
  @Field(() => String, {
    nullable: true,
    description:
      'What the group is named by: a local date (`YYYY-MM-DD`), the UUID of an event, or the id of a position or of a client; null for events without a client.',
  })
  key!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The same for people: the date, a title or a name; null for events without a client.',
  })
  label!: string | null;
}
