import Type from 'typebox';
import { groupBy } from '../paging/group-by.ts';
import { nullIfForbidden } from '../services/parts.ts';
import type { CallScope } from '../access/scope.ts';
import { callTimeFields, type CallTimeRow } from '../fields/call-times.ts';
import * as coverage from '../services/coverage.ts';
import * as events from '../services/events.ts';
import * as labourCost from '../services/labour-cost.ts';
import { getByCallTimes } from '../services/requirements.ts';
import { reworkedProperty } from './attendance-views.ts';
import { CoverageView, serializeCoverage } from './coverage.ts';
import { textSchema } from './formats.ts';
import { LabourCostView, serializeLabourCost } from './labour-cost.ts';
import { requirementsView, serializeRequirement } from './requirements.ts';
import { indexById, uniqueIds } from './rows-by-id.ts';
import { durationProperty, serializeDuration, shapeOf } from './shapes.ts';
import { titled } from './views.ts';

const shape = shapeOf<CallTimeRow>(callTimeFields, ['eventId']);

/** A whole call time, in the routes beyond the contract. */
export const FullCallTime = titled('FullCallTime', {
  ...shape.properties,
  event_uuid: textSchema('UUID of the event.'),
  ...durationProperty,
  requirements: requirementsView('the call time, beside its position,'),
  coverage: Type.Union([CoverageView, Type.Null()], { description: 'Staffing of the call time. Null for staff.' }),
  labour_cost: Type.Union([LabourCostView, Type.Null()], {
    description: 'Labour cost of the shifts on the call time. Null unless the caller is an admin.',
  }),
});

/** A call time as a change leaves it. */
export const ChangedCallTime = titled('ChangedCallTime', { ...FullCallTime.properties, ...reworkedProperty });

/** Reads what belongs to many call times, one statement a kind. The returned function serializes one of them. */
export async function serializeFullCallTimes(scope: CallScope, rows: readonly CallTimeRow[]) {
  const callTimeIds = rows.map(({ id }) => id);
  const [eventRows, required, coverages, costs] = await Promise.all([
    events.getByIds(scope, { eventIds: uniqueIds(rows, 'eventId') }),
    getByCallTimes(scope, { callTimeIds }),
    nullIfForbidden(coverage.getByCallTimes(scope, { callTimeIds })),
    nullIfForbidden(labourCost.getByCallTimes(scope, { callTimeIds })),
  ]);
  const eventOf = indexById(eventRows);
  const requirementsOf = groupBy('callTimeId', required);
  const coverageOf = indexById(coverages ?? []);
  const costOf = indexById(costs ?? []);
  return (row: CallTimeRow) => {
    const [staffing, cost] = [coverageOf.get(row.id), costOf.get(row.id)];
    return {
      ...shape.serialize(row),
      event_uuid: eventOf.get(row.eventId)?.uuid ?? '',
      ...serializeDuration(row),
      requirements: requirementsOf(row.id).map(serializeRequirement),
      coverage: staffing ? serializeCoverage(staffing) : null,
      labour_cost: cost ? serializeLabourCost(cost) : null,
    };
  };
}
