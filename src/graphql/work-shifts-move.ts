import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root, InputType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { withDryRun } from '../http/dry-run.ts';
import { AssignShiftResult } from '../model/clashes.ts';
import { ShiftPayload, ShiftsPayload } from '../model/payloads.ts';
import { WorkShift } from '../model/work-shifts.ts';
import * as moves from '../services/work-shifts-move.ts';
import * as shiftStatus from '../services/work-shifts-status.ts';
import type { Context } from './context.ts';
import { DryRun } from './dry-run.ts';
import { readInput } from './inputs.ts';
import { MayClash } from './payloads.ts';
import { toShiftResults } from './refusals.ts';
import { RowId, toRowKey } from './row-ids.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';
import { inputFrom } from '../model/input-from.ts';
import { innerInputs } from './inner-inputs.ts';

@InputType({ description: 'Where the person of a shift is moved.' })
class MoveShiftInput extends inputFrom(moves.moveInput, innerInputs) {}

@InputType({ description: 'One of several moves.' })
class ShiftMoveInput extends inputFrom(moves.oneMove) {}

@InputType({ description: 'Several moves, which are made together or not at all.' })
class MoveShiftsInput extends inputFrom(moves.moveManyInput, { ...innerInputs, moves: ShiftMoveInput }) {}

@InputType({ description: 'The other shift of an exchange.' })
class ExchangeShiftsInput extends inputFrom(moves.exchangeInput, innerInputs) {}

const rules =
  'Refused with code CLASH and the clashes if a call time would have too many people, or a person be busy who was not before, unless an override gives a reason. A confirmed shift stays confirmed if its start and end are the same instants; a pay rate of its own stays. For admins.';

const shiftIds = `Ids of the work shifts, at most ${limits.namedItemsMax}.`;

const toUuids = (ids: readonly string[]) => ids.map((id) => toRowKey('WorkShift', id) as string);

@Resolver()
export class ShiftMoveResolver {
  @Mutation(() => ShiftPayload, {
    nullable: true,
    description: `Moves the person of a shift to another call time, whose position and times the shift gets; one that is there already stays as it is. At another event the person gets a new shift, which is the result, and the old one becomes DELETED, all in one transaction. ${rules}`,
  })
  @MayClash()
  moveShift(
    @Ctx() { scope }: Context,
    @RowId('WorkShift') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('input', () => MoveShiftInput, { description: 'The move.' }) input: MoveShiftInput,
    @DryRun() dryRun: DryRun,
  ) {
    const own = withDryRun(scope, dryRun);
    return moves.move(own, { ...readInput(input), uuid, ...expectVersion(version) });
  }

  @Mutation(() => ShiftsPayload, {
    nullable: true,
    description: `Moves several people to other call times, all or none. Clashes are judged on the result, so that people can also take each other's places. ${rules}`,
  })
  @MayClash()
  moveShifts(
    @Ctx() { scope }: Context,
    @Arg('input', () => MoveShiftsInput, { description: 'The moves.' }) input: MoveShiftsInput,
    @DryRun() dryRun: DryRun,
  ) {
    return moves.moveMany(withDryRun(scope, dryRun), readInput(input));
  }

  @Mutation(() => ShiftsPayload, {
    nullable: true,
    description: `Lets the people of two shifts take each other's places, or neither. Both shifts keep their event, call time, position and times, and get the other person. ${rules}`,
  })
  @MayClash()
  exchangeShifts(
    @Ctx() { scope }: Context,
    @RowId('WorkShift') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('input', () => ExchangeShiftsInput, { description: 'The other shift.' }) input: ExchangeShiftsInput,
    @DryRun() dryRun: DryRun,
  ) {
    const own = withDryRun(scope, dryRun);
    return moves.exchange(own, { ...readInput(input), uuid, ...expectVersion(version) });
  }

  @Mutation(() => [AssignShiftResult], {
    nullable: true,
    description:
      'Confirms several shifts, one after the other. A refused one does not affect the others. Returns one result for each. For admins.',
  })
  async confirmShifts(
    @Ctx() { scope, log }: Context,
    @Arg('shiftIds', () => [ID], { description: shiftIds }) ids: string[],
  ) {
    return toShiftResults(await shiftStatus.confirmMany(scope, { shiftUuids: toUuids(ids) }), log);
  }

  @Mutation(() => [AssignShiftResult], {
    nullable: true,
    description:
      'Cancels several shifts, one after the other. A refused one does not affect the others. Returns one result for each. For admins.',
  })
  async cancelShifts(
    @Ctx() { scope, log }: Context,
    @Arg('shiftIds', () => [ID], { description: shiftIds }) ids: string[],
    @Arg('reason', () => String, {
      nullable: true,
      description: `Why, at most ${limits.remarkChars} characters; it is kept on the shifts and in the history.`,
    })
    reason?: string | null,
  ) {
    return toShiftResults(
      await shiftStatus.cancelMany(scope, { shiftUuids: toUuids(ids), ...(reason !== undefined && { reason }) }),
      log,
    );
  }
}

@Resolver(() => ShiftsPayload)
export class ShiftsPayloadFields {
  @FieldResolver(() => [WorkShift], {
    nullable: true,
    description:
      'The changed shifts, in the order of the input; null, with an error of code CLASH, if clashes stand against it.',
  })
  shifts(@Root() { row, refusal }: ShiftsPayload) {
    if (refusal) throw refusal;
    return row;
  }
}
