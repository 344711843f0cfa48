import { GraphQLDateTimeISO } from 'graphql-scalars';
import { ArgsType, Field } from 'type-graphql';
import type * as stored from '../generated/prisma/enums.ts';
import { ShiftStatus } from './enums.ts';
import { CursorArgs } from './page-args.ts';

@ArgsType()
export class OwnShiftsArgs extends CursorArgs {
  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description:
      'Lists only shifts that start at this instant or later. While a start is to be determined, the start of the event counts.',
  })
  from?: Date | null;

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'Lists only shifts that start before this instant.' })
  to?: Date | null;

  @Field(() => [ShiftStatus], {
    nullable: true,
    description: 'Lists only shifts with one of these statuses. Default: ACTIVE.',
  })
  statuses?: stored.ShiftStatus[] | null;
}
