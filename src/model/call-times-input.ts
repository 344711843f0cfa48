import { Field, InputType, Int } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type { PayUnit as StoredPayUnit } from '../generated/prisma/enums.ts';
import { GraphQLDecimal } from './decimal.ts';
import { PayUnit } from './enums.ts';

const staffNeeded = `Number of staff needed, 1 to ${limits.staffNeededMax}.`;
const startTime =
  'Start, `YYYY-MM-DD HH:MM:SS`, in the time zone of the event; a tentative one while to be determined.';
const endTime = 'End, `YYYY-MM-DD HH:MM:SS`, after the start; a tentative one while to be determined.';

/** What both inputs share. Null and the empty text unset. */
@InputType()
abstract class CallTimeFields {
  @Field(() => Int, { nullable: true, description: 'Id of the skill level asked for; null for none.' })
  skillLevelId?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the start is still to be determined.' })
  startTimeTbd?: boolean;

  @Field(() => Boolean, { nullable: true, description: 'Whether the end is still to be determined.' })
  endTimeTbd?: boolean;

  @Field(() => String, {
    nullable: true,
    description: `Notes shown to staff, at most ${limits.longTextChars} characters.`,
  })
  notesForStaff?: string | null;

  @Field(() => GraphQLDecimal, {
    nullable: true,
    description: "Pay rate in USD per pay unit; null: the position's default rate applies.",
  })
  payRate?: string | null;

  @Field(() => PayUnit, {
    nullable: true,
    description: "What the pay rate is paid for; the position's own if never given.",
  })
  payUnit?: StoredPayUnit;

  @Field(() => String, {
    nullable: true,
    description: `Dress code for this call time, at most ${limits.longTextChars} characters.`,
  })
  dressCode?: string | null;
}

@InputType({ description: 'A new call time of an event: how many people of a position it needs, and when.' })
export class CreateCallTimeInput extends CallTimeFields {
  @Field(() => Int, { description: 'Id of the position.' })
  positionId!: number;

  @Field(() => Int, { description: staffNeeded })
  staffNeeded!: number;

  @Field(() => String, { description: startTime })
  startTime!: string;

  @Field(() => String, { description: endTime })
  endTime!: string;
}

@InputType({
  description:
    'Changes to a call time: only the fields given change. Shifts on it keep their own times, position and pay.',
})
export class UpdateCallTimeInput extends CallTimeFields {
  @Field(() => Int, { nullable: true, description: 'Id of the position.' })
  positionId?: number;

  @Field(() => Int, { nullable: true, description: staffNeeded })
  staffNeeded?: number;

  @Field(() => String, { nullable: true, description: startTime })
  startTime?: string;

  @Field(() => String, { nullable: true, description: endTime })
  endTime?: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether `staffNeeded` may fall below the number of active shifts; without it, that is refused.',
  })
  allowOverfill?: boolean;
}
