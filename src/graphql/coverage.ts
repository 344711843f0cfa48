import { Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { CallTime } from '../model/call-times.ts';
import { Coverage, CoverageReport } from '../model/coverage.ts';
import { Event } from '../model/events.ts';
import * as coverage from '../services/coverage.ts';
import type { Context } from './context.ts';
import { readArgs } from './inputs.ts';
import { RateLimited } from './rate-limited.ts';
import { ReportArgs } from './reports-args.ts';

@Resolver()
export class CoverageResolver {
  @Query(() => CoverageReport, {
    nullable: true,
    description: 'Staffing of the events that start in a span of time, in total and by group.',
  })
  @RateLimited(coverage.report)
  coverage(@Ctx() { scope }: Context, @Args(() => ReportArgs) args: ReportArgs) {
    return coverage.report(scope, readArgs(args));
  }
}

@Resolver(() => Event)
export class EventCoverageResolver {
  @FieldResolver(() => Coverage, {
    nullable: true,
    description: 'Staffing of the call times of the event. Null for staff.',
  })
  coverage(@Root() { id }: Event, @Ctx() { loaders }: Context) {
    return loaders.coverageByEventId.load(id);
  }
}

@Resolver(() => CallTime)
export class CallTimeCoverageResolver {
  @FieldResolver(() => Coverage, { nullable: true, description: 'Staffing of the call time. Null for staff.' })
  coverage(@Root() { id }: CallTime, @Ctx() { loaders }: Context) {
    return loaders.coverageByCallTimeId.load(id);
  }
}
