import { Arg, Ctx, Mutation, Resolver, InputType } from 'type-graphql';
import { Event } from '../model/events.ts';
import * as values from '../services/custom-field-values.ts';
import type { Context } from './context.ts';
import { readInput } from './inputs.ts';
import { RowId } from './row-ids.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';
import { inputFrom } from '../model/input-from.ts';
import { valueInput } from '../services/custom-field-values.ts';

@InputType({ description: 'The value of a custom field, to be set on an event.' })
class CustomFieldValueInput extends inputFrom(valueInput) {}

@Resolver()
export class CustomFieldValueResolver {
  @Mutation(() => Event, {
    nullable: true,
    description:
      "Sets values of the business's own form fields on an event: either all of them, or none and one error for each wrong value. Other fields keep their values. For admins.",
  })
  setCustomFieldValues(
    @Ctx() { scope }: Context,
    @RowId('Event', { name: 'eventId' }) eventUuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('values', () => [CustomFieldValueInput], { description: 'The values, each field once.' })
    inputs: CustomFieldValueInput[],
  ) {
    return values.set(scope, {
      eventUuid,
      values: inputs.map(readInput),
      ...expectVersion(version),
    });
  }
}
