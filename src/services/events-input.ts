import Type, { type Static } from 'typebox';
import { limits } from '../config/limits.ts';
import { codesOf, eventChildren } from '../fields/codes.ts';
import { eventFields } from '../fields/events.ts';
import { changesOf, inputsOf } from '../fields/field-list.ts';
import { closedObject, idOf, nullable, oneOf, uuidOf } from '../validation/schemas.ts';
import { callTimeInput } from './call-times-input.ts';
import { assignInput, overrideFor } from './work-shifts-input.ts';

const { eventUuid: _event, callTimeUuid: _callTime, override: _override, ...shiftOfCallTime } = assignInput.properties;
const { eventUuid: _parent, requirements: _required, override: _reason, ...callTimeOfEvent } = callTimeInput.properties;

export const newPerson = closedObject(shiftOfCallTime);

export const newCallTime = closedObject({
  ...callTimeOfEvent,
  people: Type.Optional(
    Type.Array(newPerson, {
      maxItems: limits.eventPeopleMax,
      description: 'The staff members to assign. What is not sent of a shift has the value of the call time.',
    }),
  ),
});

/** What a new event may bring: its call times with their people, stored together with it or not at all. */
export const newChildren = {
  callTimes: Type.Optional(
    Type.Array(newCallTime, {
      maxItems: limits.eventCallTimesMax,
      description: `The call times of the new event, with at most ${limits.eventPeopleMax} people together: all are stored or nothing. Who assigns people needs the scope \`STAFFING_WRITE\` as well.`,
    }),
  ),
  override: overrideFor(
    'Allows the change although call times have enough staff or people are, or may be, booked twice. Stored on the shifts that needed it.',
  ),
};

export const createEventInput = closedObject({ ...inputsOf(eventFields), ...newChildren });

export type CreateEventInput = Static<typeof createEventInput>;

export const eventChanges = closedObject(changesOf(eventFields));

/** What a change of an event does to its call times and shifts. */
export const childrenInput = {
  children: Type.Optional(
    nullable(
      oneOf(
        codesOf(eventChildren),
        'With `KEEP`, call times and shifts stay where they are although the event moves. Without it, they move along.',
      ),
    ),
  ),
};

export const eventChangesInput = closedObject({
  ...eventChanges.properties,
  override: overrideFor(
    'Allows the change although it books people twice, or leaves call times that do not touch the event. Stored on the shifts and call times that needed it.',
  ),
  ...childrenInput,
});

export const eventParams = Type.Object({ uuid: uuidOf('event') });

export const eventIdsInput = Type.Object({ eventIds: Type.Array(idOf('event')) });

/** Rows by their uuids, for nodes. */
export const uuidsInput = Type.Object({ uuids: Type.Array(Type.String({ format: 'uuid' })) });

export const callTimeIdsInput = Type.Object({ callTimeIds: Type.Array(idOf('call time')) });

/** Input that reads the lists of many events. `atMostEach` bounds the rows of each event. */
export const listsOfEventsInput = Type.Object({
  ...eventIdsInput.properties,
  atMostEach: Type.Optional(Type.Integer({ minimum: 1 })),
});

/** The same, where `fields` names those that are shown of each row. */
export const rowsOfEventsInput = Type.Object({
  ...listsOfEventsInput.properties,
  fields: Type.Optional(Type.Array(Type.String())),
});
