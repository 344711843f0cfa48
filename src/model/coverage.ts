import { Field, Float, Int, ObjectType } from 'type-graphql';
import { CoverageState } from './enums.ts';
import { ReportGroup } from './reports.ts';

@ObjectType({
  description: 'Staffing of call times, in people. Only active shifts that belong to a call time count.',
  simpleResolvers: true,
})
export class Coverage {
  @Field(() => Int, { description: 'People that the call times need.' })
  needed!: number;

  @Field(() => Int, { description: 'People assigned to the call times by active shifts, confirmed or not.' })
  assigned!: number;

  @Field(() => Int, { description: 'Assigned people who confirmed.' })
  confirmed!: number;

  @Field(() => Int, {
    description:
      'People still missing, counted for each call time separately: surplus people on one call time do not fill another.',
  })
  open!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Filled share of the people needed, from 0 to 1; null if nobody is needed.',
  })
  fillRate!: number | null;

  @Field(() => CoverageState, { description: 'Summary of the coverage.' })
  state!: keyof typeof CoverageState;
}

@ObjectType({ description: 'Coverage of one day, event, position or client.', simpleResolvers: true })
export class CoverageGroup extends ReportGroup {
  @Field(() => Coverage, { description: 'Coverage of the group.' })
  coverage!: Coverage;
}

@ObjectType({ description: 'Coverage of the events that start in a span of time.', simpleResolvers: true })
export class CoverageReport {
  @Field(() => Coverage, { description: 'Coverage of all events together.' })
  total!: Coverage;

  @Field(() => [CoverageGroup], {
    description: 'Coverage by group: days by date, events by start, positions and clients by name.',
  })
  groups!: CoverageGroup[];
}
