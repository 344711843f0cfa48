import { labourCostFields } from '../fields/labour-cost.ts';
import { payRateRule } from '../fields/work-shifts.ts';
import * as labourCost from '../services/labour-cost.ts';
import { reportRoute } from './reports.ts';
import type { RestApp } from './route.ts';
import { viewOfList } from './shapes.ts';

export const { schema: LabourCostView, serialize: serializeLabourCost } = viewOfList('LabourCost', labourCostFields);

export function labourCostRoutes(app: RestApp): void {
  reportRoute(app, {
    name: 'labourCost',
    calls: labourCost.report,
    summary: 'Sum up the labour cost of the events that start in a span of time',
    description: `${payRateRule} Clients pay the bill rate of its call time or else of its position. A group without shifts and without open places is left out.`,
    schema: LabourCostView,
    serialize: serializeLabourCost,
  });
}
