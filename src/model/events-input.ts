import { Field, InputType } from 'type-graphql';
import { eventFields } from '../fields/events.ts';
import { changesOf, inputsOf, type ChangedOf, type NewOf } from '../fields/field-list.ts';
import { addInputFields, Shape, type ClassOf } from './fields.ts';
import { OverrideInput } from './work-shifts-input.ts';

@InputType({ description: 'A new event.' })
export class CreateEventInput extends (Shape as ClassOf<NewOf<typeof eventFields>>) {}
addInputFields(CreateEventInput, eventFields, inputsOf(eventFields));

@InputType({ description: 'Changes to an event: only the given fields change.' })
export class UpdateEventInput extends (Shape as ClassOf<ChangedOf<typeof eventFields>>) {
  @Field(() => OverrideInput, {
    nullable: true,
    description: 'Allows the change although it books people twice. Stored on the shifts that needed it.',
  })
  override?: OverrideInput | null;
}
addInputFields(UpdateEventInput, eventFields, changesOf(eventFields));
