import { Field, InputType, Int } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type * as stored from '../generated/prisma/enums.ts';
import { CustomFieldType } from './enums.ts';

const optionsRule = `at most ${limits.customFieldOptionsMax}, each a single line of at most ${limits.textChars} characters, none twice`;

@InputType({ description: 'A new custom field.' })
export class CreateCustomFieldInput {
  @Field(() => String, {
    description: `Display name, at most ${limits.textChars} characters, unique in the business; a taken one is refused with code CONFLICT.`,
  })
  name!: string;

  @Field(() => CustomFieldType, { description: 'Type of the values.' })
  type!: stored.CustomFieldType;

  @Field(() => [String], {
    nullable: true,
    description: `Options of a SELECT, in order: ${optionsRule}. Required for a SELECT, refused for other types.`,
  })
  options?: string[];

  @Field(() => Int, { nullable: true, description: 'Position in the form, lowest first, from 0. Default: last.' })
  sort?: number;
}

@InputType({ description: 'Replaces a removed option by another one.' })
export class ReplaceOptionInput {
  @Field(() => String, { description: 'The removed option.' })
  from!: string;

  @Field(() => String, { description: 'The option that takes its place, one of the new `options`.' })
  to!: string;
}

@InputType({ description: 'Changes to a custom field: only the given fields change.' })
export class UpdateCustomFieldInput {
  @Field(() => String, {
    nullable: true,
    description: `Display name, at most ${limits.textChars} characters. Events keep their values under the new one.`,
  })
  name?: string;

  @Field(() => CustomFieldType, {
    nullable: true,
    description: 'Type of the values. A change is refused with code CONFLICT while events have values for the field.',
  })
  type?: stored.CustomFieldType;

  @Field(() => [String], {
    nullable: true,
    description: `All options of a SELECT from now on, in order: ${optionsRule}. Leaving out an option that is in use is refused with code CONFLICT and a count of its events in \`extensions.inUse\`, unless \`replaceOptions\` or \`dropValues\` says what happens to its values.`,
  })
  options?: string[];

  @Field(() => Int, { nullable: true, description: 'Position in the form, lowest first, from 0.' })
  sort?: number;

  @Field(() => [ReplaceOptionInput], {
    nullable: true,
    description: 'Options that replace removed ones on the events that use them. This is also how to rename an option.',
  })
  replaceOptions?: ReplaceOptionInput[];

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether values are deleted if their option is removed and not replaced. Default: false.',
  })
  dropValues?: boolean;
}
