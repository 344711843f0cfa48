import { ArgsType, Field, InputType, Int, ObjectType } from 'type-graphql';
import { CallTime } from './call-times.ts';
import { connectionTo } from './connection-to.ts';
import { PageArgs } from './page-args.ts';

@ObjectType({ description: 'A page of call times, by start.', simpleResolvers: true })
export class CallTimeConnection extends connectionTo(CallTime, 'call times') {}

@InputType('CallTimeFilter', { description: 'What call times must be like to be listed; all of what is given holds.' })
export class CallTimeFilter {
  @Field(() => Int, { nullable: true, description: 'Ask for the position of this id.' })
  positionId?: number | null;

  @Field(() => Int, { nullable: true, description: 'Ask for the skill level of this id.' })
  skillLevelId?: number | null;
}

@ArgsType()
export class CallTimePageArgs extends PageArgs {
  @Field(() => CallTimeFilter, { nullable: true, description: 'Only call times like this; all if not given.' })
  filter?: CallTimeFilter | null;
}
