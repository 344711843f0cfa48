import { Arg, Args, Ctx, Mutation, Query, Resolver, ArgsType, InputType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { withDryRun } from '../http/dry-run.ts';
import { AssignShiftResult } from '../model/clashes.ts';
import { ShiftPayload } from '../model/payloads.ts';
import { WorkShiftConnection } from '../model/work-shifts-connection.ts';
import { WorkShift } from '../model/work-shifts.ts';
import * as assignments from '../services/work-shifts-assign.ts';
import * as shiftStatus from '../services/work-shifts-status.ts';
import * as workShifts from '../services/work-shifts.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { DryRun } from './dry-run.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { readArgs, readInput } from './inputs.ts';
import { MayClash } from './payloads.ts';
import { toShiftResults } from './refusals.ts';
import { RowId } from './row-ids.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';
import { inputFrom } from '../model/input-from.ts';
import { pageWith } from '../model/page-args.ts';
import { innerInputs } from './inner-inputs.ts';
import { WorkShiftPageArgs } from './lists-by-start.ts';
import { assignInput, shiftChanges } from '../services/work-shifts-input.ts';

@InputType({ description: 'An assignment of one staff member to a call time, or to an event without a call time.' })
class AssignShiftInput extends inputFrom(assignInput, innerInputs) {}

@InputType({
  description:
    'Changes to a work shift: only the given fields change. Another person, other times or a restored shift need a new confirmation.',
})
class UpdateShiftInput extends inputFrom(shiftChanges, innerInputs) {}

@ArgsType()
class OwnShiftsArgs extends pageWith(workShifts.ownShiftsFilter) {}

@Resolver(() => WorkShift)
export class WorkShiftResolver {
  @Query(() => WorkShift, {
    nullable: true,
    description: 'One work shift that the caller may see, whatever its status; null, with an error, if there is none.',
  })
  workShift(@Ctx() { scope }: Context, @RowId('WorkShift') uuid: string) {
    return workShifts.get(scope, { uuid });
  }

  @Query(() => WorkShiftConnection, {
    nullable: true,
    description:
      'Work shifts of the business, by start, one page at a time; staff see their own, clients the active ones at their events. Those at deleted events are left out, unless the filter names the event or the call time.',
  })
  async workShifts(@Ctx() { scope }: Context, @Args(() => WorkShiftPageArgs) args: WorkShiftPageArgs) {
    return toConnection(await workShifts.list(scope, readArgs(args)));
  }

  @Query(() => WorkShiftConnection, {
    nullable: true,
    description: "The calling staff member's own shifts at active and canceled events, by start, a page at a time.",
  })
  async myShifts(@Ctx() { scope }: Context, @Args(() => OwnShiftsArgs) args: OwnShiftsArgs) {
    return toConnection(await workShifts.listOwn(scope, readArgs(args)));
  }

  @Mutation(() => ShiftPayload, {
    nullable: true,
    description:
      'Assigns a staff member to an ACTIVE or DRAFT event. Refused with code CLASH and the clashes if the call time has enough staff or the person is, or may be, busy at that time, unless an override gives a reason. For admins.',
  })
  @MayClash()
  assignShift(
    @Ctx() { scope }: Context,
    @Arg('input', () => AssignShiftInput, { description: 'The assignment.' }) input: AssignShiftInput,
    @DryRun() dryRun: DryRun,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return assignments.assign(withDryRun(withKeyArgument(scope, key), dryRun), readInput(input));
  }

  @Mutation(() => [AssignShiftResult], {
    nullable: true,
    description:
      'Makes several assignments one after the other, so that a later one sees those before it. A refused one does not affect the others. Returns one result for each. For admins.',
  })
  async assignShifts(
    @Ctx() { scope, log }: Context,
    @Arg('inputs', () => [AssignShiftInput], { description: `At most ${limits.namedItemsMax}.` })
    inputs: AssignShiftInput[],
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    const outcomes = await assignments.assignMany(withKeyArgument(scope, key), {
      inputs: inputs.map(readInput),
    });
    return toShiftResults(outcomes, log);
  }

  @Mutation(() => ShiftPayload, {
    nullable: true,
    description:
      'Changes a work shift: only the given fields; the rules of `assignShift` apply to the resulting shift. Status ACTIVE restores a canceled or deleted shift. For admins.',
  })
  @MayClash()
  updateShift(
    @Ctx() { scope }: Context,
    @RowId('WorkShift') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('input', () => UpdateShiftInput, { description: 'The changes.' }) input: UpdateShiftInput,
  ) {
    return assignments.update(scope, { ...readInput(input), uuid, ...expectVersion(version) });
  }

  @Mutation(() => WorkShift, {
    nullable: true,
    description: 'Confirms an active shift of an ACTIVE or DRAFT event. For its staff member and for admins.',
  })
  confirmShift(
    @Ctx() { scope }: Context,
    @RowId('WorkShift') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
  ) {
    return shiftStatus.confirm(scope, { uuid, ...expectVersion(version) });
  }

  @Mutation(() => WorkShift, {
    nullable: true,
    description: 'Withdraws the confirmation of an active shift. For its staff member and for admins.',
  })
  unconfirmShift(
    @Ctx() { scope }: Context,
    @RowId('WorkShift') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
  ) {
    return shiftStatus.unconfirm(scope, { uuid, ...expectVersion(version) });
  }

  @Mutation(() => WorkShift, {
    nullable: true,
    description:
      'Declines a shift: it becomes canceled and unconfirmed. One that is confirmed is dropped. For its staff member and for admins.',
  })
  declineShift(
    @Ctx() { scope }: Context,
    @RowId('WorkShift') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
  ) {
    return shiftStatus.decline(scope, { uuid, ...expectVersion(version) });
  }

  @Mutation(() => WorkShift, {
    nullable: true,
    description:
      'Drops a shift: it becomes canceled, and its place is free. Behind the deadline of the business it stays as it is, and `dropRequestedAt` asks an admin, who cancels or keeps it. For its staff member and for admins.',
  })
  dropShift(@Ctx() { scope }: Context, @RowId('WorkShift') uuid: string, @ExpectedVersion() version: ExpectedVersion) {
    return shiftStatus.drop(scope, { uuid, ...expectVersion(version) });
  }

  @Mutation(() => WorkShift, {
    nullable: true,
    description: 'Takes back the request to drop a shift, or refuses it. For its staff member and for admins.',
  })
  keepShift(@Ctx() { scope }: Context, @RowId('WorkShift') uuid: string, @ExpectedVersion() version: ExpectedVersion) {
    return shiftStatus.keep(scope, { uuid, ...expectVersion(version) });
  }

  @Mutation(() => WorkShift, {
    nullable: true,
    description: 'Cancels a shift: it becomes canceled and unconfirmed. For admins.',
  })
  cancelShift(
    @Ctx() { scope }: Context,
    @RowId('WorkShift') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('reason', () => String, {
      nullable: true,
      description: `Why, at most ${limits.remarkChars} characters; it is kept on the shift and in the history.`,
    })
    reason?: string | null,
  ) {
    return shiftStatus.cancel(scope, { uuid, ...expectVersion(version), ...(reason !== undefined && { reason }) });
  }

  @Mutation(() => WorkShift, {
    nullable: true,
    description: 'Sets the status of a shift to DELETED and unconfirms it; it stays stored as history. For admins.',
  })
  deleteShift(
    @Ctx() { scope }: Context,
    @RowId('WorkShift') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
  ) {
    return shiftStatus.remove(scope, { uuid, ...expectVersion(version) });
  }
}
