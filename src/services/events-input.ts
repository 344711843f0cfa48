import Type from 'typebox';
import { limits } from '../config/limits.ts';
import type { Fields } from '../db/fields.ts';
import { EventStatus } from '../generated/prisma/enums.ts';
import {
  closed,
  degrees,
  idOf,
  int4,
  nullable,
  oneOf,
  text,
  uuidOf,
  visibleText,
  wallTime,
  zone,
} from '../validation/schemas.ts';

const required = {
  title: visibleText(limits.titleChars, { description: 'Event title.', examples: ['Spring gala'] }),
  startTime: wallTime('Start, wall-clock time in the time zone of the event.'),
  endTime: wallTime('End, after the start; wall-clock time in the time zone of the event.'),
  timezone: zone(),
};

/** Null and the empty text unset. */
const optional = {
  clientId: Type.Optional(nullable(int4(1, limits.int4Max, 'Id of a user with role client; null for none.'))),
  venueName: Type.Optional(nullable(text(limits.venueNameChars, { description: 'Venue.' }))),
  address: Type.Optional(nullable(text(limits.addressChars, { description: 'Street address.' }))),
  addressLine2: Type.Optional(nullable(text(limits.addressChars, { description: 'Second address line.' }))),
  room: Type.Optional(nullable(text(limits.shortTextChars, { description: 'Room or location.' }))),
  city: Type.Optional(nullable(text(limits.cityChars, { description: 'City.' }))),
  state: Type.Optional(nullable(text(limits.stateChars, { description: 'State.' }))),
  zip: Type.Optional(nullable(text(limits.zipChars, { description: 'ZIP code.' }))),
  latitude: Type.Optional(nullable(degrees(90, 'Latitude in decimal degrees, returned exactly as sent.'))),
  longitude: Type.Optional(nullable(degrees(180, 'Longitude in decimal degrees, returned exactly as sent.'))),
  description: Type.Optional(nullable(text(limits.longTextChars, { description: 'Description.' }))),
  privateNotes: Type.Optional(nullable(text(limits.longTextChars, { description: 'Internal notes for admins.' }))),
  dressCode: Type.Optional(nullable(text(limits.longTextChars, { description: 'Dress code.' }))),
  resourceId: Type.Optional(
    nullable(text(limits.shortTextChars, { description: 'Identifier in an external system.' })),
  ),
  startTimeTbd: Type.Optional(Type.Boolean({ description: 'Whether the start is still to be determined.' })),
  endTimeTbd: Type.Optional(Type.Boolean({ description: 'Whether the end is still to be determined.' })),
};

const { active, draft } = EventStatus;

export const createEventInput = Type.Object(
  {
    ...required,
    ...optional,
    status: Type.Optional(oneOf([active, draft], 'Status of the new event; active if not sent.')),
  },
  closed,
);

export const eventChanges = Type.Object(
  {
    ...Type.Partial(Type.Object(required)).properties,
    ...optional,
    status: Type.Optional(oneOf(Object.values(EventStatus), 'Every status can follow every other.')),
  },
  closed,
);

export const eventParams = Type.Object({ uuid: uuidOf('event') });

export const eventIdsInput = Type.Object({ eventIds: Type.Array(idOf('event')) });

export const callTimeIdsInput = Type.Object({ callTimeIds: Type.Array(idOf('call time')) });

/** Lists of many events; where `atMostEach` is given, no more rows of each event. */
export const listsOfEventsInput = Type.Object({
  ...eventIdsInput.properties,
  atMostEach: Type.Optional(Type.Integer({ minimum: 1 })),
});

/** The same, where rows may be read in part. */
export const rowsOfEventsInput = <Row>() =>
  Type.Object({
    ...listsOfEventsInput.properties,
    fields: Type.Optional(Type.Unsafe<Fields<Row> | undefined>({ type: 'array', items: { type: 'string' } })),
  });
