import { Field, Int, ObjectType } from 'type-graphql';
import type * as stored from '../generated/prisma/client.ts';
import { alwaysTellsLateText } from '../config/limits.ts';
import { rowVersion } from '../fields/field-list.ts';
import { Plan, Weekday } from './enums.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';

type BusinessRow = Pick<stored.Business, 'id' | 'name' | 'plan' | 'timezone' | 'weekStart'>;

@ObjectType({ description: 'A business. Callers see their own.', implements: Node, simpleResolvers: true })
export class Business
  extends objectWith({
    id: field.databaseId,
    name: field.text('Name of the business.'),
    plan: field.of(Plan)('Plan, which sets the rate limit.'),
    timezone: field.text(
      'IANA time zone of the business: whose clocks say what today is where no zone of an event is meant.',
    ),
    weekStart: field.of(Weekday)('First day of the week.'),
  })
  implements BusinessRow
{
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Setting: whether no two events that are not deleted may have the same `resourceId`. Null unless the caller is an admin.',
  })
  uniqueResourceIds?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Setting: whether query parameters that a route of REST does not know are refused. Null unless the caller is an admin.',
  })
  strictQueries?: boolean | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Setting: hours of rest that two shifts of a person must leave between them. Null if they are not checked, and unless the caller is an admin.',
  })
  restHours?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Setting: hours that a person may work in a week of the business. Null if they are not checked, and unless the caller is an admin.',
  })
  weeklyHours?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Setting: within so many hours before the start, a place that becomes free is offered to the first person on the waitlist; earlier, they get it at once. Null unless the caller is an admin.',
  })
  waitlistAutoHours?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Setting: until so many hours before the start, staff drop a shift by themselves; later they ask an admin. Null if there is no deadline, and for clients.',
  })
  dropDeadlineHours?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Setting: whether staff can only ask to drop a shift, however early. Null for clients.',
  })
  adminsDrop?: boolean | null;

  @Field(() => [Int], {
    nullable: true,
    description:
      'Setting: so many hours before their shifts start, staff are reminded by mail, where the service sends mails. Null unless the caller is an admin.',
  })
  reminderHours?: number[] | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Setting: worked time is rounded to so many minutes, once a shift. Null if it is not rounded, and unless the caller is an admin.',
  })
  roundingMinutes?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Setting: whether the check-in is rounded down and the check-out up, instead of the worked time to the nearest step. Null unless the caller is an admin.',
  })
  roundsInFavour?: boolean | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Setting: hours of a week beyond which work is overtime in the payroll. Null if overtime is not computed, and unless the caller is an admin.',
  })
  overtimeAfterHours?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Setting: whether staff can also check in with the printed code of the day. Null unless the caller is an admin.',
  })
  printedCodes?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: `Setting. ${alwaysTellsLateText} Null unless the caller is an admin.`,
  })
  alwaysTellsLate?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Setting: whether an admin approves swaps of shifts before they take place. Null unless the caller is an admin.',
  })
  approvesSwaps?: boolean | null;

  @Field(() => Int, { nullable: true, description: `${rowVersion.description} Null unless the caller is an admin.` })
  version?: number | null;
}
