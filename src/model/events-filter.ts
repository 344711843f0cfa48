import { GraphQLLocalDate } from 'graphql-scalars';
import { InputType } from 'type-graphql';
import { EventSortKey, EventStatus, SortOrder } from './enums.ts';
import { field, inputWith } from './shapes.ts';

@InputType('CustomFieldFilter', { description: "A value that one of the business's own form fields has." })
class CustomFieldFilter extends inputWith({
  fieldId: field.rowId('CustomFieldDefinition')('Id of the custom field definition.'),
  value: field.text('The exact value set on the event.'),
}) {}

@InputType('EventFilter', {
  description: 'Filter of events. All given conditions must hold; null means no condition.',
})
export class EventFilterInput extends inputWith({
  statuses: field
    .of([EventStatus])
    .orNull('Events with one of these statuses. Default: all except DELETED. An empty list matches no event.'),
  startsFrom: field.instant.orNull('Starts at this instant or later.'),
  startsTo: field.instant.orNull('Starts before this instant.'),
  runsFrom: field.instant.orNull(
    'Ends after this instant: with `runsTo`, the events that run, or have a call time, at some time between. An end to be determined counts as the tentative one.',
  ),
  runsTo: field.instant.orNull('Starts before this instant, to be used with `runsFrom`.'),
  dateFrom: field
    .of(GraphQLLocalDate)
    .orNull("Starts on this day or later, as calendars in the event's own time zone show it."),
  dateTo: field
    .of(GraphQLLocalDate)
    .orNull("Starts on this day or before, as calendars in the event's own time zone show it."),
  text: field.text.orNull(
    'Has this text somewhere in its title, venue or city, without regard to case and accents; at most 200 characters.',
  ),
  resourceId: field.text.orNull('Has exactly this identifier in an external system.'),
  clientId: field.rowId('User').orNull('Belongs to the client (a user) of this id.'),
  city: field.text.orNull('Takes place in exactly this city, without regard to case and accents.'),
  state: field.text.orNull('Takes place in exactly this state, without regard to case and accents.'),
  staffId: field.rowId('User').orNull('Has an active work shift of the staff member (a user) of this id.'),
  positionId: field.rowId('Position').orNull('Has a call time or an active work shift of the position of this id.'),
  customField: field.of(CustomFieldFilter).orNull('Has this value in a custom field.'),
  coverageBelow: field.float.orNull(
    'Events with less than this share (0 to 1) of their needed staff assigned; 1 finds every event with an open place. An overfilled call time does not fill another; an event that needs nobody never matches.',
  ),
  updatedSince: field.instant.orNull(
    'Was changed at this instant or later, itself or its call times, shifts or custom field values.',
  ),
}) {}

@InputType('EventSort', { description: 'Order of a list of events. Where two are equal, their ids decide.' })
export class EventSortInput extends inputWith({
  by: field.of(EventSortKey).orNull('Sort key. Default: START.'),
  order: field.of(SortOrder).orNull('Direction. Default: ASC.'),
}) {}
