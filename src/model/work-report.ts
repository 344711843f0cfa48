import { GraphQLCurrency } from 'graphql-scalars';
import { ArgsType, Field, Float, Int, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { GraphQLDecimal } from './decimal.ts';
import { ReportArgs, ReportGroup } from './reports.ts';

@ObjectType({ description: 'What people work, what it costs, and whether it is enough.', simpleResolvers: true })
export class Work {
  @Field(() => Int, { description: 'Active shifts, with or without a call time.' })
  shifts!: number;

  @Field(() => Int, { description: 'Active shifts that are confirmed.' })
  confirmedShifts!: number;

  @Field(() => Int, { description: 'People with an active shift, each counted once.' })
  people!: number;

  @Field(() => Float, { description: 'Elapsed hours of the active shifts whose start and end are known.' })
  plannedHours!: number;

  @Field(() => Float, { description: 'The part of `plannedHours` that belongs to confirmed shifts.' })
  confirmedHours!: number;

  @Field(() => Int, { description: 'Active shifts whose start or end is to be determined. No hours have them.' })
  untimedShifts!: number;

  @Field(() => GraphQLDecimal, { description: 'Cost of the active shifts that have a price.' })
  plannedCost!: string;

  @Field(() => GraphQLDecimal, { description: 'The part of `plannedCost` that belongs to confirmed shifts.' })
  confirmedCost!: string;

  @Field(() => Int, {
    description:
      'Active shifts paid by hour or day whose start or end is to be determined. They are not included in any cost.',
  })
  unpricedShifts!: number;

  @Field(() => Int, { description: 'Canceled shifts, declined or not.' })
  canceledShifts!: number;

  @Field(() => Int, {
    description:
      'Canceled shifts that were canceled at most `canceledWithinHours` before their start, or later until their end.',
  })
  canceledLateShifts!: number;

  @Field(() => Int, { nullable: true, description: 'People that the call times need; null by STAFF.' })
  needed!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'People still missing, counted for each call time separately; null by STAFF.',
  })
  open!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Filled share of the people needed, from 0 to 1; null if nobody is needed, and by STAFF.',
  })
  fillRate!: number | null;

  @Field(() => GraphQLCurrency, { description: 'Currency of the costs (ISO 4217).' })
  currency!: string;
}

@ObjectType({ description: 'Work of one group, such as a person, a week or a venue.', simpleResolvers: true })
export class WorkGroup extends ReportGroup {
  @Field(() => Work, { description: 'Work of the group.' })
  work!: Work;
}

@ObjectType({ description: 'Work at the events that start in a span of time.', simpleResolvers: true })
export class WorkReport {
  @Field(() => Work, { description: 'Work at all events together. A person in several groups counts once.' })
  total!: Work;

  @Field(() => [WorkGroup], {
    description: 'Work by group: days, weeks and months by date, events by start, the others by name.',
  })
  groups!: WorkGroup[];
}

@ArgsType()
export class WorkReportArgs extends ReportArgs {
  @Field(() => Int, {
    nullable: true,
    description: `From how many hours before its start on a canceled shift counts as canceled late. Default: ${limits.canceledLateHours}.`,
  })
  canceledWithinHours?: number | null;
}
