import Type from 'typebox';
import { payRateRule } from '../fields/work-shifts.ts';
import * as labourCost from '../services/labour-cost.ts';
import type { LabourCostRow } from '../services/labour-cost.ts';
import { decimalSchema, textSchema } from './formats.ts';
import { reportRoute } from './reports.ts';
import type { RestApp } from './route.ts';
import { viewOf } from './views.ts';

export const { schema: LabourCostView, serialize: serializeLabourCost } = viewOf<LabourCostRow>('LabourCost')({
  planned: decimalSchema('Cost of all active shifts that have a price, confirmed or not.'),
  confirmed: decimalSchema('The part of `planned` that belongs to confirmed shifts.'),
  open: decimalSchema('Additional cost of the open places of call times.'),
  actual: decimalSchema('Cost of what was worked, as far as it is known; for approved shifts, the approved pay.'),
  without_actual: Type.Integer({
    description: 'Active shifts of which is not known what was worked. `actual` has nothing of them.',
  }),
  planned_revenue: decimalSchema('What clients pay for all active shifts that have a bill rate and times.'),
  confirmed_revenue: decimalSchema('The part of `planned_revenue` that belongs to confirmed shifts.'),
  actual_revenue: decimalSchema(
    'What clients pay for what was worked, as far as it is known; for approved shifts, as it was at the approval.',
  ),
  planned_margin: decimalSchema('Revenue less cost by the plan, of the shifts of which both are known.'),
  confirmed_margin: decimalSchema('The part of `planned_margin` that belongs to confirmed shifts.'),
  actual_margin: decimalSchema('Revenue less cost of what was worked, of the shifts of which both are known.'),
  unbilled_shifts: Type.Integer({
    description:
      'Active shifts whose planned revenue is not known: without a bill rate, or with a time to be determined. No revenue and no margin has them.',
  }),
  without_actual_revenue: Type.Integer({
    description:
      'Active shifts whose actual revenue is not known. `actual_revenue` and `actual_margin` have nothing of them.',
  }),
  unpriced_shifts: Type.Integer({
    description: 'Active shifts paid by hour or day whose start or end is to be determined. No amount has them.',
  }),
  unpriced_open: Type.Integer({
    description: 'Open places of such call times. No amount has them.',
  }),
  currency: textSchema('Currency of the amounts (ISO 4217).'),
});

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
