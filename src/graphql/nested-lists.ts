import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { CallTime } from '../model/call-times.ts';
import { CustomFieldValue } from '../model/custom-field-values.ts';
import { Event } from '../model/events.ts';
import {
  CallTimeConnection,
  CallTimePageArgs,
  CustomFieldValueConnection,
  CustomFieldValuePageArgs,
  WorkShiftConnection,
  WorkShiftPageArgs,
} from '../model/nested-lists.ts';
import { User } from '../model/users.ts';
import { WorkShift } from '../model/work-shifts.ts';
import { connectionOf, lazyConnectionOf } from './connection.ts';
import type { Context } from './context.ts';
import { givenIn } from './omit-undefined.ts';

const bound = `Null, with an error, where there are more than ${limits.nestedListMax}: the connection of this name pages through them.`;
const notForAll = 'Null for who is no admin.';

@Resolver(() => Event)
export class EventListsResolver {
  @FieldResolver(() => [CallTime], { nullable: true, description: `Call times of the event, by start. ${bound}` })
  callTimes(@Root() { id }: Event, @Ctx() { loaders }: Context) {
    return loaders.callTimesByEventId.load(id);
  }

  @FieldResolver(() => CallTimeConnection, { description: 'Call times of the event, by start, a page at a time.' })
  async callTimesConnection(
    @Root() { id }: Event,
    @Ctx() { loaders }: Context,
    @Args(() => CallTimePageArgs) args: CallTimePageArgs,
  ) {
    return connectionOf(await loaders.callTimePagesByEventId(givenIn(args)).load(id));
  }

  @FieldResolver(() => [WorkShift], {
    nullable: true,
    description: `Active work shifts of the event, by start; to staff, only their own. ${bound}`,
  })
  workShifts(@Root() { id }: Event, @Ctx() { loaders }: Context) {
    return loaders.workShiftsByEventId.load(id);
  }

  @FieldResolver(() => WorkShiftConnection, {
    description:
      'Work shifts of the event, by start, a page at a time, by number or from a cursor on; to staff, only their own.',
  })
  async workShiftsConnection(
    @Root() { id }: Event,
    @Ctx() { loaders }: Context,
    @Args(() => WorkShiftPageArgs) args: WorkShiftPageArgs,
  ) {
    return lazyConnectionOf(await loaders.workShiftPagesByEventId(givenIn(args)).load(id));
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
    return connectionOf(await loaders.customFieldPagesByEventId(givenIn(args)).load(id));
  }
}

@Resolver(() => CallTime)
export class CallTimeListsResolver {
  @FieldResolver(() => [WorkShift], {
    nullable: true,
    description: `Active work shifts that fill the call time, by start; to staff, only their own. ${bound}`,
  })
  workShifts(@Root() { id }: CallTime, @Ctx() { loaders }: Context) {
    return loaders.workShiftsByCallTimeId.load(id);
  }

  @FieldResolver(() => WorkShiftConnection, {
    description:
      'Work shifts that fill the call time, by start, a page at a time, by number or from a cursor on; to staff, only their own.',
  })
  async workShiftsConnection(
    @Root() { id }: CallTime,
    @Ctx() { loaders }: Context,
    @Args(() => WorkShiftPageArgs) args: WorkShiftPageArgs,
  ) {
    return lazyConnectionOf(await loaders.workShiftPagesByCallTimeId(givenIn(args)).load(id));
  }
}

@Resolver(() => User)
export class UserListsResolver {
  @FieldResolver(() => [WorkShift], {
    nullable: true,
    description: `Active work shifts of the user, by start, save those of deleted events. ${bound}`,
  })
  shifts(@Root() { id }: User, @Ctx() { loaders }: Context) {
    return loaders.workShiftsByUserId.load(id);
  }

  @FieldResolver(() => WorkShiftConnection, {
    description:
      'Work shifts of the user, by start, save those of deleted events, a page at a time, by number or from a cursor on.',
  })
  async shiftsConnection(
    @Root() { id }: User,
    @Ctx() { loaders }: Context,
    @Args(() => WorkShiftPageArgs) args: WorkShiftPageArgs,
  ) {
    return lazyConnectionOf(await loaders.workShiftPagesByUserId(givenIn(args)).load(id));
  }
}
