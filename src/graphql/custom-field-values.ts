import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { CustomFieldValueInput } from '../model/custom-field-values-input.ts';
import { Event } from '../model/events.ts';
import * as values from '../services/custom-field-values.ts';
import type { Context } from './context.ts';
import { omitUndefined } from './omit-undefined.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';

@Resolver()
export class CustomFieldValueResolver {
  @Mutation(() => Event, {
    nullable: true,
    description:
      "Sets values of the business's own form fields on an event: either all of them, or none and one error for each wrong value. Other fields keep their values. For admins.",
  })
  setCustomFieldValues(
    @Ctx() { scope }: Context,
    @Arg('eventUuid', () => ID, { description: 'UUID of the event.' }) eventUuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('values', () => [CustomFieldValueInput], { description: 'The values, each field once.' })
    inputs: CustomFieldValueInput[],
  ) {
    return values.set(scope, { eventUuid, values: inputs.map(omitUndefined), ...expectVersion(version) });
  }
}
