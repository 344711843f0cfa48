import Type, { type Static } from 'typebox';
import type { Selection } from '../db/fields.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { formatUtcStamp } from '../time/instant-memo.ts';
import { oneOf } from '../validation/schemas.ts';
import { flagSchema, formatFlag, textSchema, utcStampSchema } from './formats.ts';

const wallOrNull = (description: string) =>
  Type.Union([Type.String(), Type.Null()], {
    description: `${description}, \`Y-m-d H:i:s\` in the zone of the event; null when to be determined.`,
    examples: ['2026-12-31 18:30:00'],
  });

const name = {
  uuid: textSchema('Shift UUID.'),
  position: textSchema('Position title.'),
  first_name: textSchema("Staff member's first name."),
  last_name: textSchema("Staff member's last name."),
};
const time = {
  start_time: wallOrNull('Start'),
  start_time_tbd: flagSchema('Whether the start is to be determined.'),
  end_time: wallOrNull('End'),
  end_time_tbd: flagSchema('Whether the end is to be determined.'),
  pay_rate: Type.Union([Type.Number(), Type.Null()], {
    description: "USD; null: the position's default rate applies.",
  }),
  confirmed: oneOf(['yes', 'no'], 'Whether the staff member confirmed.'),
};
const stamps = { created_at: utcStampSchema('Created'), modified_at: utcStampSchema('Last modified') };

/** As embedded in events. */
export const ShiftView = Type.Object(
  {
    ...name,
    ...time,
    status: oneOf(['active'], 'Only active shifts are shown.'),
    ...stamps,
  },
  { title: 'WorkShift' },
);

/** Item of the shift list of one event: with the event's name, without a status. */
export const ShiftItem = Type.Object(
  {
    uuid: name.uuid,
    event_name: textSchema('Title of the event.'),
    position: name.position,
    first_name: name.first_name,
    last_name: name.last_name,
    ...time,
    ...stamps,
  },
  { title: 'WorkShiftListItem' },
);

/** The fields that `serializeShift` shows, and the event. */
export const shownShiftFields = [
  'eventId',
  'uuid',
  'position',
  'firstName',
  'lastName',
  'startTime',
  'endTime',
  'payRate',
  'confirmed',
  'createdAt',
  'modifiedAt',
] as const satisfies Selection<WorkShiftRow>;

type ShownShift = Pick<WorkShiftRow, (typeof shownShiftFields)[number]>;

/* Both shapes are written out whole: src/guide/performance.md#no-properties-after-a-spread */

export const serializeShift = (shift: ShownShift): Static<typeof ShiftView> => ({
  uuid: shift.uuid,
  position: shift.position,
  first_name: shift.firstName,
  last_name: shift.lastName,
  start_time: shift.startTime,
  start_time_tbd: formatFlag(shift.startTime === null),
  end_time: shift.endTime,
  end_time_tbd: formatFlag(shift.endTime === null),
  pay_rate: serializeRate(shift.payRate),
  confirmed: shift.confirmed ? 'yes' : 'no',
  status: 'active',
  created_at: formatUtcStamp(shift.createdAt),
  modified_at: formatUtcStamp(shift.modifiedAt),
});

export const serializeShiftItem = (shift: ShownShift, eventName: string): Static<typeof ShiftItem> => ({
  uuid: shift.uuid,
  event_name: eventName,
  position: shift.position,
  first_name: shift.firstName,
  last_name: shift.lastName,
  start_time: shift.startTime,
  start_time_tbd: formatFlag(shift.startTime === null),
  end_time: shift.endTime,
  end_time_tbd: formatFlag(shift.endTime === null),
  pay_rate: serializeRate(shift.payRate),
  confirmed: shift.confirmed ? 'yes' : 'no',
  created_at: formatUtcStamp(shift.createdAt),
  modified_at: formatUtcStamp(shift.modifiedAt),
});

const serializeRate = (rate: string | null): number | null => (rate === null ? null : Number(rate));
