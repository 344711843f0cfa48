import { GraphQLDateTimeISO } from 'graphql-scalars';
import { ArgsType, Field, InputType, ObjectType } from 'type-graphql';
import { CallTime } from './call-times.ts';
import { connectionTo } from './connection-to.ts';
import { SortOrder } from './enums.ts';
import { CursorArgs } from './page-args.ts';
import { RowIdField } from './row-ids.ts';

@ObjectType({ description: 'A page of call times, by start.', simpleResolvers: true })
export class CallTimeConnection extends connectionTo(CallTime, 'CallTime', 'call times') {}

/** Conditions on the start of a row, in lists by start. */
@InputType()
export abstract class StartFilter {
  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'Starts at this instant or later.' })
  from?: Date | null;

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'Starts before this instant.' })
  to?: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Starts on this local day or later, `YYYY-MM-DD` in the time zone of the event.',
  })
  dateFrom?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Starts on this local day or before, `YYYY-MM-DD` in the time zone of the event.',
  })
  dateTo?: string | null;

  @RowIdField('User', { nullable: true, description: 'At events of the client (a user) of this id.' })
  clientId?: number | null;

  @RowIdField('Event', { nullable: true, description: 'Of the event of this id.' })
  eventId?: string | null;
}

@InputType('StartSort', { description: 'Order of a list by start. Where two are equal, their ids decide.' })
export class StartSortInput {
  @Field(() => SortOrder, { nullable: true, description: 'Direction. Default: ASC.' })
  order?: 'asc' | 'desc' | null;
}

@InputType('CallTimeFilter', { description: 'Filter of call times. All given conditions must hold.' })
export class CallTimeFilterInput extends StartFilter {
  @Field(() => Boolean, {
    nullable: true,
    description: 'Of ACTIVE and DRAFT events, and still lacks people, or not.',
  })
  unfilled?: boolean | null;

  @RowIdField('Position', { nullable: true, description: 'Ask for the position of this id.' })
  positionId?: number | null;

  @RowIdField('SkillLevel', { nullable: true, description: 'Ask for the skill level of this id.' })
  skillLevelId?: number | null;
}

@ArgsType()
export class CallTimePageArgs extends CursorArgs {
  @Field(() => CallTimeFilterInput, {
    nullable: true,
    description: 'Lists only call times that match this filter. Default: all.',
  })
  filter?: CallTimeFilterInput | null;
}

@ArgsType()
export class CallTimeListArgs extends CallTimePageArgs {
  @Field(() => StartSortInput, { nullable: true, description: 'Order of the list. Default: by start, oldest first.' })
  sort?: StartSortInput | null;
}
