import Type from 'typebox';
import { limits } from '../config/limits.ts';
import type { Event } from '../generated/prisma/client.ts';
import { EventStatus } from '../generated/prisma/enums.ts';
import { degrees, nullable, oneOf, rowNumber, visibleText, wallTime, zone } from '../validation/schemas.ts';
import { fieldList, optionalText, rowVersion, type Differences, type RowOf, type StoredRowOf } from './field-list.ts';

const { active, draft } = EventStatus;

const startIsOpen = 'Whether the start is still to be determined.';
const endIsOpen = 'Whether the end is still to be determined.';
const latitude = 'Latitude in decimal degrees, -90 to 90, returned exactly as sent.';
const longitude = 'Longitude in decimal degrees, -180 to 180, returned exactly as sent.';

/**
 * The fields of an event, in the order in which GraphQL shows them. A new optional text is one line here, a column in
 * schema.prisma and a migration; `rest` says in which of REST's shapes it stands behind the fields of the contract.
 */
export const eventFields = fieldList({
  id: { kind: 'integer', isGenerated: true },
  uuid: { kind: 'uuid', isGenerated: true, description: 'UUID, as in REST.' },
  businessId: { kind: 'integer', isGenerated: true },
  clientId: {
    kind: 'integer',
    isNullable: true,
    refersTo: 'User',
    input: Type.Optional(nullable(rowNumber('Id of a user with role client; null for none.'))),
  },
  status: {
    kind: 'eventStatus',
    initially: active,
    description: 'Status of the event.',
    input: Type.Optional(oneOf([active, draft], 'Status of the new event, active or draft; active if not sent.')),
    change: oneOf(Object.values(EventStatus), 'Every status can follow every other.'),
  },
  title: {
    kind: 'text',
    description: 'Title of the event.',
    input: visibleText(limits.textChars, { description: 'Title of the event.', examples: ['Spring gala'] }),
  },
  startTime: {
    kind: 'wallTime',
    stored: 'startLocal',
    description: 'Start as the clocks of its time zone show it: `YYYY-MM-DD HH:MM:SS`.',
    input: wallTime('Start, `YYYY-MM-DD HH:MM:SS`, wall-clock time in the time zone of the event.'),
  },
  startsAt: { kind: 'instant', description: 'Start as an instant, UTC.' },
  startTimeTbd: {
    kind: 'flag',
    stored: 'startTbd',
    initially: false,
    description: startIsOpen,
    input: Type.Optional(Type.Boolean({ description: startIsOpen })),
  },
  endTime: {
    kind: 'wallTime',
    stored: 'endLocal',
    description: 'End as the clocks of its time zone show it: `YYYY-MM-DD HH:MM:SS`.',
    input: wallTime('End, `YYYY-MM-DD HH:MM:SS`, after the start; wall-clock time in the time zone of the event.'),
  },
  endsAt: { kind: 'instant', description: 'End as an instant, UTC; always after the start.' },
  endTimeTbd: {
    kind: 'flag',
    stored: 'endTbd',
    initially: false,
    description: endIsOpen,
    input: Type.Optional(Type.Boolean({ description: endIsOpen })),
  },
  timezone: {
    kind: 'text',
    description: 'IANA time zone, spelled as it was sent.',
    input: zone(),
    change: zone('IANA time zone name in the region/city form; wall-clock times stay, instants move.'),
  },
  resourceId: optionalText(limits.textChars, 'Identifier in an external system.'),
  description: optionalText(limits.longTextChars, 'Description for staff and the client.'),
  privateNotes: {
    ...optionalText(limits.longTextChars, 'Internal notes for admins.'),
    hiddenFrom: ['staff', 'client'],
  },
  dressCode: optionalText(limits.longTextChars, 'Dress code for staff.'),
  venueName: optionalText(limits.venueNameChars, 'Venue.'),
  address: optionalText(limits.textChars, 'Street address.'),
  addressLine2: optionalText(limits.textChars, 'Second address line.'),
  room: optionalText(limits.textChars, 'Room or location.'),
  city: optionalText(limits.textChars, 'City of the venue.'),
  state: optionalText(limits.regionChars, 'State or region of the venue.'),
  zip: optionalText(limits.regionChars, 'ZIP code.'),
  latitude: {
    kind: 'text',
    isNullable: true,
    description: latitude,
    input: Type.Optional(nullable(degrees(90, latitude))),
  },
  longitude: {
    kind: 'text',
    isNullable: true,
    description: longitude,
    input: Type.Optional(nullable(degrees(180, longitude))),
  },
  createdAt: { kind: 'instant', description: 'Created, UTC.' },
  modifiedAt: { kind: 'instant', description: 'Last modified, UTC.' },
  version: rowVersion,
});

/** An event as it is read: its wall-clock times as the API writes them. */
export type EventRow = RowOf<
  typeof eventFields,
  Differences<StoredRowOf<typeof eventFields>, Omit<Event, 'uniqueResourceId'>>
>;
