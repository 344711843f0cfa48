import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type { PositionRow } from '../db/positions.ts';
import { rowVersion } from '../fields/field-list.ts';
import { GraphQLDecimal } from './decimal.ts';
import { PayUnit } from './enums.ts';
import { Node } from './nodes.ts';
import { field, inputWith, objectWith } from './shapes.ts';

@ObjectType({
  description: 'A kind of work that the business staffs, such as Bartender.',
  implements: Node,
  simpleResolvers: true,
})
export class Position
  extends objectWith({ id: field.databaseId, title: field.text('Title, unique in the business.') })
  implements PositionRow
{
  @Field(() => GraphQLDecimal, {
    nullable: true,
    simple: false,
    description:
      'Rate in USD per `payUnit`, for call times and shifts without a rate of their own. Null unless the caller is an admin.',
  })
  defaultPayRate!: PositionRow['defaultPayRate'];

  @Field(() => PayUnit, { simple: false, description: 'Unit of the rate.' })
  payUnit!: PositionRow['payUnit'];

  @Field(() => Int, { simple: false, description: rowVersion.description })
  version!: PositionRow['version'];
}

@InputType({ description: 'A new position.' })
export class CreatePositionInput extends inputWith({
  title: field.text(
    `Title, at most ${limits.textChars} characters, unique in the business; a taken one is refused with code CONFLICT.`,
  ),
  defaultPayRate: field.decimal('Rate in USD per `payUnit`, at least 0, at most two decimals.'),
  payUnit: field.of(PayUnit).optional('Unit of the rate. Default: HOUR.'),
}) {}

@InputType({ description: 'Changes to a position: only the given fields change.' })
export class UpdatePositionInput extends inputWith({
  title: field.text.optional(`Title, at most ${limits.textChars} characters. Call times and shifts show the new one.`),
  defaultPayRate: field.decimal.optional(
    'Rate in USD per `payUnit`. It applies to every call time and shift without a rate of its own that starts from now on.',
  ),
  payUnit: field.of(PayUnit).optional('Unit of the rate, which applies like a new rate.'),
}) {}
