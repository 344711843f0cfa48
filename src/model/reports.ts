import { GraphQLDateTimeISO } from 'graphql-scalars';
import { ArgsType, Field, InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type { EventStatus as StoredStatus } from '../generated/prisma/enums.ts';
import { EventStatus, ReportGrouping, ReportZone } from './enums.ts';
import { RowIdField } from './row-ids.ts';

@InputType('ReportFilter', { description: 'Filter of a report. All given conditions must hold.' })
export class ReportFilterInput {
  @Field(() => [EventStatus], {
    nullable: true,
    description: 'Events with these statuses. Default: ACTIVE and DRAFT, because other events need no staff.',
  })
  statuses?: StoredStatus[] | null;

  @RowIdField('User', { nullable: true, description: 'Events of the client (a user) of this id.' })
  clientId?: number | null;

  @RowIdField('Position', { nullable: true, description: 'Call times and shifts of the position of this id.' })
  positionId?: number | null;

  @Field(() => String, { nullable: true, description: 'Events in this city; upper and lower case are equal.' })
  city?: string | null;

  @Field(() => String, { nullable: true, description: 'Events in this state; upper and lower case are equal.' })
  state?: string | null;
}

/** The span of time that a report covers. */
@ArgsType()
export abstract class PeriodArgs {
  @Field(() => GraphQLDateTimeISO, { description: 'Start of the span of time (inclusive).' })
  from!: Date;

  @Field(() => GraphQLDateTimeISO, {
    description: `End of the span of time (exclusive), at most ${limits.reportDaysMax} days after its start.`,
  })
  to!: Date;
}

@ArgsType()
export class ReportArgs extends PeriodArgs {
  @Field(() => [ReportGrouping], {
    description: `What each group of the report stands for: one thing, or two at once, such as \`[WEEK, POSITION]\`. A report with more than ${limits.reportGroupsMax} groups is refused.`,
  })
  groupBy!: (typeof ReportGrouping)[keyof typeof ReportGrouping][];

  @Field(() => ReportZone, {
    nullable: true,
    description: 'Whose clocks say on which day, in which week and in which month an event starts. Default: EVENT.',
  })
  zone?: 'event' | 'business' | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Counts whole events that run at some time in the span, such as one that started the day before, and not only those that start in it. Default: false.',
  })
  running?: boolean | null;

  @Field(() => ReportFilterInput, { nullable: true, description: 'Counts only what matches this filter.' })
  filter?: ReportFilterInput | null;
}

/** Fields that the groups of every report have. */
@ObjectType()
export abstract class ReportGroup {
  @Field(() => String, {
    nullable: true,
    description:
      'Key of the group: a local date (`YYYY-MM-DD`; of a week, its first day), a month (`YYYY-MM`), the UUID of an event, the `databaseId` of a position or of a user, or the name of a venue; null for events without a client or a venue, and for open places among staff.',
  })
  key!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Label of the group: the date, a title or a name; null where the key is.',
  })
  label!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Key of the second thing that the report is grouped by; null if it is grouped by one.',
  })
  secondKey!: string | null;

  @Field(() => String, { nullable: true, description: 'Label of that thing; null where its key is.' })
  secondLabel!: string | null;
}
