import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Resolver, Root, ArgsType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { Attendance } from '../model/attendance.ts';
import { Business } from '../model/businesses.ts';
import { CallTimeConnection } from '../model/call-times-connection.ts';
import { CallTime } from '../model/call-times.ts';
import { CustomFieldValueConnection } from '../model/custom-field-values-connection.ts';
import { CustomFieldValue } from '../model/custom-field-values.ts';
import { Event } from '../model/events.ts';
import { OfferRecipient } from '../model/offers.ts';
import { ShiftSwap } from '../model/swaps.ts';
import { User } from '../model/users.ts';
import { WorkShiftConnection } from '../model/work-shifts-connection.ts';
import { WorkShift } from '../model/work-shifts.ts';
import * as viewer from '../services/viewer.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { readArgs } from './inputs.ts';
import { filteredPage } from '../model/page-args.ts';
import { CallTimePageArgs, WorkShiftPageArgs } from './lists-by-start.ts';
import { valueFilter } from '../services/custom-field-values.ts';

@ArgsType()
class CustomFieldValuePageArgs extends filteredPage('CustomFieldValueFilter', valueFilter, 'values') {}

const bound = `Null, with an error, if there are more than ${limits.wholeListMax}: use the connection of the same name to page through them.`;
/** Bound of a list that has no connection, in words: `list` is the root field that pages through it. */
export const filtered = (list: string) =>
  `Null, with an error, if there are more than ${limits.wholeListMax}: use \`${list}\` with a filter to page through them.`;
const notForAll = 'Null unless the caller is an admin.';

@Resolver(() => Event)
export class EventFields {
  @FieldResolver(() => [CallTime], { nullable: true, description: `Call times of the event, by start. ${bound}` })
  callTimes(@Root() { id }: Event, @Ctx() { loaders }: Context, @Info() info: GraphQLResolveInfo) {
    return loaders.callTimesByEventId(info).load(id);
  }

  @FieldResolver(() => CallTimeConnection, { description: 'Call times of the event, by start, one page at a time.' })
  async callTimesConnection(
    @Root() { id }: Event,
    @Ctx() { loaders }: Context,
    @Args(() => CallTimePageArgs) args: CallTimePageArgs,
  ) {
    return toConnection(await loaders.callTimePagesByEventId(readArgs(args)).load(id));
  }

  @FieldResolver(() => [WorkShift], {
    nullable: true,
    description: `Active work shifts of the event, by start; staff see only their own. ${bound}`,
  })
  workShifts(@Root() { id }: Event, @Ctx() { loaders }: Context, @Info() info: GraphQLResolveInfo) {
    return loaders.workShiftsByEventId(info).load(id);
  }

  @FieldResolver(() => WorkShiftConnection, {
    description:
      'Work shifts of the event, by start, one page at a time, by page number or by cursor; staff see only their own.',
  })
  async workShiftsConnection(
    @Root() { id }: Event,
    @Ctx() { loaders }: Context,
    @Args(() => WorkShiftPageArgs) args: WorkShiftPageArgs,
  ) {
    return toConnection(await loaders.workShiftPagesByEventId(readArgs(args)).load(id));
  }

  @FieldResolver(() => [CustomFieldValue], {
    nullable: true,
    description: `Values of the business's own form fields on the event. ${notForAll} ${bound}`,
  })
  customFields(@Root() { id }: Event, @Ctx() { loaders }: Context) {
    return loaders.customFieldsByEventId.load(id);
  }

  @FieldResolver(() => CustomFieldValueConnection, {
    nullable: true,
    description: `Values of the business's own form fields on the event, a page at a time. ${notForAll}`,
  })
  async customFieldsConnection(
    @Root() { id }: Event,
    @Ctx() { loaders }: Context,
    @Args(() => CustomFieldValuePageArgs) args: CustomFieldValuePageArgs,
  ) {
    return toConnection(await loaders.customFieldPagesByEventId(readArgs(args)).load(id));
  }

  @FieldResolver(() => [OfferRecipient], {
    nullable: true,
    description: `Who was asked to work at the event, in that order; staff see their own part. Null for clients. ${filtered('offerRecipients')}`,
  })
  offerRecipients(@Root() { id }: Event, @Ctx() { loaders }: Context) {
    return loaders.recipientsOf.eventId.load(id);
  }

  @FieldResolver(() => [ShiftSwap], {
    nullable: true,
    description: `Swaps of shifts of the event, in the order in which they were asked for; staff see those that they ask for, or that ask them. Null for clients. ${filtered('shiftSwaps')}`,
  })
  shiftSwaps(@Root() { id }: Event, @Ctx() { loaders }: Context) {
    return loaders.swapsByEventId.load(id);
  }

  @FieldResolver(() => [Attendance], {
    nullable: true,
    description: `What became of the active shifts of the event, by start; staff see their own. Null for clients. ${filtered('attendance')}`,
  })
  attendance(@Root() { id }: Event, @Ctx() { loaders }: Context) {
    return loaders.attendanceByEventId.load(id);
  }

  @FieldResolver(() => Business, { description: 'Business that the event belongs to: that of the caller.' })
  business(@Ctx() { scope }: Context) {
    return viewer.businessOf(scope);
  }

  @FieldResolver(() => User, { nullable: true, description: 'Client that the event belongs to; null for none.' })
  client(@Root() { clientId }: Event, @Ctx() { loaders }: Context) {
    return clientId === null ? null : loaders.userById.load(clientId);
  }
}
