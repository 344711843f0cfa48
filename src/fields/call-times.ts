import Type from 'typebox';
import { limits } from '../config/limits.ts';
import type { CallTime } from '../generated/prisma/client.ts';
import { CallTimeClaims, PayUnit } from '../generated/prisma/enums.ts';
import { int4, money, nullable, oneOf, rowNumber, wallTime } from '../validation/schemas.ts';
import { fieldList, optionalText, rowVersion, type Differences, type RowOf, type StoredRowOf } from './field-list.ts';

const startIsOpen = 'Whether the start is still to be determined.';
const claimsText =
  'Whether staff whose position it is can take an open place: not at all, with the approval of an admin, or at once.';
const endIsOpen = 'Whether the end is still to be determined.';

/** The fields of a call time, in the order in which GraphQL shows them. */
export const callTimeFields = fieldList({
  id: { kind: 'integer', isGenerated: true },
  uuid: { kind: 'uuid', isGenerated: true, description: 'UUID, as in REST.' },
  eventId: { kind: 'integer' },
  positionId: {
    kind: 'integer',
    refersTo: 'Position',
    input: rowNumber('Id of the position.'),
  },
  /** Title of the position. */
  position: { kind: 'text', isJoined: true },
  skillLevelId: {
    kind: 'integer',
    isNullable: true,
    refersTo: 'SkillLevel',
    input: Type.Optional(nullable(rowNumber('Id of a skill level; null for none.'))),
  },
  staffNeeded: {
    kind: 'integer',
    description: 'Number of staff needed.',
    input: int4(1, limits.staffNeededMax, `Number of staff needed, 1 to ${limits.staffNeededMax}.`),
  },
  startTime: {
    kind: 'wallTime',
    stored: 'startLocal',
    description: 'Start as the clocks at the event show it: `YYYY-MM-DD HH:MM:SS`.',
    input: wallTime(
      'Start, `YYYY-MM-DD HH:MM:SS`, wall-clock time in the time zone of the event; tentative while to be determined.',
    ),
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
    description: 'End as the clocks at the event show it: `YYYY-MM-DD HH:MM:SS`.',
    input: wallTime('End, `YYYY-MM-DD HH:MM:SS`, after the start; tentative while to be determined.'),
  },
  endsAt: { kind: 'instant', description: 'End as an instant, UTC.' },
  endTimeTbd: {
    kind: 'flag',
    stored: 'endTbd',
    initially: false,
    description: endIsOpen,
    input: Type.Optional(Type.Boolean({ description: endIsOpen })),
  },
  notesForStaff: { ...optionalText(limits.longTextChars, 'Notes shown to staff.'), hiddenFrom: ['client'] },
  /** The call time's own rate, else the one that its position had at the start. */
  payRate: {
    kind: 'money',
    isNullable: true,
    hiddenFrom: ['staff', 'client'],
    description:
      "Pay rate in USD; where the call time has none of its own, the position's default at its start. Null unless the caller is an admin.",
    input: Type.Optional(nullable(money("Pay rate in USD per pay unit; null: the position's default rate applies."))),
  },
  payUnit: {
    kind: 'payUnit',
    description: 'Unit of the pay rate.',
    input: Type.Optional(
      oneOf(
        Object.values(PayUnit),
        'Unit of the pay rate; the default is that of the position. Another unit makes the rate that holds the own one of the call time.',
      ),
    ),
  },
  billRate: {
    kind: 'money',
    isNullable: true,
    hiddenFrom: ['staff', 'client'],
    description:
      'What the client pays in USD per `billUnit`; null where the bill rate of the position holds, and unless the caller is an admin.',
    input: Type.Optional(
      nullable(money('What the client pays in USD per bill unit; null: the bill rate of the position applies.')),
    ),
  },
  billUnit: {
    kind: 'payUnit',
    initially: 'hour',
    description: 'Unit of the bill rate, if there is one.',
    input: Type.Optional(oneOf(Object.values(PayUnit), 'Unit of the bill rate; hour if not sent.')),
  },
  dressCode: optionalText(limits.longTextChars, 'Dress code for this call time.'),
  claims: {
    kind: 'claims',
    initially: 'none',
    description: claimsText,
    input: Type.Optional(oneOf(Object.values(CallTimeClaims), claimsText)),
  },
  overrideReason: {
    kind: 'text',
    isNullable: true,
    hiddenFrom: ['staff', 'client'],
    description: 'Reason of the override if the call time does not touch its event; null if it does.',
  },
  /** Time zone of the event. */
  timezone: { kind: 'text', isJoined: true },
  createdAt: { kind: 'instant', description: 'Created, UTC.' },
  modifiedAt: { kind: 'instant', description: 'Last modified, UTC.' },
  version: rowVersion,
});

/** A call time as it is read, with the title of its position and the zone of its event. */
export type CallTimeRow = RowOf<
  typeof callTimeFields,
  Differences<StoredRowOf<typeof callTimeFields>, Omit<CallTime, 'businessId' | 'requirementsVersion'>>
>;
