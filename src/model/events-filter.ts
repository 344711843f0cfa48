import { GraphQLDateTimeISO, GraphQLLocalDate } from 'graphql-scalars';
import { Field, Float, InputType } from 'type-graphql';
import type { EventStatus as StoredStatus } from '../generated/prisma/enums.ts';
import { EventSortKey, EventStatus, SortOrder } from './enums.ts';
import { RowIdField } from './row-ids.ts';

@InputType('CustomFieldFilter', { description: "A value that one of the business's own form fields has." })
export class CustomFieldFilter {
  @RowIdField('CustomFieldDefinition', { description: 'Id of the custom field definition.' })
  fieldId!: string;

  @Field(() => String, { description: 'The exact value set on the event.' })
  value!: string;
}

@InputType('EventFilter', {
  description: 'Filter of events. All given conditions must hold; null means no condition.',
})
export class EventFilterInput {
  @Field(() => [EventStatus], {
    nullable: true,
    description: 'Events with one of these statuses. Default: all except DELETED. An empty list matches no event.',
  })
  statuses?: StoredStatus[] | null;

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'Starts at this instant or later.' })
  startsFrom?: Date | null;

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'Starts before this instant.' })
  startsTo?: Date | null;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description:
      'Ends after this instant: with `runsTo`, the events that run, or have a call time, at some time between. An end to be determined counts as the tentative one.',
  })
  runsFrom?: Date | null;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'Starts before this instant, to be used with `runsFrom`.',
  })
  runsTo?: Date | null;

  @Field(() => GraphQLLocalDate, {
    nullable: true,
    description: "Starts on this day or later, as calendars in the event's own time zone show it.",
  })
  dateFrom?: string | null;

  @Field(() => GraphQLLocalDate, {
    nullable: true,
    description: "Starts on this day or before, as calendars in the event's own time zone show it.",
  })
  dateTo?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Has this text somewhere in its title, venue or city, without regard to case and accents; at most 200 characters.',
  })
  text?: string | null;

  @Field(() => String, { nullable: true, description: 'Has exactly this identifier in an external system.' })
  resourceId?: string | null;

  @RowIdField('User', { nullable: true, description: 'Belongs to the client (a user) of this id.' })
  clientId?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Takes place in exactly this city, without regard to case and accents.',
  })
  city?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Takes place in exactly this state, without regard to case and accents.',
  })
  state?: string | null;

  @RowIdField('User', {
    nullable: true,
    description: 'Has an active work shift of the staff member (a user) of this id.',
  })
  staffId?: number | null;

  @RowIdField('Position', {
    nullable: true,
    description: 'Has a call time or an active work shift of the position of this id.',
  })
  positionId?: number | null;

  @Field(() => CustomFieldFilter, { nullable: true, description: 'Has this value in a custom field.' })
  customField?: CustomFieldFilter | null;

  @Field(() => Float, {
    nullable: true,
    description:
      'Events with less than this share (0 to 1) of their needed staff assigned; 1 finds every event with an open place. An overfilled call time does not fill another; an event that needs nobody never matches.',
  })
  coverageBelow?: number | null;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'Was changed at this instant or later, itself or its call times, shifts or custom field values.',
  })
  updatedSince?: Date | null;
}

@InputType('EventSort', { description: 'Order of a list of events. Where two are equal, their ids decide.' })
export class EventSortInput {
  @Field(() => EventSortKey, { nullable: true, description: 'Sort key. Default: START.' })
  by?: 'start' | 'title' | 'created' | 'modified' | null;

  @Field(() => SortOrder, { nullable: true, description: 'Direction. Default: ASC.' })
  order?: 'asc' | 'desc' | null;
}
