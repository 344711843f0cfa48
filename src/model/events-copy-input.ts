import { Field, InputType, Int } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { OverrideInput } from './work-shifts-input.ts';

@InputType({ description: 'How an event is copied.' })
export class CopyEventInput {
  @Field(() => Int, {
    description: `Number of days by which every time moves, from ${-limits.copyDaysMax} to ${limits.copyDaysMax}: the local time of day stays, across clock changes too.`,
  })
  days!: number;

  @Field(() => String, {
    nullable: true,
    description: `Title of the copy, at most ${limits.titleChars} characters. Default: the title of the original.`,
  })
  title?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether active work shifts are copied as well, unconfirmed. Shifts of deleted users are left out. Default: false.',
  })
  withShifts?: boolean | null;

  @Field(() => OverrideInput, {
    nullable: true,
    description:
      'Allows copied shifts although a call time has enough staff or a person is, or may be, busy. Stored on the shifts that needed it.',
  })
  override?: OverrideInput | null;
}
