import Type from 'typebox';
import { limits } from '../config/limits.ts';
import { PayUnit, ShiftStatus } from '../generated/prisma/enums.ts';
import {
  closedObject,
  rowNumber,
  money,
  nullable,
  oneOf,
  uuidOf,
  visibleText,
  wallTime,
} from '../validation/schemas.ts';

/** Allows a change that breaks a rule of staffing, with a reason. */
export const overrideInput = closedObject({
  reason: visibleText(limits.remarkChars, {
    description: 'Reason for an override: why people are booked although a rule is against it.',
  }),
});

const fields = {
  positionId: rowNumber('Id of a position.'),
  userId: rowNumber('Id of a user with role staff.'),
  startTime: nullable(wallTime('Start, wall-clock time in the time zone of the event; null: to be determined.')),
  endTime: nullable(wallTime('End, after the start; null: to be determined.')),
  payRate: nullable(
    money("USD per pay unit; null: the rate of the call time applies, or else the position's default."),
  ),
  payUnit: nullable(oneOf(Object.values(PayUnit), 'Unit of the pay rate. Default: the one that holds without it.')),
  override: nullable(overrideInput),
};

/**
 * Input that assigns somebody to an event or to one of its call times. Null means the same as a field that is not sent,
 * except for times, where it means to be determined.
 */
export const assignInput = closedObject({
  eventUuid: Type.Optional(nullable(uuidOf('event'))),
  callTimeUuid: Type.Optional(nullable(uuidOf('call time'))),
  ...Type.Partial(Type.Object({ ...fields, positionId: nullable(fields.positionId) })).properties,
  userId: fields.userId,
});

export const shiftChanges = closedObject({
  callTimeUuid: Type.Optional(
    nullable(Type.String({ format: 'uuid', description: 'A call time of the same event; null: none.' })),
  ),
  ...Type.Partial(Type.Object(fields)).properties,
  status: Type.Optional(oneOf(Object.values(ShiftStatus), 'Active again only where nothing stands against it.')),
});

export const cancelFields = {
  reason: Type.Optional(
    nullable(
      visibleText(limits.remarkChars, { description: 'Why the shift is canceled, for admins and the history.' }),
    ),
  ),
};

/** What several moves share, and what an exchange takes. */
export const moveFields = {
  override: Type.Optional(nullable(overrideInput)),
  reason: Type.Optional(
    nullable(visibleText(limits.remarkChars, { description: 'Why the person is moved, for admins and the history.' })),
  ),
};

export const shiftParams = closedObject({ uuid: uuidOf('work shift') });
