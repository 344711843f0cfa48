import { Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { CallTime } from '../model/call-times.ts';
import { Event } from '../model/events.ts';
import { LabourCost, LabourCostReport } from '../model/labour-cost.ts';
import * as labourCost from '../services/labour-cost.ts';
import type { Context } from './context.ts';
import { readArgs } from './inputs.ts';
import { RateLimited } from './rate-limited.ts';
import { ReportArgs } from './reports-args.ts';

@Resolver()
export class LabourCostResolver {
  @Query(() => LabourCostReport, {
    nullable: true,
    description: 'Labour cost of the events that start in a span of time, in total and by group.',
  })
  @RateLimited(labourCost.report)
  labourCost(@Ctx() { scope }: Context, @Args(() => ReportArgs) args: ReportArgs) {
    return labourCost.report(scope, readArgs(args));
  }
}

@Resolver(() => Event)
export class EventLabourCostResolver {
  @FieldResolver(() => LabourCost, {
    nullable: true,
    description:
      'Labour cost of all shifts of the event, including those without a call time. Null unless the caller is an admin.',
  })
  labourCost(@Root() { id }: Event, @Ctx() { loaders }: Context) {
    return loaders.labourCostByEventId.load(id);
  }
}

@Resolver(() => CallTime)
export class CallTimeLabourCostResolver {
  @FieldResolver(() => LabourCost, {
    nullable: true,
    description: 'Labour cost of the shifts on the call time. Null unless the caller is an admin.',
  })
  labourCost(@Root() { id }: CallTime, @Ctx() { loaders }: Context) {
    return loaders.labourCostByCallTimeId.load(id);
  }
}
