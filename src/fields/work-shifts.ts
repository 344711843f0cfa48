import type { WorkShift } from '../generated/prisma/client.ts';
import { fieldList, rowVersion, type Differences, type RowOf, type StoredRowOf } from './field-list.ts';

/** The rule by which labour cost, pay and payroll find a rate. */
export const payRateRule =
  'A shift is paid by its own rate, or else by that of its call time, or else by the default rate of its position at its start.';

/**
 * The fields of a work shift, in the order in which GraphQL shows them. The inputs that assign and change shifts do not
 * follow from this list: services/work-shifts-input.ts.
 */
export const workShiftFields = fieldList({
  id: { kind: 'integer', isGenerated: true },
  uuid: { kind: 'uuid', isGenerated: true, description: 'UUID, as in REST.' },
  eventId: { kind: 'integer' },
  callTimeId: { kind: 'integer', isNullable: true },
  positionId: { kind: 'integer' },
  /** Title of the position. */
  position: { kind: 'text', isJoined: true },
  userId: { kind: 'integer' },
  firstName: { kind: 'text', isJoined: true, description: "Staff member's first name." },
  lastName: { kind: 'text', isJoined: true, description: "Staff member's last name." },
  /** Time zone of the event. */
  timezone: { kind: 'text', isJoined: true },
  status: { kind: 'shiftStatus', initially: 'active', description: 'Status of the assignment.' },
  confirmed: { kind: 'flag', initially: false, description: 'Whether the staff member confirmed.' },
  confirmedAt: {
    kind: 'instant',
    isNullable: true,
    description:
      'When the shift was confirmed, UTC; null while it is not. It is also null where that was not recorded.',
  },
  declinedAt: {
    kind: 'instant',
    isNullable: true,
    description:
      'When the staff member declined the shift, which made it canceled, UTC; null if they did not. It is null again once the shift is active.',
  },
  dropRequestedAt: {
    kind: 'instant',
    isNullable: true,
    hiddenFrom: ['client'],
    description: 'When the staff member asked to drop the shift, UTC; null if they did not, or it is decided.',
  },
  canceledAt: {
    kind: 'instant',
    isNullable: true,
    description:
      'When the shift became canceled, declined or not, UTC; null while it is active. It is also null where that was not recorded.',
  },
  startTime: {
    kind: 'wallTime',
    stored: 'startLocal',
    isNullable: true,
    description: 'Start as the clocks at the event show it: `YYYY-MM-DD HH:MM:SS`; null: to be determined.',
  },
  startsAt: { kind: 'instant', isNullable: true, description: 'Start as an instant, UTC; null: to be determined.' },
  endTime: {
    kind: 'wallTime',
    stored: 'endLocal',
    isNullable: true,
    description: 'End as the clocks at the event show it: `YYYY-MM-DD HH:MM:SS`; null: to be determined.',
  },
  endsAt: { kind: 'instant', isNullable: true, description: 'End as an instant, UTC; null: to be determined.' },
  payRate: {
    kind: 'money',
    isNullable: true,
    hiddenFrom: ['client'],
    description:
      "Pay rate in USD, of the shift itself or else of its call time; null: the position's default rate applies.",
  },
  /** Unit of the rate that holds, wherever that comes from. The column has that of an own rate. */
  payUnit: {
    kind: 'payUnit',
    isNullable: true,
    hiddenFrom: ['client'],
    description: 'Unit of the pay rate or, where that is null, of the default rate of the position.',
  },
  overrideReason: {
    kind: 'text',
    isNullable: true,
    hiddenFrom: ['staff', 'client'],
    description: 'Reason of the override if the assignment breaks a rule; null if it does not.',
  },
  cancelReason: {
    kind: 'text',
    isNullable: true,
    hiddenFrom: ['staff', 'client'],
    description: 'Why the shift was canceled; null if no reason was given. It is null again once the shift is active.',
  },
  moveReason: {
    kind: 'text',
    isNullable: true,
    hiddenFrom: ['staff', 'client'],
    description:
      'Why the person was last moved to this place or exchanged, or moved away if the shift is deleted; null without a reason.',
  },
  createdAt: { kind: 'instant', description: 'Created, UTC.' },
  modifiedAt: { kind: 'instant', description: 'Last modified, UTC.' },
  version: rowVersion,
});

/** A work shift as it is read, with the names that the contract shows and the zone of its event. */
export type WorkShiftRow = RowOf<
  typeof workShiftFields,
  Differences<StoredRowOf<typeof workShiftFields>, Omit<WorkShift, 'businessId'>>
>;
