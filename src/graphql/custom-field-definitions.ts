import { Arg, Ctx, Mutation, Query, Resolver, InputType } from 'type-graphql';
import { CustomFieldDefinition } from '../model/custom-field-definitions.ts';
import * as definitions from '../services/custom-field-definitions.ts';
import type { Context } from './context.ts';
import { readArgs, readInput } from './inputs.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { RowId } from './row-ids.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';
import { inputFrom } from '../model/input-from.ts';

@InputType({ description: 'A new custom field.' })
class CreateCustomFieldInput extends inputFrom(definitions.newCustomField) {}

@InputType({ description: 'Replaces a removed option by another one.' })
class ReplaceOptionInput extends inputFrom(definitions.replacedOption) {}

@InputType({ description: 'Changes to a custom field: only the given fields change.' })
class UpdateCustomFieldInput extends inputFrom(definitions.customFieldChanges, {
  replaceOptions: ReplaceOptionInput,
}) {}

@Resolver(() => CustomFieldDefinition)
export class CustomFieldDefinitionResolver {
  @Query(() => [CustomFieldDefinition], {
    nullable: true,
    description: 'The custom fields of the business, in the order of its form. For admins.',
  })
  customFieldDefinitions(@Ctx() { scope }: Context) {
    return definitions.list(scope, {});
  }

  @Query(() => CustomFieldDefinition, {
    nullable: true,
    description: 'One custom field; null, with an error, if there is none. For admins.',
  })
  customFieldDefinition(@Ctx() { scope }: Context, @RowId('CustomFieldDefinition') uuid: string) {
    return definitions.get(scope, { uuid });
  }

  @Mutation(() => CustomFieldDefinition, { nullable: true, description: 'Creates a custom field. For admins.' })
  createCustomField(
    @Ctx() { scope }: Context,
    @Arg('input', () => CreateCustomFieldInput, { description: 'The new field.' }) input: CreateCustomFieldInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return definitions.create(withKeyArgument(scope, key), readInput(input));
  }

  @Mutation(() => CustomFieldDefinition, {
    nullable: true,
    description:
      'Changes a custom field: only the given fields. Values of events are kept unless the input says otherwise. For admins.',
  })
  updateCustomField(
    @Ctx() { scope }: Context,
    @RowId('CustomFieldDefinition') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('input', () => UpdateCustomFieldInput, { description: 'The changes.' }) input: UpdateCustomFieldInput,
  ) {
    return definitions.update(scope, { ...readInput(input), uuid, ...expectVersion(version) });
  }

  @Mutation(() => CustomFieldDefinition, {
    nullable: true,
    description:
      'Deletes a custom field permanently and returns its last state. Refused with code CONFLICT, and a count in `extensions.inUse`, while events have values for it. For admins.',
  })
  deleteCustomField(
    @Ctx() { scope }: Context,
    @RowId('CustomFieldDefinition') uuid: string,
    @Arg('dropValues', () => Boolean, {
      nullable: true,
      description: 'Whether the values of events are deleted with the field. Default: false.',
    })
    dropValues: boolean | null,
    @ExpectedVersion() version: ExpectedVersion,
  ) {
    return definitions.remove(scope, { uuid, ...readArgs({ dropValues }), ...expectVersion(version) });
  }
}
