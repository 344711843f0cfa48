import { ArgsType, Field, ID, InputType, Int, ObjectType, type ClassType } from 'type-graphql';
import type { ShiftStatus as StoredStatus } from '../generated/prisma/enums.ts';
import { CallTime } from './call-times.ts';
import { CustomFieldValue } from './custom-field-values.ts';
import { ShiftStatus } from './enums.ts';
import { CursorArgs, PageArgs } from './page-args.ts';
import { PageInfo } from './page-info.ts';
import { WorkShift } from './work-shifts.ts';

/** A page of a nested list. */
function connectionTo<Node extends object>(node: ClassType<Node>, what: string) {
  @ObjectType({ simpleResolvers: true })
  abstract class Connection {
    @Field(() => [node], { description: `The ${what} of this page.` })
    nodes!: Node[];

    @Field(() => Int, { simple: false, description: `How many ${what} there are on all pages.` })
    totalCount!: number;

    @Field(() => PageInfo, { description: 'Where this page stands among all.' })
    pageInfo!: PageInfo;
  }
  return Connection;
}

@ObjectType({ description: 'A page of call times, by start.', simpleResolvers: true })
export class CallTimeConnection extends connectionTo(CallTime, 'call times') {}

@ObjectType({
  description: 'A page of work shifts, by start; those with a start to be determined come last.',
  simpleResolvers: true,
})
export class WorkShiftConnection extends connectionTo(WorkShift, 'work shifts') {}

@ObjectType({
  description: "A page of values of custom fields, in the order of the business's form.",
  simpleResolvers: true,
})
export class CustomFieldValueConnection extends connectionTo(CustomFieldValue, 'values') {}

@InputType('CallTimeFilter', { description: 'What call times must be like to be listed; all of what is given holds.' })
export class CallTimeFilter {
  @Field(() => Int, { nullable: true, description: 'Ask for the position of this id.' })
  positionId?: number | null;

  @Field(() => Int, { nullable: true, description: 'Ask for the skill level of this id.' })
  skillLevelId?: number | null;
}

@InputType('WorkShiftFilter', {
  description: 'What work shifts must be like to be listed; all of what is given holds.',
})
export class WorkShiftFilter {
  @Field(() => [ShiftStatus], {
    nullable: true,
    description: 'Of one of these statuses; ACTIVE if not given, none for an empty list.',
  })
  statuses?: StoredStatus[] | null;

  @Field(() => Int, { nullable: true, description: 'Of the staff member (a user) of this id.' })
  userId?: number | null;

  @Field(() => Int, { nullable: true, description: 'Of the position of this id.' })
  positionId?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Confirmed by the staff member, or not.' })
  confirmed?: boolean | null;
}

@InputType('CustomFieldValueFilter', { description: 'Which values of custom fields are to be listed.' })
export class CustomFieldValueFilter {
  @Field(() => [ID], {
    nullable: true,
    description: 'Of the custom field definitions of these UUIDs; none for an empty list.',
  })
  fieldUuids?: string[] | null;
}

@ArgsType()
export class CallTimePageArgs extends PageArgs {
  @Field(() => CallTimeFilter, { nullable: true, description: 'Only call times like this; all if not given.' })
  filter?: CallTimeFilter | null;
}

@ArgsType()
export class WorkShiftPageArgs extends CursorArgs {
  @Field(() => WorkShiftFilter, { nullable: true, description: 'Only shifts like this; active ones if not given.' })
  filter?: WorkShiftFilter | null;
}

@ArgsType()
export class CustomFieldValuePageArgs extends PageArgs {
  @Field(() => CustomFieldValueFilter, { nullable: true, description: 'Only these values; all if not given.' })
  filter?: CustomFieldValueFilter | null;
}
