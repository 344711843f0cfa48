import { GraphQLCurrency } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { GraphQLDecimal } from './decimal.ts';
import { ReportGroup } from './reports.ts';

@ObjectType({
  description:
    "What work costs. A shift is paid by its own rate or, without one, by its position's default rate, in the pay unit of the position: each elapsed hour, to the second, clock changes included; each 24 hours begun; or flat. It is rounded to cents, half a cent up, before anything is added.",
  simpleResolvers: true,
})
export class LabourCost {
  @Field(() => GraphQLDecimal, { description: 'Cost of all active shifts that have a price, confirmed or not.' })
  planned!: string;

  @Field(() => GraphQLDecimal, { description: 'The part of `planned` that belongs to confirmed shifts.' })
  confirmed!: string;

  @Field(() => GraphQLDecimal, {
    description:
      'Additional cost of the people still missing on call times, by rate, pay unit and times of the call time.',
  })
  open!: string;

  @Field(() => Int, {
    description:
      'Active shifts paid by hour or day whose start or end is to be determined. They are not included in any amount here.',
  })
  unpricedShifts!: number;

  @Field(() => Int, {
    description: 'People still missing on call times paid by hour or day whose start or end is to be determined.',
  })
  unpricedOpen!: number;

  @Field(() => GraphQLCurrency, { description: 'Currency of the amounts (ISO 4217).' })
  currency!: string;
}

@ObjectType({ description: 'Labour cost of one day, event, position or client.', simpleResolvers: true })
export class LabourCostGroup extends ReportGroup {
  @Field(() => LabourCost, { description: 'Labour cost of the group.' })
  labourCost!: LabourCost;
}

@ObjectType({ description: 'Labour cost of the events that start in a span of time.', simpleResolvers: true })
export class LabourCostReport {
  @Field(() => LabourCost, { description: 'Labour cost of all events together.' })
  total!: LabourCost;

  @Field(() => [LabourCostGroup], {
    description:
      'Labour cost by group: days by date, events by start, positions and clients by name. A group without shifts and without missing people is left out.',
  })
  groups!: LabourCostGroup[];
}
