import Type from 'typebox';
import type { CallScope } from '../access/scope.ts';
import { workShiftFields, type WorkShiftRow } from '../fields/work-shifts.ts';
import { EventStatus } from '../generated/prisma/enums.ts';
import type { WithReworked } from '../services/attendance-plan.ts';
import * as callTimes from '../services/call-times.ts';
import * as events from '../services/events.ts';
import { oneOf } from '../validation/schemas.ts';
import { reworkedProperty, serializeReworked } from './attendance-views.ts';
import { answer } from './envelopes.ts';
import { textSchema } from './formats.ts';
import { indexById, uniqueIds } from './rows-by-id.ts';
import { durationProperty, serializeDuration, shapeOf } from './shapes.ts';
import { OfVersion } from './versions.ts';
import { titled } from './views.ts';

const shape = shapeOf<WorkShiftRow>(workShiftFields, ['eventId', 'callTimeId']);

/** A whole work shift, in the routes beyond the contract. */
export const FullShift = titled('FullWorkShift', {
  ...shape.properties,
  event_uuid: textSchema('UUID of the event.'),
  event_name: textSchema('Title of the event.'),
  call_time_uuid: Type.Union([Type.String(), Type.Null()], {
    description: 'UUID of the call time that the shift fills; null for none.',
  }),
  ...durationProperty,
  event_status: oneOf(Object.values(EventStatus), 'Status of the event: nobody works at a canceled one.'),
});

/** A work shift as a change leaves it. */
export const ChangedShift = titled('ChangedWorkShift', { ...FullShift.properties, ...reworkedProperty });

/** Reads what belongs to many shifts, one statement a kind. The returned function serializes one of them. */
export async function serializeFullShifts(scope: CallScope, rows: readonly WorkShiftRow[]) {
  const [eventRows, callTimeRows] = await Promise.all([
    events.getByIds(scope, { eventIds: uniqueIds(rows, 'eventId') }),
    callTimes.getByIds(scope, { callTimeIds: uniqueIds(rows, 'callTimeId') }),
  ]);
  const eventOf = indexById(eventRows);
  const callTimeOf = indexById(callTimeRows);
  return (row: WorkShiftRow) => ({
    ...shape.serialize(row),
    event_uuid: eventOf.get(row.eventId)?.uuid ?? '',
    event_name: eventOf.get(row.eventId)?.title ?? '',
    call_time_uuid: row.callTimeId === null ? null : (callTimeOf.get(row.callTimeId)?.uuid ?? null),
    ...serializeDuration(row),
    event_status: eventOf.get(row.eventId)?.status ?? EventStatus.deleted,
  });
}

export async function oneShift(scope: CallScope, row: WithReworked<WorkShiftRow>, message?: string) {
  const serialize = await serializeFullShifts(scope, [row]);
  return new OfVersion(row, answer({ ...serialize(row), ...serializeReworked(row) }, message));
}
