import Type from 'typebox';
import { limits } from '../config/limits.ts';
import { PayUnit } from '../generated/prisma/enums.ts';
import { closed, int4, money, nullable, oneOf, text, uuidOf, wallTime } from '../validation/schemas.ts';

const required = {
  positionId: int4(1, limits.int4Max, 'Id of a position.'),
  staffNeeded: int4(1, limits.staffNeededMax, 'Number of staff needed.'),
  startTime: wallTime('Start, wall-clock time in the time zone of the event; tentative while to be determined.'),
  endTime: wallTime('End, after the start; wall-clock time in the time zone of the event.'),
};

/** Null and the empty text unset. */
const optional = {
  skillLevelId: Type.Optional(nullable(int4(1, limits.int4Max, 'Id of a skill level; null for none.'))),
  startTimeTbd: Type.Optional(Type.Boolean({ description: 'Whether the start is still to be determined.' })),
  endTimeTbd: Type.Optional(Type.Boolean({ description: 'Whether the end is still to be determined.' })),
  notesForStaff: Type.Optional(nullable(text(limits.longTextChars, { description: 'Notes shown to staff.' }))),
  payRate: Type.Optional(nullable(money("USD per pay unit; null: the position's default rate applies."))),
  payUnit: Type.Optional(oneOf(Object.values(PayUnit), 'Unit of the pay rate.')),
  dressCode: Type.Optional(nullable(text(limits.longTextChars, { description: 'Dress code.' }))),
};

export const callTimeFields = { ...required, ...optional };

export const callTimeChanges = Type.Object(
  {
    ...Type.Partial(Type.Object(required)).properties,
    ...optional,
    allowOverfill: Type.Optional(
      Type.Boolean({ description: 'Whether the number of staff needed may fall below the number assigned.' }),
    ),
  },
  closed,
);

export const callTimeParams = Type.Object({ uuid: uuidOf('call time') }, closed);
