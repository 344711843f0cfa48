import { reworkedProperty, serializeReworked } from './attendance-views.ts';
import Type from 'typebox';
import { eventFields, type EventRow } from '../fields/events.ts';
import type { Field, RestPlace } from '../fields/field-list.ts';
import { EventStatus } from '../generated/prisma/enums.ts';
import type { ChangedEventRow } from '../services/events.ts';
import { oneOf } from '../validation/schemas.ts';
import { CallTimeView } from './call-times-views.ts';
import { CustomFieldView } from './custom-field-values-views.ts';
import { snakeCase } from './dialect.ts';
import { flagSchema, textSchema, utcStampSchema, wallTimeSchema } from './formats.ts';
import { titled, viewOf } from './views.ts';
import { ShiftView } from './work-shifts-views.ts';

/** Fields that the field list shows in a place of REST. They stand in snake_case behind the fields of the contract. */
function furtherFields(place: RestPlace): object {
  const further = Object.entries<Field>(eventFields).filter(([, { rest = [] }]) => rest.includes(place));
  return Object.fromEntries(
    further.map(([name, { kind, description = '' }]) => {
      if (kind !== 'text') throw new Error(`${name} is no text: only texts can be shown beyond the contract.`);
      return [snakeCase(name), textSchema(description)];
    }),
  );
}

const status = () => oneOf(Object.values(EventStatus), 'Event status.');

const head = {
  uuid: textSchema('Event UUID.'),
  resource_id: textSchema('External resource identifier.'),
  title: textSchema('Event title.'),
  description: textSchema('Event description.'),
  private_notes: textSchema('Internal notes for admins.'),
  dress_code: textSchema('Dress code.'),
  start_date_time: [wallTimeSchema('Start'), ({ startTime }: EventRow) => startTime],
  start_time_tbd: flagSchema('Whether the start is to be determined.'),
  end_date_time: [wallTimeSchema('End'), ({ endTime }: EventRow) => endTime],
  end_time_tbd: flagSchema('Whether the end is to be determined.'),
  address: textSchema('Street address.'),
  address_line_2: textSchema('Second address line.'),
  room: textSchema('Room or location.'),
  city: textSchema('City.'),
  state: textSchema('State.'),
  zip: textSchema('ZIP code.'),
  latitude: textSchema('Latitude in decimal degrees.'),
  longitude: textSchema('Longitude in decimal degrees.'),
  status: status(),
} as const;
const furtherInLists = furtherFields('list');

const eventLine = viewOf<EventRow>('EventLine')({
  ...head,
  created_at: utcStampSchema('Created'),
  modified_at: utcStampSchema('Last modified'),
  ...furtherInLists,
});

/** Item of the event list. */
export const EventItem = titled('EventListItem', {
  ...eventLine.schema.properties,
  call_times: Type.Array(CallTimeView),
  work_shifts: Type.Array(ShiftView, { description: 'The active shifts.' }),
  custom_fields: Type.Array(CustomFieldView),
});
export const serializeEventItem = <Children extends object>(event: EventRow, children: Children) =>
  Object.assign(eventLine.serialize(event), children);

/** Item of the earlier list: other names for the stamps, and no children. */
export const { schema: EarlierEventItem, serialize: serializeEarlierEventItem } = viewOf<EventRow>(
  'EarlierEventListItem',
)({
  ...head,
  created: [utcStampSchema('Created'), ({ createdAt }) => createdAt],
  updated: [utcStampSchema('Last modified'), ({ modifiedAt }) => modifiedAt],
  ...furtherInLists,
});

const single = {
  uuid: textSchema('Event UUID.'),
  title: textSchema('Title.'),
  start_time: wallTimeSchema('Start'),
  end_time: wallTimeSchema('End'),
  timezone: textSchema('IANA time zone.'),
  venue_name: textSchema('Venue.'),
  address: textSchema('Street address.'),
  city: textSchema('City.'),
  state: textSchema('State.'),
  zip: textSchema('ZIP code.'),
  description: textSchema('Description.'),
  dress_code: textSchema('Dress code.'),
  status: status(),
};
const id = Type.Integer({ description: 'Numeric event id.' });
const furtherInSingle = furtherFields('single');

/** The event inside the single-event response. */
export const { schema: SingleEvent, serialize: serializeSingleEvent } = viewOf<EventRow>('Event')({
  id,
  ...single,
  ...furtherInSingle,
});

const updated = viewOf<EventRow>('UpdatedEvent')({ ...single, ...furtherInSingle });

export const movedProperty = {
  moved: Type.Optional(
    Type.Object(
      { call_times: Type.Integer(), work_shifts: Type.Integer() },
      { description: 'An extension: how many rows have moved with the event. Absent if none has.' },
    ),
  ),
  ...reworkedProperty,
};

export const serializeMoved = ({ moved, reworked }: ChangedEventRow) => ({
  ...(moved && { moved: { call_times: moved.callTimes, work_shifts: moved.workShifts } }),
  ...serializeReworked({ reworked }),
});

export const UpdatedEvent = titled('UpdatedEvent', {
  ...updated.schema.properties,
  ...movedProperty,
});
export const serializeUpdatedEvent = (event: ChangedEventRow) => ({
  ...updated.serialize(event),
  ...serializeMoved(event),
});

export const { schema: CreatedEvent, serialize: serializeCreatedEvent } = viewOf<EventRow>('CreatedEvent')({
  id,
  ...single,
  business_id: Type.Integer({ description: 'Owning business.' }),
  client_id: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Client the event belongs to; null for none.',
  }),
  ...furtherInSingle,
});
