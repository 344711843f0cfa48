import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { ZonedTime } from './zoned-times.ts';

@ObjectType({ description: 'A call time as a screen shows it.', simpleResolvers: true })
export class ScreenCallTime {
  @Field(() => ID, { description: 'UUID of the call time.' })
  uuid!: string;

  @Field(() => String, { description: 'Title of the position.' })
  position!: string;

  @Field(() => String, { nullable: true, description: 'Name of the skill level asked for; null for none.' })
  skillLevel!: string | null;

  @Field(() => Int, { description: 'Number of people needed.' })
  staffNeeded!: number;

  @Field(() => GraphQLDateTimeISO, { description: 'Start, UTC.' })
  startsAt!: Date;

  @Field(() => GraphQLDateTimeISO, { description: 'End, UTC.' })
  endsAt!: Date;

  @Field(() => Boolean, { description: 'Whether the start is still to be determined.' })
  startTimeTbd!: boolean;

  @Field(() => Boolean, { description: 'Whether the end is still to be determined.' })
  endTimeTbd!: boolean;
}

@ObjectType({ description: 'An active work shift as a screen shows it.', simpleResolvers: true })
export class ScreenShift {
  @Field(() => ID, { description: 'UUID of the shift.' })
  uuid!: string;

  @Field(() => ID, { nullable: true, description: 'UUID of the call time; null if it fills none on this board.' })
  callTimeUuid!: string | null;

  @Field(() => String, { description: 'Title of the position.' })
  position!: string;

  @Field(() => String, { nullable: true, description: 'First name; null if the screen hides names.' })
  firstName!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Last name, or its initial if the screen shows short names; null if it hides names.',
  })
  lastName!: string | null;

  @Field(() => Boolean, { description: 'Whether the person confirmed.' })
  confirmed!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether the person has, or may have, another shift at that time, also at an event that the screen does not show.',
  })
  doubleBooked!: boolean;

  @Field(() => GraphQLDateTimeISO, { description: 'Assigned, UTC.' })
  createdAt!: Date;

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'Start, UTC; null: to be determined.' })
  startsAt!: Date | null;

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'End, UTC; null: to be determined.' })
  endsAt!: Date | null;
}

@ObjectType({ description: 'An active event as a screen shows it.', simpleResolvers: true })
export class ScreenEvent {
  @Field(() => ID, { description: 'UUID of the event.' })
  uuid!: string;

  @Field(() => String, { description: 'Title of the event.' })
  title!: string;

  @Field(() => String, { description: 'IANA time zone.' })
  timezone!: string;

  @Field(() => ZonedTime, { description: 'Start of the event.' })
  start!: ZonedTime;

  @Field(() => GraphQLDateTimeISO, { description: 'Start, UTC.' })
  startsAt!: Date;

  @Field(() => GraphQLDateTimeISO, { description: 'End, UTC.' })
  endsAt!: Date;

  @Field(() => Boolean, { description: 'Whether the start is still to be determined.' })
  startTimeTbd!: boolean;

  @Field(() => Boolean, { description: 'Whether the end is still to be determined.' })
  endTimeTbd!: boolean;

  @Field(() => String, { nullable: true, description: 'Venue.' })
  venueName!: string | null;

  @Field(() => String, { nullable: true, description: 'Room or location.' })
  room!: string | null;

  @Field(() => String, { nullable: true, description: 'City of the venue.' })
  city!: string | null;

  @Field(() => String, { nullable: true, description: 'Dress code for staff.' })
  dressCode!: string | null;

  @Field(() => [ScreenCallTime], { description: `Call times by start, at most ${limits.nestedListMax}.` })
  callTimes!: ScreenCallTime[];

  @Field(() => [ScreenShift], { description: `Active shifts by start, at most ${limits.nestedListMax}.` })
  workShifts!: ScreenShift[];
}

@ObjectType({ description: 'What a screen shows of a span of time.', simpleResolvers: true })
export class ScreenBoard {
  @Field(() => [ScreenEvent], {
    description: `The events that run in the span, by start, at most ${limits.screenEventsMax}.`,
  })
  events!: ScreenEvent[];

  @Field(() => Boolean, { description: 'Whether more events than these run in the span.' })
  hasMore!: boolean;
}
