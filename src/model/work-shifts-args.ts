import { GraphQLDateTimeISO } from 'graphql-scalars';
import { ArgsType, Field } from 'type-graphql';
import type * as stored from '../generated/prisma/enums.ts';
import { ShiftStatus } from './enums.ts';
import { PageArgs } from './page-args.ts';

@ArgsType()
export class OwnShiftsArgs extends PageArgs {
  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: "Only shifts that start at this instant or later; while the start is to be determined, the event's.",
  })
  from?: Date | null;

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'Only shifts that start before this instant.' })
  to?: Date | null;

  @Field(() => [ShiftStatus], {
    nullable: true,
    description: 'Only shifts of one of these statuses; ACTIVE if not given.',
  })
  statuses?: stored.ShiftStatus[] | null;
}
