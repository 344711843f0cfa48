import Type from 'typebox';
import { limits } from '../config/limits.ts';
import type { ShiftSwap } from '../generated/prisma/client.ts';
import { fieldList, rowVersion, type Differences, type RowOf, type StoredRowOf } from './field-list.ts';
import { nullable, visibleText } from '../validation/schemas.ts';
import { joinedText, joinedTextOrNull, placeFields } from './offers.ts';

const wantedUuid = { kind: 'uuid', isJoined: true, isNullable: true } as const;
const wantedTime = { kind: 'wallTime', isJoined: true, isNullable: true } as const;

/** The fields of a swap, with what its people have to know of the shifts before they see them. */
export const swapFields = fieldList({
  id: { kind: 'integer', isGenerated: true },
  uuid: { kind: 'uuid', isGenerated: true, description: 'UUID, as in REST.' },
  state: { kind: 'swapState', description: 'What has become of it.' },
  workShiftId: { kind: 'integer' },
  workShiftUuid: { kind: 'uuid', isJoined: true, description: 'UUID of the shift.' },
  positionId: { kind: 'integer', isJoined: true },
  ...placeFields,
  otherShiftId: { kind: 'integer', isNullable: true },
  otherShiftUuid: { ...wantedUuid, description: 'UUID of the shift that is wanted instead; null for a handover.' },
  otherEventTitle: joinedTextOrNull('Title of the event of the wanted shift.'),
  otherPosition: joinedTextOrNull('Title of the position of the wanted shift.'),
  otherStartTime: { ...wantedTime, description: 'Start of the wanted shift as the clocks at its event show it.' },
  otherEndTime: { ...wantedTime, description: 'End of the wanted shift as the clocks at its event show it.' },
  fromUserId: { kind: 'integer' },
  fromFirstName: joinedText('First name of the person who asks.'),
  fromLastName: joinedText('Last name of the person who asks.'),
  toUserId: { kind: 'integer', isNullable: true },
  toFirstName: joinedTextOrNull('First name of who is asked, or took it; null while anybody can take it.'),
  toLastName: joinedTextOrNull('Last name of who is asked, or took it; null while anybody can take it.'),
  message: {
    kind: 'text',
    isNullable: true,
    description: 'Message to whoever is asked; null if there is none.',
    input: Type.Optional(
      nullable(
        visibleText(limits.remarkChars, { description: 'Message to whoever is asked.', examples: ['I have an exam.'] }),
      ),
    ),
  },
  reason: {
    kind: 'text',
    isNullable: true,
    description: 'Why it was refused, or is void; null if no reason was given.',
  },
  eventId: { kind: 'integer' },
  expiresAt: { kind: 'instant', description: 'When it ends by itself while it is open: the earlier start, UTC.' },
  createdAt: { kind: 'instant', description: 'Asked, UTC.' },
  modifiedAt: { kind: 'instant', description: 'Last modified, UTC.' },
  version: rowVersion,
});

export type SwapRow = RowOf<
  typeof swapFields,
  Differences<StoredRowOf<typeof swapFields>, Omit<ShiftSwap, 'businessId'>>
>;

/** The fields of a way to give a shift away: to a colleague, or for a shift of theirs. */
export const swapOptionFields = fieldList({
  id: { kind: 'integer' },
  firstName: joinedText('First name of the colleague.'),
  lastName: joinedText('Last name of the colleague.'),
  workShiftUuid: {
    ...wantedUuid,
    description: 'UUID of their shift that could be wanted instead; null for a handover.',
  },
  eventTitle: joinedTextOrNull('Title of the event of their shift.'),
  position: joinedTextOrNull('Title of the position of their shift.'),
  startTime: { ...wantedTime, description: 'Start of their shift as the clocks at its event show it.' },
  endTime: { ...wantedTime, description: 'End of their shift as the clocks at its event show it.' },
  timezone: joinedTextOrNull('IANA time zone of the event of their shift.'),
});

/** The id is that of the colleague. */
export type SwapOptionRow = RowOf<typeof swapOptionFields, never>;
