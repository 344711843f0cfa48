import { Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { CallTime } from '../model/call-times.ts';
import { Event } from '../model/events.ts';
import { LabourCost, LabourCostReport } from '../model/labour-cost.ts';
import { ReportArgs } from '../model/reports.ts';
import * as labourCost from '../services/labour-cost.ts';
import type { Context } from './context.ts';
import { omitNullishDeep } from './omit-undefined.ts';

@Resolver()
export class LabourCostResolver {
  @Query(() => LabourCostReport, {
    description: 'What the work at the events that start in a span of time costs, altogether and in groups.',
  })
  labourCost(@Ctx() { scope }: Context, @Args(() => ReportArgs) args: ReportArgs) {
    return labourCost.report(scope, omitNullishDeep(args));
  }
}

@Resolver(() => Event)
export class EventLabourCostResolver {
  @FieldResolver(() => LabourCost, {
    nullable: true,
    description: 'What all shifts of the event cost, those without a call time as well. Null for who is no admin.',
  })
  labourCost(@Root() { id }: Event, @Ctx() { loaders }: Context) {
    return loaders.labourCostByEventId.load(id);
  }
}

@Resolver(() => CallTime)
export class CallTimeLabourCostResolver {
  @FieldResolver(() => LabourCost, {
    nullable: true,
    description: 'What the shifts on the call time cost. Null for who is no admin.',
  })
  labourCost(@Root() { id }: CallTime, @Ctx() { loaders }: Context) {
    return loaders.labourCostByCallTimeId.load(id);
  }
}
