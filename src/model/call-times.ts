import { InputType, ObjectType } from 'type-graphql';
import { callTimeFields, type CallTimeRow } from '../fields/call-times.ts';
import { changesOf, inputsOf } from '../fields/field-list.ts';
import { inputOf, objectOf } from './fields.ts';
import { Node } from './nodes.ts';
import { field, inputOn } from './shapes.ts';
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
export class CreateCallTimeInput extends inputOn(inputOf(callTimeFields, inputsOf(callTimeFields)), { override }) {}

@InputType({
  description:
    'Changes to a call time: only the given fields change. Shifts on it keep their own times and position, and follow its pay rate unless they have their own.',
})
export class UpdateCallTimeInput extends inputOn(inputOf(callTimeFields, changesOf(callTimeFields)), {
  allowOverfill: field.flag.optional(
    'Whether `staffNeeded` may fall below the number of active shifts. Default: false.',
  ),
  override,
}) {}
