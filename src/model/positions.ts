import { Field, InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type { PositionRow } from '../db/positions.ts';
import type * as stored from '../generated/prisma/enums.ts';
import { GraphQLDecimal } from './decimal.ts';
import { PayUnit } from './enums.ts';
import { DatabaseId, Node } from './nodes.ts';
import { Version } from './versions.ts';

@ObjectType({
  description: 'A kind of work that the business staffs, such as Bartender.',
  implements: Node,
  simpleResolvers: true,
})
export class Position implements PositionRow {
  @DatabaseId()
  id!: PositionRow['id'];

  @Field(() => String, { description: 'Title, unique in the business.' })
  title!: PositionRow['title'];

  @Field(() => GraphQLDecimal, {
    nullable: true,
    simple: false,
    description:
      'Rate in USD per `payUnit`, for call times and shifts without a rate of their own. Null unless the caller is an admin.',
  })
  defaultPayRate!: PositionRow['defaultPayRate'];

  @Field(() => PayUnit, { simple: false, description: 'Unit of the rate.' })
  payUnit!: PositionRow['payUnit'];

  @Version()
  version!: PositionRow['version'];
}

@InputType({ description: 'A new position.' })
export class CreatePositionInput {
  @Field(() => String, {
    description: `Title, at most ${limits.textChars} characters, unique in the business; a taken one is refused with code CONFLICT.`,
  })
  title!: string;

  @Field(() => GraphQLDecimal, { description: 'Rate in USD per `payUnit`, at least 0, at most two decimals.' })
  defaultPayRate!: string;

  @Field(() => PayUnit, { nullable: true, description: 'Unit of the rate. Default: HOUR.' })
  payUnit?: stored.PayUnit;
}

@InputType({ description: 'Changes to a position: only the given fields change.' })
export class UpdatePositionInput {
  @Field(() => String, {
    nullable: true,
    description: `Title, at most ${limits.textChars} characters. Call times and shifts show the new one.`,
  })
  title?: string;

  @Field(() => GraphQLDecimal, {
    nullable: true,
    description:
      'Rate in USD per `payUnit`. It applies to every call time and shift without a rate of its own that starts from now on.',
  })
  defaultPayRate?: string;

  @Field(() => PayUnit, { nullable: true, description: 'Unit of the rate, which applies like a new rate.' })
  payUnit?: stored.PayUnit;
}
