import Type, { type Static } from 'typebox';
import type { CallTimeRow } from '../fields/call-times.ts';
import type { Selection } from '../db/fields.ts';
import { PayUnit } from '../generated/prisma/enums.ts';
import { oneOf } from '../validation/schemas.ts';
import { flagSchema, formatFlag, textSchema, wallTimeSchema } from './formats.ts';

const unitNames = { hour: 'Hour', day: 'Day', flat: 'Flat' } as const satisfies Record<PayUnit, string>;

export const CallTimeView = Type.Object(
  {
    uuid: textSchema('Call time UUID.'),
    position: textSchema('Position title.'),
    staff_needed_count: Type.Integer({ description: 'Number of staff needed.' }),
    start_time: wallTimeSchema('Start'),
    start_time_tbd: flagSchema('Whether the start is to be determined.'),
    end_time: wallTimeSchema('End'),
    end_time_tbd: flagSchema('Whether the end is to be determined.'),
    notes_for_staff: textSchema('Notes shown to staff.'),
    payrate_unit: oneOf(Object.values(unitNames), 'Unit of the pay rate.'),
    payrate: Type.Number({
      description: "Pay rate in USD; the position's default where the call time has none of its own.",
    }),
    dress_code: textSchema('Dress code for this call time.'),
  },
  { title: 'CallTime' },
);

/** The earlier shape, of the single-event response of the older variant. */
export const EarlierCallTimeView = Type.Object(
  {
    id: Type.Integer({ description: 'Call time id.' }),
    position_id: Type.Integer({ description: 'Position id.' }),
    skill_level_id: Type.Union([Type.Integer(), Type.Null()], { description: 'Skill level id; null for none.' }),
    count: Type.Integer({ description: 'Staff count.' }),
    start_time: wallTimeSchema('Start'),
    end_time: wallTimeSchema('End'),
    payrate: Type.String({ description: 'Pay rate in USD with two decimals.', examples: ['25.00'] }),
    payrate_unit: oneOf(Object.values(PayUnit), 'Unit of the pay rate, lower-case.'),
    dress_code: textSchema('Dress code.'),
  },
  { title: 'EarlierCallTime' },
);

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
] as const satisfies Selection<CallTimeRow>;

export const serializeCallTime = (
  callTime: Pick<CallTimeRow, (typeof shownCallTimeFields)[number]>,
): Static<typeof CallTimeView> => ({
  uuid: callTime.uuid,
  position: callTime.position,
  staff_needed_count: callTime.staffNeeded,
  start_time: callTime.startTime,
  start_time_tbd: formatFlag(callTime.startTimeTbd),
  end_time: callTime.endTime,
  end_time_tbd: formatFlag(callTime.endTimeTbd),
  notes_for_staff: callTime.notesForStaff ?? '',
  payrate_unit: unitNames[callTime.payUnit],
  payrate: Number(callTime.payRate),
  dress_code: callTime.dressCode ?? '',
});

export const serializeEarlierCallTime = (callTime: CallTimeRow): Static<typeof EarlierCallTimeView> => ({
  id: callTime.id,
  position_id: callTime.positionId,
  skill_level_id: callTime.skillLevelId,
  count: callTime.staffNeeded,
  start_time: callTime.startTime,
  end_time: callTime.endTime,
  payrate: callTime.payRate ?? '',
  payrate_unit: callTime.payUnit,
  dress_code: callTime.dressCode ?? '',
});
