import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { WorkReport } from '../model/work-report.ts';
import * as workReport from '../services/work-report.ts';
import type { Context } from './context.ts';
import { readArgs } from './inputs.ts';
import { RateLimited } from './rate-limited.ts';
import { WorkReportArgs } from './reports-args.ts';

@Resolver()
export class WorkReportResolver {
  @Query(() => WorkReport, {
    nullable: true,
    description:
      'Shifts, people, hours, cost and fill rate of the events that start in a span of time, in total and by group.',
  })
  @RateLimited(workReport.report)
  work(@Ctx() { scope }: Context, @Args(() => WorkReportArgs) args: WorkReportArgs) {
    return workReport.report(scope, readArgs(args));
  }
}
