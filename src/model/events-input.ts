import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { callTimeFields } from '../fields/call-times.ts';
import { eventFields } from '../fields/events.ts';
import { changesOf, inputsOf, type ChangedOf, type NewOf } from '../fields/field-list.ts';
import type * as stored from '../generated/prisma/enums.ts';
import { GraphQLDecimal } from './decimal.ts';
import { EventChildren, EventStatus } from './enums.ts';
import { EventFilterInput, EventSortInput } from './events-filter.ts';
import { addInputFields, Shape, type ClassOf } from './fields.ts';
import { CursorArgs } from './page-args.ts';
import { RowIdField } from './row-ids.ts';
import { OverrideInput } from './work-shifts-input.ts';

@InputType({
  description: 'A staff member to assign to a new call time. What is not given has the value of the call time.',
})
export class NewPersonInput {
  @RowIdField('User', { description: 'Id of the staff member, a user with role STAFF.' })
  userId!: number;

  @RowIdField('Position', { nullable: true, description: 'Id of the position. Default: that of the call time.' })
  positionId?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Start, `YYYY-MM-DD HH:MM:SS`, in the time zone of the event; null: to be determined.',
  })
  startTime?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'End, `YYYY-MM-DD HH:MM:SS`, after the start; null: to be determined.',
  })
  endTime?: string | null;

  @Field(() => GraphQLDecimal, {
    nullable: true,
    description: "Pay rate in USD per pay unit of the position; null: the position's default rate applies.",
  })
  payRate?: string | null;
}

@InputType({ description: 'A call time of a new event, with its people.' })
export class NewCallTimeInput extends (Shape as ClassOf<NewOf<typeof callTimeFields>>) {
  @Field(() => [NewPersonInput], { nullable: true, description: 'The staff members to assign to the call time.' })
  people?: NewPersonInput[];
}
addInputFields(NewCallTimeInput, callTimeFields, inputsOf(callTimeFields));

/** Adds what a new event may bring. */
function addChildren(to: { readonly prototype: object }): void {
  Field(() => [NewCallTimeInput], {
    nullable: true,
    description: `Call times of the new event, at most ${limits.eventCallTimesMax}, with at most ${limits.eventPeopleMax} people together: all are stored or nothing. Who assigns people needs the scope \`staffing:write\` as well.`,
  })(to.prototype, 'callTimes');
}

const overrideText =
  'Allows the change although call times have enough staff or people are, or may be, booked twice. Stored on the shifts that needed it.';

@InputType({ description: 'A new event.' })
export class CreateEventInput extends (Shape as ClassOf<NewOf<typeof eventFields>>) {
  callTimes?: NewCallTimeInput[];

  @Field(() => OverrideInput, { nullable: true, description: overrideText })
  override?: OverrideInput | null;
}
addInputFields(CreateEventInput, eventFields, inputsOf(eventFields));
addChildren(CreateEventInput);

@InputType({ description: 'Changes to an event: only the given fields change.' })
export class UpdateEventInput extends (Shape as ClassOf<ChangedOf<typeof eventFields>>) {
  @Field(() => OverrideInput, {
    nullable: true,
    description:
      'Allows the change although it books people twice, or leaves call times that do not touch the event. Stored on the shifts and call times that needed it.',
  })
  override?: OverrideInput | null;

  @Field(() => EventChildren, {
    nullable: true,
    description: 'KEEP: call times and shifts stay where they are although the event moves. Default: they move along.',
  })
  children?: 'keep' | null;
}
addInputFields(UpdateEventInput, eventFields, changesOf(eventFields));

@InputType({ description: 'An event that is created or changed, by its resource id.' })
export class UpsertEventInput extends UpdateEventInput {
  callTimes?: NewCallTimeInput[];
}
addChildren(UpsertEventInput);

@ArgsType()
export class EventListArgs extends CursorArgs {
  @Field(() => EventFilterInput, {
    nullable: true,
    description: 'Lists only events that match this filter. Default: all except deleted ones.',
  })
  filter?: EventFilterInput | null;

  @Field(() => EventSortInput, { nullable: true, description: 'Order of the list. Default: by start, oldest first.' })
  sort?: EventSortInput | null;
}

@ArgsType()
export class OwnEventsArgs extends CursorArgs {
  @Field(() => [EventStatus], {
    nullable: true,
    description:
      'Lists only events with one of these statuses. Default: ACTIVE and CANCELED, which are all that a client can see.',
  })
  statuses?: stored.EventStatus[] | null;
}

@InputType({ description: 'How an event is copied.' })
export class CopyEventInput {
  @Field(() => Int, {
    description: `Number of days by which every time moves, from ${-limits.copyDaysMax} to ${limits.copyDaysMax}: the local time of day stays, across clock changes too.`,
  })
  days!: number;

  @Field(() => String, {
    nullable: true,
    description: `Title of the copy, at most ${limits.textChars} characters. Default: the title of the original.`,
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
