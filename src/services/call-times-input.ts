import Type from 'typebox';
import { limits } from '../config/limits.ts';
import { callTimeFields } from '../fields/call-times.ts';
import { changesOf, inputsOf } from '../fields/field-list.ts';
import { closed, nullable, uuidOf, visibleText } from '../validation/schemas.ts';

export const placeReason = visibleText(limits.remarkChars, {
  description: 'Reason for an override: why the call time lies on another day than its event, and does not touch it.',
  examples: ['The stage is built some days before.'],
});

const override = Type.Optional(nullable(Type.Object({ reason: placeReason }, closed)));

export const callTimeInput = Type.Object({ eventUuid: uuidOf('event'), ...inputsOf(callTimeFields), override }, closed);

export const callTimeChanges = Type.Object(
  {
    ...changesOf(callTimeFields),
    allowOverfill: Type.Optional(
      Type.Boolean({ description: 'Whether the number of staff needed may fall below the number assigned.' }),
    ),
    override,
  },
  closed,
);

export const callTimeParams = Type.Object({ uuid: uuidOf('call time') }, closed);
