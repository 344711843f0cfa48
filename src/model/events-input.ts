import { InputType } from 'type-graphql';
import { eventFields } from '../fields/events.ts';
import { changesOf, inputsOf, type ChangedOf, type NewOf } from '../fields/field-list.ts';
import { addInputFields, Shape, type ClassOf } from './fields.ts';

@InputType({ description: 'A new event.' })
export class CreateEventInput extends (Shape as ClassOf<NewOf<typeof eventFields>>) {}
addInputFields(CreateEventInput, eventFields, inputsOf(eventFields));

@InputType({ description: 'Changes to an event: only the given fields change.' })
export class UpdateEventInput extends (Shape as ClassOf<ChangedOf<typeof eventFields>>) {}
addInputFields(UpdateEventInput, eventFields, changesOf(eventFields));
