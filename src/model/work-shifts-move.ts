import { InputType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { field, inputOn, inputWith } from './shapes.ts';
import { OverrideInput } from './work-shifts-input.ts';

const callTimeId = field.rowId('CallTime')('Id of the call time, of any event.');
const expectedVersion = field.int.orNull('`version` of the shift that is expected. Default: not checked.');

/** Fields that all moves share. */
@InputType()
class MoveFields extends inputWith({
  reason: field.text.orNull(
    `Why, at most ${limits.remarkChars} characters; it is kept on the shift and in the history.`,
  ),
  override: field
    .of(OverrideInput)
    .orNull(
      'Allows the move although a call time has enough staff or the person is, or may be, busy. Stored only if it was needed.',
    ),
}) {}

@InputType({ description: 'Where the person of a shift is moved.' })
export class MoveShiftInput extends inputOn(MoveFields, { callTimeId }) {}

@InputType({ description: 'One of several moves.' })
class ShiftMoveInput extends inputWith({
  shiftId: field.rowId('WorkShift')('Id of the work shift.'),
  callTimeId,
  version: expectedVersion,
}) {}

@InputType({ description: 'Several moves, which are made together or not at all.' })
export class MoveShiftsInput extends inputOn(MoveFields, {
  moves: field.of([ShiftMoveInput])(`The moves, each of another shift, at most ${limits.namedItemsMax}.`),
}) {}

@InputType({ description: 'The other shift of an exchange.' })
export class ExchangeShiftsInput extends inputOn(MoveFields, {
  otherShiftId: field.rowId('WorkShift')('Id of the other work shift.'),
  otherVersion: expectedVersion,
}) {}
