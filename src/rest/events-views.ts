import Type, { type Static } from 'typebox';
import { eventFields, type EventRow } from '../fields/events.ts';
import type { Field, RestPlace } from '../fields/field-list.ts';
import { EventStatus } from '../generated/prisma/enums.ts';
import { formatUtcStamp } from '../time/instant-memo.ts';
import { oneOf } from '../validation/schemas.ts';
import { CallTimeView } from './call-times-views.ts';
import { CustomFieldView } from './custom-field-values-views.ts';
import { snakeCase } from './dialect.ts';
import { flagSchema, formatFlag, textSchema, utcStampSchema, wallTimeSchema } from './formats.ts';
import { ShiftView } from './work-shifts-views.ts';

/** Fields that the field list shows in a place of REST. They stand in snake_case behind the fields of the contract. */
function furtherFields(place: RestPlace) {
  return Object.entries<Field>(eventFields).flatMap(([name, { kind, rest = [], description = '' }]) => {
    if (!rest.includes(place)) return [];
    if (kind !== 'text') throw new Error(`${name} is no text: only texts can be shown beyond the contract.`);
    return [{ name: name as keyof EventRow, key: snakeCase(name), description }];
  });
}

const further = { list: furtherFields('list'), single: furtherFields('single') };

const furtherSchemas = (place: RestPlace): object =>
  Object.fromEntries(further[place].map(({ key, description }) => [key, textSchema(description)]));

const nothingFurther: object = Object.freeze({});

/** Most places show nothing beyond the contract: then no object is made for each of many events. */
function serializeFurther(place: RestPlace, event: EventRow): object {
  if (further[place].length === 0) return nothingFurther;
  return Object.fromEntries(further[place].map(({ name, key }) => [key, event[name] ?? '']));
}

const status = () => oneOf(Object.values(EventStatus), 'Event status.');

const head = {
  uuid: textSchema('Event UUID.'),
  resource_id: textSchema('External resource identifier.'),
  title: textSchema('Event title.'),
  description: textSchema('Event description.'),
  private_notes: textSchema('Internal notes for admins.'),
  dress_code: textSchema('Dress code.'),
  start_date_time: wallTimeSchema('Start'),
  start_time_tbd: flagSchema('Whether the start is to be determined.'),
  end_date_time: wallTimeSchema('End'),
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
};
const furtherInLists = furtherSchemas('list');

/** Item of the event list. */
export const EventItem = Type.Object(
  {
    ...head,
    created_at: utcStampSchema('Created'),
    modified_at: utcStampSchema('Last modified'),
    ...furtherInLists,
    call_times: Type.Array(CallTimeView),
    work_shifts: Type.Array(ShiftView, { description: 'The active shifts.' }),
    custom_fields: Type.Array(CustomFieldView),
  },
  { title: 'EventListItem' },
);

/** Item of the earlier list: other names for the stamps, and no children. */
export const EarlierEventItem = Type.Object(
  {
    ...head,
    created: utcStampSchema('Created'),
    updated: utcStampSchema('Last modified'),
    ...furtherInLists,
  },
  { title: 'EarlierEventListItem' },
);

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
const furtherInSingle = furtherSchemas('single');

/** The event inside the single-event response. */
export const SingleEvent = Type.Object({ id, ...single, ...furtherInSingle }, { title: 'Event' });

export const UpdatedEvent = Type.Object({ ...single, ...furtherInSingle }, { title: 'UpdatedEvent' });

export const CreatedEvent = Type.Object(
  {
    id,
    ...single,
    business_id: Type.Integer({ description: 'Owning business.' }),
    client_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Client the event belongs to; null for none.',
    }),
    ...furtherInSingle,
  },
  { title: 'CreatedEvent' },
);

const serializeEventHead = (event: EventRow): Omit<Static<typeof EarlierEventItem>, 'created' | 'updated'> => ({
  uuid: event.uuid,
  resource_id: event.resourceId ?? '',
  title: event.title,
  description: event.description ?? '',
  private_notes: event.privateNotes ?? '',
  dress_code: event.dressCode ?? '',
  start_date_time: event.startTime,
  start_time_tbd: formatFlag(event.startTimeTbd),
  end_date_time: event.endTime,
  end_time_tbd: formatFlag(event.endTimeTbd),
  address: event.address ?? '',
  address_line_2: event.addressLine2 ?? '',
  room: event.room ?? '',
  city: event.city ?? '',
  state: event.state ?? '',
  zip: event.zip ?? '',
  latitude: event.latitude ?? '',
  longitude: event.longitude ?? '',
  status: event.status,
});

type Item = Static<typeof EventItem>;
type Lists = 'call_times' | 'work_shifts' | 'custom_fields';

/** Assigns instead of `{ ...head, created_at }`: src/guide/performance.md#no-properties-after-a-spread */
export const serializeEventItem = <Children>(event: EventRow, children: Children): Omit<Item, Lists> & Children =>
  Object.assign(
    serializeEventHead(event),
    { created_at: formatUtcStamp(event.createdAt), modified_at: formatUtcStamp(event.modifiedAt) },
    serializeFurther('list', event),
    children,
  );

export const serializeEarlierEventItem = (event: EventRow): Static<typeof EarlierEventItem> => ({
  ...serializeEventHead(event),
  created: formatUtcStamp(event.createdAt),
  updated: formatUtcStamp(event.modifiedAt),
  ...serializeFurther('list', event),
});

export const serializeUpdatedEvent = (event: EventRow): Static<typeof UpdatedEvent> => ({
  uuid: event.uuid,
  title: event.title,
  start_time: event.startTime,
  end_time: event.endTime,
  timezone: event.timezone,
  venue_name: event.venueName ?? '',
  address: event.address ?? '',
  city: event.city ?? '',
  state: event.state ?? '',
  zip: event.zip ?? '',
  description: event.description ?? '',
  dress_code: event.dressCode ?? '',
  status: event.status,
  ...serializeFurther('single', event),
});

export const serializeSingleEvent = (event: EventRow): Static<typeof SingleEvent> => ({
  id: event.id,
  ...serializeUpdatedEvent(event),
});

export const serializeCreatedEvent = (event: EventRow): Static<typeof CreatedEvent> => ({
  ...serializeSingleEvent(event),
  business_id: event.businessId,
  client_id: event.clientId,
});
