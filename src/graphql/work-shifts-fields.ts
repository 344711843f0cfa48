import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { CallTime } from '../model/call-times.ts';
import { Event } from '../model/events.ts';
import { User } from '../model/users.ts';
import { WorkShift } from '../model/work-shifts.ts';
import type { Context } from './context.ts';

@Resolver(() => WorkShift)
export class WorkShiftFields {
  @FieldResolver(() => Event, { nullable: true, description: 'Event that the shift belongs to.' })
  event(@Root() { eventId }: WorkShiftRow, @Ctx() { loaders }: Context) {
    return loaders.eventById.load(eventId);
  }

  @FieldResolver(() => CallTime, { nullable: true, description: 'Call time that the shift fills; null for none.' })
  callTime(@Root() { callTimeId }: WorkShiftRow, @Ctx() { loaders }: Context) {
    return callTimeId === null ? null : loaders.callTimeById.load(callTimeId);
  }

  @FieldResolver(() => User, { nullable: true, description: 'Staff member, who may have been deleted since.' })
  user(@Root() { userId }: WorkShiftRow, @Ctx() { loaders }: Context) {
    return loaders.userById.load(userId);
  }
}
