import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root, ArgsType, InputType } from 'type-graphql';
import type { SwapRow } from '../fields/swaps.ts';
import { Event } from '../model/events.ts';
import { CursorArgs, filteredPage, pageWith } from '../model/page-args.ts';
import { ShiftSwap, ShiftSwapConnection, SwapOptionConnection } from '../model/swaps.ts';
import { User } from '../model/users.ts';
import { WorkShift } from '../model/work-shifts.ts';
import * as swaps from '../services/swaps.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { readArgs, readInput } from './inputs.ts';
import { reasonText } from './offers.ts';
import { RateLimited } from './rate-limited.ts';
import { RowId } from './row-ids.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';
import { inputFrom } from '../model/input-from.ts';
import { OverrideInput } from './inner-inputs.ts';

@ArgsType()
class SwapOptionArgs extends pageWith(swaps.optionFilter) {}

@InputType({ description: 'A swap of a shift of the caller. Without another shift, it is a handover.' })
class RequestSwapInput extends inputFrom(swaps.requestInput) {}

@ArgsType()
class SwapPageArgs extends filteredPage('ShiftSwapFilter', swaps.swapFilter, 'swaps') {}

@Resolver(() => ShiftSwap)
export class SwapResolver {
  @Query(() => ShiftSwap, {
    nullable: true,
    description:
      'One swap; null, with an error, if there is none. Staff see those that they ask for, or that ask them.',
  })
  shiftSwap(@Ctx() { scope }: Context, @RowId('ShiftSwap') uuid: string) {
    return swaps.get(scope, { uuid });
  }

  @Query(() => ShiftSwapConnection, {
    nullable: true,
    description:
      'Swaps, the newest first, one page at a time. Staff see those that they ask for, or that ask them; admins see all.',
  })
  async shiftSwaps(@Ctx() { scope }: Context, @Args(() => SwapPageArgs) args: SwapPageArgs) {
    return toConnection(await swaps.list(scope, readArgs(args)));
  }

  @Query(() => ShiftSwapConnection, {
    nullable: true,
    description:
      'Swaps that the calling staff member can take, the newest first, one page at a time: those that ask them, and those that ask anybody for work in positions that they have worked in. For staff.',
  })
  async openSwaps(@Ctx() { scope }: Context, @Args(() => CursorArgs) args: CursorArgs) {
    return toConnection(await swaps.listOpen(scope, readArgs(args)));
  }

  @Query(() => SwapOptionConnection, {
    nullable: true,
    description:
      'The ways in which a shift can be given away: to each colleague of its person who can work in its position, and for each shift of theirs to come. Pages count colleagues: each comes with their next shifts. For admins, and for staff of their own shifts.',
  })
  @RateLimited(swaps.listOptions)
  async swapOptions(
    @Ctx() { scope }: Context,
    @RowId('WorkShift', { name: 'shiftId' }) uuid: string,
    @Args(() => SwapOptionArgs) args: SwapOptionArgs,
  ) {
    return toConnection(await swaps.listOptions(scope, { ...readArgs(args), uuid }));
  }

  @Mutation(() => ShiftSwap, {
    nullable: true,
    description:
      'Asks for a swap of a shift of the caller with that of another person, or to hand it over to one or to anybody. The shift can be neither dropped nor declined meanwhile. For staff.',
  })
  requestSwap(
    @Ctx() { scope }: Context,
    @Arg('input', () => RequestSwapInput, { description: 'The swap.' }) input: RequestSwapInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return swaps.request(withKeyArgument(scope, key), readInput(input));
  }

  @Mutation(() => ShiftSwap, {
    nullable: true,
    description:
      'Takes a swap: the state is then DONE, or TAKEN where an admin approves. Refused with code OFFER_CLOSED when it is too late, and with CLASH if a rule is against it. For staff.',
  })
  takeSwap(@Ctx() { scope }: Context, @RowId('ShiftSwap') uuid: string, @ExpectedVersion() version: ExpectedVersion) {
    return swaps.take(scope, { uuid, ...expectVersion(version) });
  }

  @Mutation(() => ShiftSwap, {
    nullable: true,
    description: 'Lets a swap that was taken take place. Refused with code CLASH if a rule is against it. For admins.',
  })
  approveSwap(
    @Ctx() { scope }: Context,
    @RowId('ShiftSwap') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('override', () => OverrideInput, {
      nullable: true,
      description: 'Allows it although a rule is against it.',
    })
    override?: OverrideInput | null,
  ) {
    return swaps.approve(scope, { uuid, ...expectVersion(version), ...(override && { override }) });
  }

  @Mutation(() => ShiftSwap, {
    nullable: true,
    description: 'Refuses a swap. For the person who is asked or took it, and for admins.',
  })
  refuseSwap(
    @Ctx() { scope }: Context,
    @RowId('ShiftSwap') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('reason', () => String, { nullable: true, description: reasonText })
    reason?: string | null,
  ) {
    return swaps.refuse(scope, { uuid, ...expectVersion(version), ...(reason !== undefined && { reason }) });
  }

  @Mutation(() => ShiftSwap, {
    nullable: true,
    description: 'Takes back a swap. For the person who asked, and for admins.',
  })
  cancelSwap(@Ctx() { scope }: Context, @RowId('ShiftSwap') uuid: string, @ExpectedVersion() version: ExpectedVersion) {
    return swaps.cancel(scope, { uuid, ...expectVersion(version) });
  }

  @FieldResolver(() => WorkShift, { nullable: true, description: 'The shift. Null unless the caller sees it.' })
  async shift(@Root() { workShiftUuid }: SwapRow, @Ctx() { loaders }: Context) {
    return loaders.workShiftByUuid.load(workShiftUuid);
  }

  @FieldResolver(() => WorkShift, {
    nullable: true,
    description: 'The shift that is wanted instead. Null for a handover, and unless the caller sees it.',
  })
  otherShift(@Root() { otherShiftUuid }: SwapRow, @Ctx() { loaders }: Context) {
    return otherShiftUuid === null ? null : loaders.workShiftByUuid.load(otherShiftUuid);
  }

  @FieldResolver(() => Event, {
    nullable: true,
    description: 'The event of the shift. Null for staff who do not work there: what they need is in the other fields.',
  })
  event(@Root() { eventId }: SwapRow, @Ctx() { loaders }: Context) {
    return loaders.eventById.load(eventId);
  }

  @FieldResolver(() => User, { nullable: true, description: 'The person who asks. Null unless the caller sees users.' })
  from(@Root() { fromUserId }: SwapRow, @Ctx() { loaders }: Context) {
    return loaders.userById.load(fromUserId);
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: 'Who is asked, or took it. Null while anybody can take it, and unless the caller sees users.',
  })
  to(@Root() { toUserId }: SwapRow, @Ctx() { loaders }: Context) {
    return toUserId === null ? null : loaders.userById.load(toUserId);
  }
}
