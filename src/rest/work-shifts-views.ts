import Type from 'typebox';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { oneOf } from '../validation/schemas.ts';
import { flagSchema, textSchema, utcStampSchema } from './formats.ts';
import { viewOf } from './views.ts';

const wallOrNull = (description: string) =>
  Type.Union([Type.String(), Type.Null()], {
    description: `${description}, \`Y-m-d H:i:s\` in the zone of the event; null when to be determined.`,
    examples: ['2026-12-31 18:30:00'],
  });

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
] as const satisfies (keyof WorkShiftRow)[];

type ShownShift = Pick<WorkShiftRow, (typeof shownShiftFields)[number]>;

const name = {
  uuid: textSchema('Shift UUID.'),
  position: textSchema('Position title.'),
  first_name: textSchema("Staff member's first name."),
  last_name: textSchema("Staff member's last name."),
};
const time = {
  start_time: wallOrNull('Start'),
  start_time_tbd: [
    flagSchema('Whether the start is to be determined.'),
    ({ startTime }: ShownShift) => startTime === null,
  ],
  end_time: wallOrNull('End'),
  end_time_tbd: [flagSchema('Whether the end is to be determined.'), ({ endTime }: ShownShift) => endTime === null],
  pay_rate: [
    Type.Union([Type.Number(), Type.Null()], {
      description: "USD, of the shift or else of its call time; null: the position's default rate applies.",
    }),
    ({ payRate }: ShownShift) => (payRate === null ? null : Number(payRate)),
  ],
  confirmed: [
    oneOf(['yes', 'no'], 'Whether the staff member confirmed.'),
    ({ confirmed }: ShownShift) => (confirmed ? 'yes' : 'no'),
  ],
} as const;
const stamps = { created_at: utcStampSchema('Created'), modified_at: utcStampSchema('Last modified') };

/** As embedded in events. */
export const { schema: ShiftView, serialize: serializeShift } = viewOf<ShownShift>('WorkShift')({
  ...name,
  ...time,
  status: [oneOf(['active'], 'Only active shifts are shown.'), () => 'active' as const],
  ...stamps,
});

/** Item of the shift list of one event: with the event's name, without a status. */
export const { schema: ShiftItem, serialize: serializeShiftItem } = viewOf<ShownShift & { readonly eventName: string }>(
  'WorkShiftListItem',
)({
  uuid: name.uuid,
  event_name: textSchema('Title of the event.'),
  position: name.position,
  first_name: name.first_name,
  last_name: name.last_name,
  ...time,
  ...stamps,
});
