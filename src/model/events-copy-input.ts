import { Field, InputType, Int } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { OverrideInput } from './work-shifts-input.ts';

@InputType({ description: 'How an event is copied.' })
export class CopyEventInput {
  @Field(() => Int, {
    description: `Whole days that every time moves by, from ${-limits.copyDaysMax} to ${limits.copyDaysMax}: the time of day on the clocks at the event stays, over DST changes too.`,
  })
  days!: number;

  @Field(() => String, {
    nullable: true,
    description: `Title of the copy, at most ${limits.titleChars} characters; the same if not given.`,
  })
  title?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether active work shifts are copied as well, unconfirmed; those of people who are gone are not. False if not given.',
  })
  withShifts?: boolean | null;

  @Field(() => OverrideInput, {
    nullable: true,
    description:
      'Lets copied shifts stand although a call time has enough staff or a person is, or may be, busy. Kept on the shifts that needed it.',
  })
  override?: OverrideInput | null;
}
