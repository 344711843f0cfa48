import { InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { callTimeFields, type CallTimeRow } from '../fields/call-times.ts';
import { changesOf, inputsOf } from '../fields/field-list.ts';
import { inputOf, objectOf } from './fields.ts';
import { Node } from './nodes.ts';
import { requirementsInput } from './requirements.ts';
import { field, inputOn, inputWith } from './shapes.ts';
import { OverrideInput } from './work-shifts-input.ts';

@ObjectType({
  description: 'How many people of a position an event needs, and when.',
  implements: Node,
})
export class CallTime extends objectOf<CallTimeRow>(callTimeFields) {}

const override = field
  .of(OverrideInput)
  .orNull('Allows a call time that does not touch its event. Stored on the call time.');

@InputType({ description: 'A new call time of an event: how many people of a position it needs, and when.' })
export class CreateCallTimeInput extends inputOn(inputOf(callTimeFields, inputsOf(callTimeFields)), {
  requirements: requirementsInput,
  override,
}) {}

const allowOverfill = field.flag.optional(
  'Whether `staffNeeded` may fall below the number of active shifts. Default: false.',
);

@InputType({
  description:
    'Changes to a call time: only the given fields change. Shifts on it keep their own times, and follow its pay rate unless they have their own. Those in its position that have not ended follow it to another one, judged as assignments, and are to be confirmed anew.',
})
export class UpdateCallTimeInput extends inputOn(inputOf(callTimeFields, changesOf(callTimeFields)), {
  allowOverfill,
  requirements: requirementsInput,
  override,
}) {}

@InputType({ description: 'One of several changes of call times: a new one, other fields of one, or a deletion.' })
class CallTimeChangeInput extends inputOn(inputOf(callTimeFields, changesOf(callTimeFields)), {
  callTimeId: field
    .rowId('CallTime')
    .orNull('Id of the call time. Null: a new one, which needs position, staff and times.'),
  version: field.int.orNull('`version` of the call time that is expected. Default: not checked.'),
  delete: field.flag.optional('Whether the call time is deleted. Default: false.'),
  requirements: requirementsInput,
}) {}

@InputType({ description: 'Changes of call times of one event, which are made together or not at all.' })
export class ChangeCallTimesInput extends inputWith({
  eventId: field.rowId('Event')('Id of the event.'),
  changes: field.of([CallTimeChangeInput])(`The changes, each of another call time, at most ${limits.namedItemsMax}.`),
  allowOverfill,
  override,
}) {}
