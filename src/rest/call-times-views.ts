import Type from 'typebox';
import type { CallTimeRow } from '../fields/call-times.ts';
import { PayUnit } from '../generated/prisma/enums.ts';
import { oneOf } from '../validation/schemas.ts';
import { flagSchema, textSchema, wallTimeSchema } from './formats.ts';
import { viewOf } from './views.ts';

const unitNames = { hour: 'Hour', day: 'Day', flat: 'Flat' } as const satisfies Record<PayUnit, string>;

/** The fields that `serializeCallTime` shows, and the event. */
export const shownCallTimeFields = [
  'eventId',
  'uuid',
  'position',
  'staffNeeded',
  'startTime',
  'startTimeTbd',
  'endTime',
  'endTimeTbd',
  'notesForStaff',
  'payUnit',
  'payRate',
  'dressCode',
] as const satisfies (keyof CallTimeRow)[];

export const { schema: CallTimeView, serialize: serializeCallTime } = viewOf<
  Pick<CallTimeRow, (typeof shownCallTimeFields)[number]>
>('CallTime')({
  uuid: textSchema('Call time UUID.'),
  position: textSchema('Position title.'),
  staff_needed_count: [Type.Integer({ description: 'Number of staff needed.' }), (row) => row.staffNeeded],
  start_time: wallTimeSchema('Start'),
  start_time_tbd: flagSchema('Whether the start is to be determined.'),
  end_time: wallTimeSchema('End'),
  end_time_tbd: flagSchema('Whether the end is to be determined.'),
  notes_for_staff: textSchema('Notes shown to staff.'),
  payrate_unit: [oneOf(Object.values(unitNames), 'Unit of the pay rate.'), (row) => unitNames[row.payUnit]],
  payrate: [
    Type.Number({
      description: "Pay rate in USD; the position's default where the call time has none of its own.",
    }),
    (row) => Number(row.payRate),
  ],
  dress_code: textSchema('Dress code for this call time.'),
});

/** The earlier shape, of the single-event response of the older variant. */
export const { schema: EarlierCallTimeView, serialize: serializeEarlierCallTime } = viewOf<CallTimeRow>(
  'EarlierCallTime',
)({
  id: Type.Integer({ description: 'Call time id.' }),
  position_id: Type.Integer({ description: 'Position id.' }),
  skill_level_id: Type.Union([Type.Integer(), Type.Null()], { description: 'Skill level id; null for none.' }),
  count: [Type.Integer({ description: 'Staff count.' }), (row) => row.staffNeeded],
  start_time: wallTimeSchema('Start'),
  end_time: wallTimeSchema('End'),
  payrate: [
    Type.String({ description: 'Pay rate in USD with two decimals.', examples: ['25.00'] }),
    (row) => row.payRate,
  ],
  payrate_unit: [oneOf(Object.values(PayUnit), 'Unit of the pay rate, lower-case.'), (row) => row.payUnit],
  dress_code: textSchema('Dress code.'),
});
