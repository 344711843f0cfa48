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

/** An override of a rule. The description says what it allows. */
export const overrideFor = (description: string) => Type.Optional(nullable({ ...overrideInput, description }));

/** The fields of a shift. The text says what holds where they are not given. */
const fieldsWith = (byDefault: string) => ({
  positionId: rowNumber(`Id of the position.${byDefault}`),
  userId: rowNumber('Id of the staff member, a user with role `STAFF`.'),
  startTime: nullable(
    wallTime(`Start, \`YYYY-MM-DD HH:MM:SS\`, in the time zone of the event; null: to be determined.${byDefault}`),
  ),
  endTime: nullable(wallTime(`End, \`YYYY-MM-DD HH:MM:SS\`, after the start; null: to be determined.${byDefault}`)),
  payRate: nullable(money("Pay rate in USD; null: the rate of the call time applies, or else the position's default.")),
  payUnit: nullable(oneOf(Object.values(PayUnit), 'Unit of the pay rate. Default: the one that holds without it.')),
  override: overrideFor(
    'Allows the assignment although the call time has enough staff or the person is, or may be, busy. Stored only if it was needed.',
  ),
});

const assigned = fieldsWith(' Default: that of the call time.');

/**
 * Input that assigns somebody to an event or to one of its call times. Null means the same as a field that is not sent,
 * except for times, where it means to be determined.
 */
export const assignInput = closedObject({
  eventUuid: Type.Optional(nullable(uuidOf('event', 'UUID of the event, for a shift without a call time.'))),
  callTimeUuid: Type.Optional(
    nullable(
      uuidOf(
        'call time',
        'UUID of the call time to fill: its position and times apply where none are given. Excludes `eventUuid`.',
      ),
    ),
  ),
  ...Type.Partial(Type.Object({ ...assigned, positionId: nullable(assigned.positionId) })).properties,
  userId: assigned.userId,
});

export const shiftChanges = closedObject({
  callTimeUuid: Type.Optional(
    nullable(
      Type.String({
        format: 'uuid',
        description: 'UUID of another call time of the same event; null: none. Position and times stay as they are.',
      }),
    ),
  ),
  ...Type.Partial(Type.Object(fieldsWith(''))).properties,
  status: Type.Optional(
    oneOf(Object.values(ShiftStatus), 'Status. `ACTIVE` restores a canceled or deleted shift if it breaks no rule.'),
  ),
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
  override: overrideFor(
    'Allows the move although a call time has enough staff or the person is, or may be, busy. Stored only if it was needed.',
  ),
  reason: Type.Optional(
    nullable(visibleText(limits.remarkChars, { description: 'Why the person is moved, for admins and the history.' })),
  ),
};

export const shiftParams = closedObject({ uuid: uuidOf('work shift') });
