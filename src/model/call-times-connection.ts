import { ArgsType, Field, InputType, ObjectType } from 'type-graphql';
import { CallTime } from './call-times.ts';
import { connectionTo } from './connection-to.ts';
import { CursorArgs } from './page-args.ts';
import { RowIdField } from './row-ids.ts';

@ObjectType({ description: 'A page of call times, by start.', simpleResolvers: true })
export class CallTimeConnection extends connectionTo(CallTime, 'CallTime', 'call times') {}

@InputType('CallTimeFilter', { description: 'Filter of call times. All given conditions must hold.' })
export class CallTimeFilterInput {
  @RowIdField('Position', { nullable: true, description: 'Ask for the position of this id.' })
  positionId?: number | null;

  @RowIdField('SkillLevel', { nullable: true, description: 'Ask for the skill level of this id.' })
  skillLevelId?: number | null;
}

@ArgsType()
export class CallTimePageArgs extends CursorArgs {
  @Field(() => CallTimeFilterInput, {
    nullable: true,
    description: 'Lists only call times that match this filter. Default: all.',
  })
  filter?: CallTimeFilterInput | null;
}
