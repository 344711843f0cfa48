import Type, { type TSchema } from 'typebox';
import type { CallScope } from '../access/scope.ts';
import { eventFields, type EventRow } from '../fields/events.ts';
import { groupBy } from '../paging/group-by.ts';
import * as callTimes from '../services/call-times.ts';
import * as coverage from '../services/coverage.ts';
import * as customFieldValues from '../services/custom-field-values.ts';
import * as labourCost from '../services/labour-cost.ts';
import { nullIfForbidden } from '../services/parts.ts';
import * as workShifts from '../services/work-shifts.ts';
import { FullCallTime, serializeFullCallTimes } from './call-times-full.ts';
import { CoverageView, serializeCoverage } from './coverage.ts';
import { CustomFieldView, serializeCustomField } from './custom-field-values-views.ts';
import { answer } from './envelopes.ts';
import { LabourCostView, serializeLabourCost } from './labour-cost.ts';
import { indexById } from './rows-by-id.ts';
import { durationProperty, serializeDuration, shapeOf } from './shapes.ts';
import { OfVersion } from './versions.ts';
import { FullShift, serializeFullShifts } from './work-shifts-full.ts';
import { titled } from './views.ts';

const shape = shapeOf<EventRow>(eventFields);

const orNull = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** A whole event: the same in lists and in single reads, with `?fields=full` and in the routes beyond the contract. */
export const FullEvent = titled('FullEvent', {
  ...shape.properties,
  ...durationProperty,
  coverage: orNull(CoverageView, 'Staffing of the call times of the event. Null for staff.'),
  labour_cost: orNull(LabourCostView, 'Labour cost of all shifts of the event. Null unless the caller is an admin.'),
  call_times: Type.Array(FullCallTime, { description: 'By start.' }),
  work_shifts: Type.Array(FullShift, { description: 'The active shifts, by start. Staff see only their own.' }),
  custom_fields: orNull(Type.Array(CustomFieldView), 'In the order of the form. Null unless the caller is an admin.'),
});

/** Reads what belongs to many events, one statement a kind. The returned function serializes one of them. */
export async function serializeFullEvents(scope: CallScope, rows: readonly EventRow[]) {
  const eventIds = rows.map(({ id }) => id);
  const [callTimeRows, shiftRows, values, coverages, costs] = await Promise.all([
    callTimes.getByEvents(scope, { eventIds }),
    workShifts.getByEvents(scope, { eventIds }),
    nullIfForbidden(customFieldValues.getByEvents(scope, { eventIds })),
    nullIfForbidden(coverage.getByEvents(scope, { eventIds })),
    nullIfForbidden(labourCost.getByEvents(scope, { eventIds })),
  ]);
  const [serializeCallTime, serializeShift] = await Promise.all([
    serializeFullCallTimes(scope, callTimeRows),
    serializeFullShifts(scope, shiftRows),
  ]);
  const callTimesOf = groupBy('eventId', callTimeRows);
  const shiftsOf = groupBy('eventId', shiftRows);
  const valuesOf = values && groupBy('eventId', values);
  const coverageOf = indexById(coverages ?? []);
  const costOf = indexById(costs ?? []);
  return (row: EventRow) => {
    const [staffing, cost] = [coverageOf.get(row.id), costOf.get(row.id)];
    return {
      ...shape.serialize(row),
      ...serializeDuration(row),
      coverage: staffing ? serializeCoverage(staffing) : null,
      labour_cost: cost ? serializeLabourCost(cost) : null,
      call_times: callTimesOf(row.id).map(serializeCallTime),
      work_shifts: shiftsOf(row.id).map(serializeShift),
      custom_fields: valuesOf ? valuesOf(row.id).map(serializeCustomField) : null,
    };
  };
}

/** The answer about one whole event. */
export async function oneFullEvent(scope: CallScope, event: EventRow, message?: string) {
  const serialize = await serializeFullEvents(scope, [event]);
  return new OfVersion(event, answer(serialize(event), message));
}
