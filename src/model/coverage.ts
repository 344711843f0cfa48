import { Field, Float, Int, ObjectType } from 'type-graphql';
import { CoverageState } from './enums.ts';
import { ReportGroup } from './reports.ts';

@ObjectType({
  description: 'How far call times are staffed, in people. Only active shifts that belong to a call time count.',
  simpleResolvers: true,
})
export class Coverage {
  @Field(() => Int, { description: 'People that the call times ask for.' })
  needed!: number;

  @Field(() => Int, { description: 'People assigned to the call times by active shifts, confirmed or not.' })
  assigned!: number;

  @Field(() => Int, { description: 'Those among the assigned who confirmed.' })
  confirmed!: number;

  @Field(() => Int, {
    description:
      'People still missing, counted for each call time by itself: one with too many people makes up for no other.',
  })
  open!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Share of the people needed that is not missing, from 0 to 1; null where nobody is needed.',
  })
  fillRate!: number | null;

  @Field(() => CoverageState, { description: 'The same in one word.' })
  state!: keyof typeof CoverageState;
}

@ObjectType({ description: 'Coverage of one day, event, position or client.', simpleResolvers: true })
export class CoverageGroup extends ReportGroup {
  @Field(() => Coverage, { description: 'Coverage of the group.' })
  coverage!: Coverage;
}

@ObjectType({ description: 'Coverage of the events that start in a span of time.', simpleResolvers: true })
export class CoverageReport {
  @Field(() => Coverage, { description: 'Coverage of them all.' })
  total!: Coverage;

  @Field(() => [CoverageGroup], {
    description: 'Coverage by group: days by date, events by start, positions and clients by name.',
  })
  groups!: CoverageGroup[];
}
