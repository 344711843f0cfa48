import { ArgsType, Field, InputType, Int, ObjectType } from 'type-graphql';
import { CallTime } from './call-times.ts';
import { connectionTo } from './connection-to.ts';
import { PageArgs } from './page-args.ts';

@ObjectType({ description: 'A page of call times, by start.', simpleResolvers: true })
export class CallTimeConnection extends connectionTo(CallTime, 'call times') {}

@InputType('CallTimeFilter', { description: 'Filter of call times. All given conditions must hold.' })
export class CallTimeFilterInput {
  @Field(() => Int, { nullable: true, description: 'Ask for the position of this id.' })
  positionId?: number | null;

  @Field(() => Int, { nullable: true, description: 'Ask for the skill level of this id.' })
  skillLevelId?: number | null;
}

@ArgsType()
export class CallTimePageArgs extends PageArgs {
  @Field(() => CallTimeFilterInput, {
    nullable: true,
    description: 'Lists only call times that match this filter. Default: all.',
  })
  filter?: CallTimeFilterInput | null;
}
