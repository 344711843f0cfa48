import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { inputsOf } from '../fields/field-list.ts';
import { limits } from '../config/limits.ts';
import { swapFields, swapOptionFields, type SwapOptionRow, type SwapRow } from '../fields/swaps.ts';
import { connectionTo } from './connection-to.ts';
import { SwapState } from './enums.ts';
import { inputOf, objectOf } from './fields.ts';
import { Node } from './nodes.ts';
import { CursorArgs } from './page-args.ts';
import { field, inputOn, inputWith } from './shapes.ts';

@ObjectType({
  description:
    "A person's wish to hand over a shift, or to swap it for that of somebody else, and what has become of it.",
  implements: Node,
})
export class ShiftSwap extends objectOf<SwapRow>(swapFields) {}

@ObjectType({ description: 'A page of swaps of shifts, the newest first.' })
export class ShiftSwapConnection extends connectionTo(ShiftSwap, 'ShiftSwap', 'swaps') {}

@ObjectType({
  description:
    'A way to give a shift away: to a colleague, whose id is `databaseId`, or in exchange for a shift of theirs.',
})
class SwapOption extends objectOf<SwapOptionRow>(swapOptionFields) {}

@ObjectType({ description: 'A page of ways to give a shift away, by the names of colleagues.' })
export class SwapOptionConnection extends connectionTo(SwapOption, 'SwapOption', 'swap options') {}

@ArgsType()
export class SwapOptionArgs extends inputOn(CursorArgs, {
  search: field.text.orNull(
    `Part of the name, without regard to case and accents; at most ${limits.textChars} characters.`,
  ),
}) {}

@InputType({ description: 'A swap of a shift of the caller. Without another shift, it is a handover.' })
export class RequestSwapInput extends inputOn(inputOf(swapFields, inputsOf(swapFields)), {
  shiftId: field.rowId('WorkShift')('Id of the work shift.'),
  otherShiftId: field.rowId('WorkShift').orNull('Id of the work shift of another person that is wanted instead.'),
  toUserId: field
    .rowId('User')
    .orNull(
      'Id of the user to whom the shift is to be handed over, a staff member. Default: anybody who can work then.',
    ),
}) {}

@InputType('ShiftSwapFilter', { description: 'Filter of swaps. All given conditions must hold.' })
class SwapFilterInput extends inputWith({
  eventId: field.rowId('Event').orNull('Of a shift at the event of this id.'),
  states: field.of([SwapState]).orNull('In one of these states. Default: all.'),
}) {}

@ArgsType()
export class SwapPageArgs extends inputOn(CursorArgs, {
  filter: field.of(SwapFilterInput).orNull('Lists only swaps that match this filter. Default: all.'),
}) {}
