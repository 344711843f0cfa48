import { Args, Ctx, Query, Resolver, ArgsType } from 'type-graphql';
import { Payroll } from '../model/payroll.ts';
import * as payroll from '../services/payroll.ts';
import type { Context } from './context.ts';
import { readArgs } from './inputs.ts';
import { RateLimited } from './rate-limited.ts';
import { inputFrom } from '../model/input-from.ts';

@ArgsType()
class PayrollArgs extends inputFrom(payroll.payrollInput) {}

@Resolver()
export class PayrollResolver {
  @Query(() => Payroll, {
    nullable: true,
    description:
      'What people are paid in a span of days: one row for each person, week and rate. A shift belongs to the week of its start on the clocks of the business. Overtime has no premium. For admins.',
  })
  @RateLimited(payroll.read)
  payroll(@Ctx() { scope }: Context, @Args(() => PayrollArgs) args: PayrollArgs) {
    return payroll.read(scope, readArgs(args));
  }
}
