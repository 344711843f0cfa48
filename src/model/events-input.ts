import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { eventFields } from '../fields/events.ts';
import { changesOf, inputsOf, type ChangedOf, type NewOf } from '../fields/field-list.ts';
import type * as stored from '../generated/prisma/enums.ts';
import { EventChildren, EventStatus } from './enums.ts';
import { EventFilterInput, EventSortInput } from './events-filter.ts';
import { addInputFields, Shape, type ClassOf } from './fields.ts';
import { CursorArgs } from './page-args.ts';
import { OverrideInput } from './work-shifts-input.ts';

@InputType({ description: 'A new event.' })
export class CreateEventInput extends (Shape as ClassOf<NewOf<typeof eventFields>>) {}
addInputFields(CreateEventInput, eventFields, inputsOf(eventFields));

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
