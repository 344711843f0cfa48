import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { CustomFieldValueInput } from '../model/custom-field-values.ts';
import { Event } from '../model/events.ts';
import * as values from '../services/custom-field-values.ts';
import type { Context } from './context.ts';
import { readInput } from './inputs.ts';
import { RowId } from './row-ids.ts';
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
