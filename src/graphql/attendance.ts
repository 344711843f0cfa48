import {
  Arg,
  Args,
  Ctx,
  Extensions,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
  ArgsType,
  InputType,
} from 'type-graphql';
import { limits } from '../config/limits.ts';
import type { AttendanceRow } from '../fields/attendance.ts';
import {
  Attendance,
  AttendanceConnection,
  CheckInCode,
  CheckInUnlocked,
  ScreenCheck,
  ScreenCheckInCode,
} from '../model/attendance.ts';
import { Event } from '../model/events.ts';
import { User } from '../model/users.ts';
import { WorkShift } from '../model/work-shifts.ts';
import * as check from '../services/attendance-check.ts';
import * as attendance from '../services/attendance.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { readArgs, readInput } from './inputs.ts';
import { RateLimited } from './rate-limited.ts';
import { RowId, toRowKey } from './row-ids.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';
import { inputFrom } from '../model/input-from.ts';
import { filteredPage } from '../model/page-args.ts';
import { OverrideInput } from './inner-inputs.ts';

@ArgsType()
class AttendancePageArgs extends filteredPage('AttendanceFilter', attendance.attendanceFilter, 'shifts') {}

@InputType({ description: 'Changes to what is noted of a work shift: only the given fields change.' })
class UpdateAttendanceInput extends inputFrom(attendance.attendanceChanges) {}

@InputType({ description: 'A check-in.' })
class CheckInInput extends inputFrom({ properties: check.checkInFields }) {}

@InputType({ description: 'A check-out.' })
class CheckOutInput extends inputFrom({ properties: check.checkOutFields }) {}

@Resolver()
export class AttendanceResolver {
  @Query(() => AttendanceConnection, {
    nullable: true,
    description:
      'Active shifts with who came and left, by start, one page at a time. A shift of which nothing is noted is listed as well. Staff see their own.',
  })
  async attendance(@Ctx() { scope }: Context, @Args(() => AttendancePageArgs) args: AttendancePageArgs) {
    return toConnection(await attendance.list(scope, readArgs(args)));
  }

  @Mutation(() => Attendance, {
    nullable: true,
    description:
      'Notes that a person came. Repeated, it changes nothing. Staff send the code of the event, from 60 minutes before the start until four hours after the end. For the person and for admins.',
  })
  @Extensions({ calls: check.checkIn })
  checkIn(
    @Ctx() { scope }: Context,
    @RowId('WorkShift', { name: 'shiftId' }) uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('input', () => CheckInInput, { nullable: true, description: 'The check-in.' }) input?: CheckInInput | null,
  ) {
    return check.checkIn(scope, { ...readArgs(input ?? {}), uuid, ...expectVersion(version) });
  }

  @Mutation(() => Attendance, {
    nullable: true,
    description:
      'Notes that a person left. Repeated, it changes nothing. Staff send the code of the event. For the person and for admins.',
  })
  @Extensions({ calls: check.checkOut })
  checkOut(
    @Ctx() { scope }: Context,
    @RowId('WorkShift', { name: 'shiftId' }) uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('input', () => CheckOutInput, { nullable: true, description: 'The check-out.' }) input?: CheckOutInput | null,
  ) {
    return check.checkOut(scope, { ...readArgs(input ?? {}), uuid, ...expectVersion(version) });
  }

  @Mutation(() => Attendance, {
    nullable: true,
    description:
      'Changes what is noted of a shift: only the given fields. After an approval it needs `changeReason`, and the approval ends. For admins.',
  })
  updateAttendance(
    @Ctx() { scope }: Context,
    @RowId('WorkShift', { name: 'shiftId' }) uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('input', () => UpdateAttendanceInput, { description: 'The changes.' }) input: UpdateAttendanceInput,
  ) {
    return attendance.update(scope, { ...readInput(input), uuid, ...expectVersion(version) });
  }

  @Mutation(() => [Attendance], {
    nullable: true,
    description:
      'Approves shifts of which all is known, all or none: stores the rate, the unit, the minutes and the pay of each. Approved ones stay as they are. Refused as a `CLASH` if a person has worked two approved shifts at the same time, unless an override gives a reason. For admins.',
  })
  approveAttendance(
    @Ctx() { scope }: Context,
    @Arg('shiftIds', () => [ID], { description: `Ids of the work shifts, at most ${limits.namedItemsMax}.` })
    shiftIds: string[],
    @Arg('override', () => OverrideInput, { nullable: true, description: 'Allows it although time is paid twice.' })
    override?: OverrideInput | null,
  ) {
    const shiftUuids = shiftIds.map((id) => toRowKey('WorkShift', id) as string);
    return attendance.approve(scope, { shiftUuids, ...(override && { override }) });
  }

  @Query(() => CheckInCode, {
    nullable: true,
    description: 'The codes with which people check in at an event. For admins.',
  })
  checkInCode(
    @Ctx() { scope }: Context,
    @RowId('Event', { name: 'eventId' }) uuid: string,
    @Arg('day', () => String, {
      nullable: true,
      description: 'Day of the printed code, `YYYY-MM-DD` on the clocks of the event. Default: today.',
    })
    day?: string | null,
  ) {
    return check.readCode(scope, { uuid, ...(day && { day }) });
  }

  @Mutation(() => CheckInUnlocked, {
    nullable: true,
    description: 'Lets people check in again who sent wrong codes for an event. For admins.',
  })
  async unlockCheckIn(
    @Ctx() { scope }: Context,
    @RowId('Event', { name: 'eventId' }) uuid: string,
    @Arg('userId', () => ID, {
      nullable: true,
      description: 'Unlocks only this user. Default: everybody, and the event.',
    })
    userId?: string | null,
  ) {
    const user = userId ? { userId: toRowKey('User', userId) as number } : {};
    return { unlocked: await check.unlock(scope, { uuid, ...user }) };
  }

  @Query(() => ScreenCheckInCode, {
    nullable: true,
    description: 'The code that the screen that calls shows. For screens that were approved to check people in.',
  })
  myScreenCheckInCode(@Ctx() { scope }: Context) {
    return check.readScreenCode(scope, {});
  }

  @Mutation(() => ScreenCheck, {
    nullable: true,
    description:
      'Checks a person in on the screen that calls or, if they are there, out. For screens that were approved to check people in.',
  })
  @RateLimited(check.checkOnScreen)
  checkOnMyScreen(
    @Ctx() { scope }: Context,
    @Arg('name', () => String, { description: 'Name of the person, without regard to case and accents.' }) name: string,
    @Arg('phoneDigits', () => String, { description: 'The last four digits of their phone number.' })
    phoneDigits: string,
  ) {
    return check.checkOnScreen(scope, { name, phoneDigits });
  }
}

@Resolver(() => Attendance)
export class AttendanceFields {
  @FieldResolver(() => WorkShift, { nullable: true, description: 'The work shift.' })
  workShift(@Root() { uuid }: AttendanceRow, @Ctx() { loaders }: Context) {
    return loaders.workShiftByUuid.load(uuid);
  }

  @FieldResolver(() => Event, { nullable: true, description: 'The event.' })
  event(@Root() { eventId }: AttendanceRow, @Ctx() { loaders }: Context) {
    return loaders.eventById.load(eventId);
  }

  @FieldResolver(() => User, { nullable: true, description: 'The person.' })
  user(@Root() { userId }: AttendanceRow, @Ctx() { loaders }: Context) {
    return loaders.userById.load(userId);
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: 'Who approved it; null if nobody or an API key did, and unless the caller is an admin.',
  })
  approvedBy(@Root() { approvedById }: AttendanceRow, @Ctx() { loaders }: Context) {
    return approvedById === null ? null : loaders.userById.load(approvedById);
  }
}

@Resolver(() => WorkShift)
export class WorkShiftAttendanceResolver {
  @FieldResolver(() => Attendance, {
    nullable: true,
    description: 'What became of the shift on the day. Null for clients.',
  })
  attendance(@Root() { id }: WorkShift, @Ctx() { loaders }: Context) {
    return loaders.attendanceById.load(id);
  }
}
