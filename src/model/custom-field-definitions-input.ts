import { Field, InputType, Int } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type * as stored from '../generated/prisma/enums.ts';
import { CustomFieldType } from './enums.ts';

const optionsRule = `at most ${limits.customFieldOptionsMax}, each a single line of at most ${limits.shortTextChars} characters, none twice`;

@InputType({ description: 'A new custom field.' })
export class CreateCustomFieldInput {
  @Field(() => String, {
    description: `Display name, at most ${limits.nameChars} characters, unique in the business: another's is refused with code CONFLICT.`,
  })
  name!: string;

  @Field(() => CustomFieldType, { description: 'What the field takes.' })
  type!: stored.CustomFieldType;

  @Field(() => [String], {
    nullable: true,
    description: `What a SELECT offers, in order: ${optionsRule}. Needed for a SELECT, refused for the other types.`,
  })
  options?: string[];

  @Field(() => Int, { nullable: true, description: 'Place in the form, lowest first, from 0; last if not given.' })
  sort?: number;
}

@InputType({ description: 'Another option in the place of one that goes.' })
export class ReplaceOptionInput {
  @Field(() => String, { description: 'The option that goes.' })
  from!: string;

  @Field(() => String, { description: 'The option that events which had it get: one of the new `options`.' })
  to!: string;
}

@InputType({ description: 'Changes to a custom field: only the fields given change.' })
export class UpdateCustomFieldInput {
  @Field(() => String, {
    nullable: true,
    description: `Display name, at most ${limits.nameChars} characters. Events keep their values under the new one.`,
  })
  name?: string;

  @Field(() => CustomFieldType, {
    nullable: true,
    description: 'What the field takes; refused with code CONFLICT while events have values for it.',
  })
  type?: stored.CustomFieldType;

  @Field(() => [String], {
    nullable: true,
    description: `All that a SELECT offers from now on, in order: ${optionsRule}. One that is missing here but in use is refused with code CONFLICT and a count of its events in \`extensions.inUse\`, unless \`replaceOptions\` or \`dropValues\` says what becomes of them.`,
  })
  options?: string[];

  @Field(() => Int, { nullable: true, description: 'Place in the form, lowest first, from 0.' })
  sort?: number;

  @Field(() => [ReplaceOptionInput], {
    nullable: true,
    description: 'What the events that have an option which goes get in its place: so is an option renamed.',
  })
  replaceOptions?: ReplaceOptionInput[];

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether events lose the value that is an option which goes and is not replaced. False if not given.',
  })
  dropValues?: boolean;
}
