import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { CallTime } from '../model/call-times.ts';
import { Event } from '../model/events.ts';
import { User } from '../model/users.ts';
import { WorkShift } from '../model/work-shifts.ts';
import type { Context } from './context.ts';

/* From a row to the one that it points to. Null where it points to none, or to one out of the caller's sight. */

@Resolver(() => Event)
export class EventEdges {
  @FieldResolver(() => User, { nullable: true, description: 'Client that the event belongs to; null for none.' })
  client(@Root() { clientId }: Event, @Ctx() { loaders }: Context) {
    return clientId === null ? null : loaders.userById.load(clientId);
  }
}

@Resolver(() => CallTime)
export class CallTimeEdges {
  @FieldResolver(() => Event, { nullable: true, description: 'Event that the call time belongs to.' })
  event(@Root() { eventId }: CallTime, @Ctx() { loaders }: Context) {
    return loaders.eventById.load(eventId);
  }
}

@Resolver(() => WorkShift)
export class WorkShiftEdges {
  @FieldResolver(() => Event, { nullable: true, description: 'Event that the shift belongs to.' })
  event(@Root() { eventId }: WorkShift, @Ctx() { loaders }: Context) {
    return loaders.eventById.load(eventId);
  }

  @FieldResolver(() => CallTime, { nullable: true, description: 'Call time that the shift fills; null for none.' })
  callTime(@Root() { callTimeId }: WorkShift, @Ctx() { loaders }: Context) {
    return callTimeId === null ? null : loaders.callTimeById.load(callTimeId);
  }

  @FieldResolver(() => User, { nullable: true, description: 'Staff member, who may have been deleted since.' })
  user(@Root() { userId }: WorkShift, @Ctx() { loaders }: Context) {
    return loaders.userById.load(userId);
  }
}
