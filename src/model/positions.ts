import { Field, Int, ObjectType } from 'type-graphql';
import type { PositionRateRow, PositionRow } from '../db/positions.ts';
import { rowVersion } from '../fields/field-list.ts';
import { GraphQLDecimal } from './decimal.ts';
import { PayUnit } from './enums.ts';
import { Node } from './nodes.ts';
import { Requirement } from './requirements.ts';
import { field, objectWith } from './shapes.ts';
import { ZonedTime } from './zoned-times.ts';

@ObjectType({
  description: 'A rate of a position. Work that starts then, or later, is paid by it, until the next one begins.',
})
class PositionRate
  extends objectWith({
    start: field.of(ZonedTime).orNull('When it begins, by the clocks of the business; null for the first one.'),
    payRate: field.decimal('Rate in USD per `payUnit`.'),
    payUnit: field.of(PayUnit)('Unit of the rate.'),
    billRate: field.decimal.orNull('What clients pay in USD per `billUnit`; null if it is not known.'),
    billUnit: field.of(PayUnit)('Unit of the bill rate, if there is one.'),
  })
  implements PositionRateRow {}

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

  @Field(() => GraphQLDecimal, {
    nullable: true,
    simple: false,
    description:
      'What clients pay in USD per `billUnit`, for call times without a bill rate of their own; null if it is not known. Null unless the caller is an admin.',
  })
  billRate!: PositionRow['billRate'];

  @Field(() => PayUnit, { simple: false, description: 'Unit of the bill rate, if there is one.' })
  billUnit!: PositionRow['billUnit'];

  @Field(() => [PositionRate], {
    nullable: true,
    simple: false,
    description:
      'The former rates, that of today and those announced, in their order. Null unless the caller is an admin.',
  })
  rates!: PositionRow['rates'];

  @Field(() => [Requirement], {
    simple: false,
    description: 'The qualifications that everybody in the position needs, all of them.',
  })
  requirements!: PositionRow['requirements'];

  @Field(() => Int, { simple: false, description: rowVersion.description })
  version!: PositionRow['version'];
}
