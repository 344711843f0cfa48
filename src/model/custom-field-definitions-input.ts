import { InputType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { CustomFieldType } from './enums.ts';
import { field, inputWith } from './shapes.ts';

const optionsRule = `at most ${limits.wholeListMax}, each a single line of at most ${limits.textChars} characters, none twice`;

@InputType({ description: 'A new custom field.' })
export class CreateCustomFieldInput extends inputWith({
  name: field.text(
    `Display name, at most ${limits.textChars} characters, unique in the business; a taken one is refused with code CONFLICT.`,
  ),
  type: field.of(CustomFieldType)('Type of the values.'),
  options: field
    .of([String])
    .optional(`Options of a SELECT, in order: ${optionsRule}. Required for a SELECT, refused for other types.`),
  sort: field.int.optional('Position in the form, lowest first, from 0. Default: last.'),
}) {}

@InputType({ description: 'Replaces a removed option by another one.' })
class ReplaceOptionInput extends inputWith({
  from: field.text('The removed option.'),
  to: field.text('The option that takes its place, one of the new `options`.'),
}) {}

@InputType({ description: 'Changes to a custom field: only the given fields change.' })
export class UpdateCustomFieldInput extends inputWith({
  name: field.text.optional(
    `Display name, at most ${limits.textChars} characters. Events keep their values under the new one.`,
  ),
  type: field
    .of(CustomFieldType)
    .optional('Type of the values. A change is refused with code CONFLICT while events have values for the field.'),
  options: field
    .of([String])
    .optional(
      `All options of a SELECT from now on, in order: ${optionsRule}. Leaving out an option that is in use is refused with code CONFLICT and a count of its events in \`extensions.inUse\`, unless \`replaceOptions\` or \`dropValues\` says what happens to its values.`,
    ),
  sort: field.int.optional('Position in the form, lowest first, from 0.'),
  replaceOptions: field
    .of([ReplaceOptionInput])
    .optional(
      'Options that take the place of others on the events that use these, all at once. This is also how to rename options.',
    ),
  dropValues: field.flag.optional(
    'Whether values are deleted if their option is removed and not replaced. Default: false.',
  ),
}) {}
