import { GraphQLLocalDate } from 'graphql-scalars';
import Type from 'typebox';
import { ArgsType, InputType } from 'type-graphql';
import { EventChildren } from '../model/enums.ts';
import { inputFrom, inputFromOn } from '../model/input-from.ts';
import { filteredPage } from '../model/page-args.ts';
import { field, inputOn } from '../model/shapes.ts';
import { createEventInput, eventChangesInput, newCallTime, newChildren, newPerson } from '../services/events-input.ts';
import { eventFilter, eventSort } from '../services/events-list.ts';
import { innerInputs } from './inner-inputs.ts';
import { rowNumber, uuidOf } from '../validation/schemas.ts';

@InputType({
  description: 'A staff member to assign to a new call time. What is not given has the value of the call time.',
})
class NewPersonInput extends inputFrom(Type.Omit(newPerson, ['payUnit'])) {}

@InputType({ description: 'A call time of a new event, with its people.' })
class NewCallTimeInput extends inputFrom(newCallTime, { people: NewPersonInput }) {}

const inner = { ...innerInputs, callTimes: NewCallTimeInput, children: EventChildren };

@InputType({ description: 'A new event.' })
export class CreateEventInput extends inputFrom(createEventInput, inner) {}

@InputType({ description: 'Changes to an event: only the given fields change.' })
export class UpdateEventInput extends inputFrom(eventChangesInput, inner) {}

@InputType({ description: 'Changes to one of several events: only the given fields change.' })
export class ChangeEventInput extends inputFromOn(UpdateEventInput, {
  properties: {
    eventUuid: uuidOf('event'),
    version: Type.Optional(rowNumber('`version` of the event that the change expects. Default: not checked.')),
  },
}) {}

@InputType({ description: 'An event that is created or changed, by its resource id.' })
export class UpsertEventInput extends inputFrom(
  { properties: { ...eventChangesInput.properties, callTimes: newChildren.callTimes } },
  inner,
) {}

@InputType('CustomFieldFilter', { description: "A value that one of the business's own form fields has." })
class CustomFieldFilter extends inputFrom(eventFilter.properties.customField) {}

@InputType('EventSort', { description: 'Order of a list of events. Where two are equal, their ids decide.' })
class EventSortInput extends inputFrom(eventSort) {}

const dates = { dateFrom: GraphQLLocalDate, dateTo: GraphQLLocalDate };
const EventPageArgs = filteredPage('EventFilter', eventFilter, 'events', { customField: CustomFieldFilter, ...dates });

@ArgsType()
export class EventListArgs extends inputOn(EventPageArgs, {
  sort: field.of(EventSortInput).orNull('Order of the list. Default: by start, oldest first.'),
}) {}
