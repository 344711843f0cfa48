import { Field, InputType, ObjectType } from 'type-graphql';
import { callTimeFields, type CallTimeRow } from '../fields/call-times.ts';
import { changesOf, inputsOf, type ChangedOf, type NewOf } from '../fields/field-list.ts';
import { addFields, addInputFields, Shape, type ClassOf } from './fields.ts';
import { Node } from './nodes.ts';
import { OverrideInput } from './work-shifts-input.ts';

@ObjectType({
  description: 'How many people of a position an event needs, and when.',
  implements: Node,
  simpleResolvers: true,
})
export class CallTime extends (Shape as ClassOf<CallTimeRow>) {}
addFields(CallTime, callTimeFields);

const overrides = 'Allows a call time that does not touch its event. Stored on the call time.';

@InputType({ description: 'A new call time of an event: how many people of a position it needs, and when.' })
export class CreateCallTimeInput extends (Shape as ClassOf<NewOf<typeof callTimeFields>>) {
  @Field(() => OverrideInput, { nullable: true, description: overrides })
  override?: OverrideInput | null;
}
addInputFields(CreateCallTimeInput, callTimeFields, inputsOf(callTimeFields));

@InputType({
  description:
    'Changes to a call time: only the given fields change. Shifts on it keep their own times and position, and follow its pay rate unless they have their own.',
})
export class UpdateCallTimeInput extends (Shape as ClassOf<ChangedOf<typeof callTimeFields>>) {
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether `staffNeeded` may fall below the number of active shifts. Default: false.',
  })
  allowOverfill?: boolean;

  @Field(() => OverrideInput, { nullable: true, description: overrides })
  override?: OverrideInput | null;
}
addInputFields(UpdateCallTimeInput, callTimeFields, changesOf(callTimeFields));
