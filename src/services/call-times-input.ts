import Type from 'typebox';
import { limits } from '../config/limits.ts';
import { callTimeFields } from '../fields/call-times.ts';
import { changesOf, inputsOf } from '../fields/field-list.ts';
import { closedObject, nullable, uuidOf, visibleText } from '../validation/schemas.ts';
import { requirements } from './requirements.ts';

export const placeReason = visibleText(limits.remarkChars, {
  description: 'Reason for an override: why the call time lies on another day than its event, and does not touch it.',
  examples: ['The stage is built some days before.'],
});

const override = Type.Optional(
  nullable({
    ...closedObject({ reason: placeReason }),
    description: 'Allows a call time that does not touch its event. Stored on the call time.',
  }),
);

const own = { requirements: Type.Optional(requirements), override };

export const callTimeInput = closedObject({ eventUuid: uuidOf('event'), ...inputsOf(callTimeFields), ...own });

export const callTimeChanges = closedObject({
  ...changesOf(callTimeFields),
  allowOverfill: Type.Optional(
    Type.Boolean({ description: 'Whether `staffNeeded` may fall below the number of active shifts. Default: false.' }),
  ),
  ...own,
});

export const callTimeParams = closedObject({ uuid: uuidOf('call time') });
