import Type from 'typebox';
import { callTimeFields } from '../fields/call-times.ts';
import { changesOf, inputsOf } from '../fields/field-list.ts';
import { closed, uuidOf } from '../validation/schemas.ts';

/** A new call time of an event. */
export const callTimeInput = Type.Object({ eventUuid: uuidOf('event'), ...inputsOf(callTimeFields) }, closed);

export const callTimeChanges = Type.Object(
  {
    ...changesOf(callTimeFields),
    allowOverfill: Type.Optional(
      Type.Boolean({ description: 'Whether the number of staff needed may fall below the number assigned.' }),
    ),
  },
  closed,
);

export const callTimeParams = Type.Object({ uuid: uuidOf('call time') }, closed);
