import Type from 'typebox';
import * as labourCost from '../services/labour-cost.ts';
import type { LabourCostRow } from '../services/labour-cost.ts';
import { answer, envelope } from './envelopes.ts';
import { decimalSchema, textSchema } from './formats.ts';
import { readReportQuery, reportCsv, reportErrorNames, reportOf, reportQuery, serializeGroup } from './reports.ts';
import { route, type RestApp } from './route.ts';
import { viewOf } from './views.ts';

export const { schema: LabourCostView, serialize: serializeLabourCost } = viewOf<LabourCostRow>('LabourCost')({
  planned: decimalSchema('Cost of all active shifts that have a price, confirmed or not.'),
  confirmed: decimalSchema('The part of `planned` that belongs to confirmed shifts.'),
  open: decimalSchema('Additional cost of the people still missing on call times.'),
  unpriced_shifts: Type.Integer({
    description: 'Active shifts paid by hour or day whose start or end is to be determined. No amount has them.',
  }),
  unpriced_open: Type.Integer({
    description: 'People still missing on such call times. No amount has them.',
  }),
  currency: textSchema('Currency of the amounts (ISO 4217).'),
});

export function labourCostRoutes(app: RestApp): void {
  route(app, {
    method: 'GET',
    url: '/v1/labour_cost',
    calls: labourCost.report,
    tag: 'Reports',
    isExtension: true,
    summary: 'Sum up the labour cost of the events that start in a span of time',
    description:
      'A shift is paid by its own rate or else by the default rate of its position. A group without shifts and without missing people is left out.',
    query: reportQuery,
    errorNames: reportErrorNames,
    response: envelope(reportOf('labour_cost', LabourCostView)),
    csv: reportCsv<typeof reportQuery, 'labourCost', LabourCostRow>(
      'labour-cost',
      LabourCostView,
      (scope, query) => labourCost.report(scope, readReportQuery(query)),
      (group) => serializeLabourCost(group.labourCost),
    ),
    handle: async (scope, { query }) => {
      const { total, groups } = await labourCost.report(scope, readReportQuery(query));
      return answer({
        total: serializeLabourCost(total),
        groups: groups.map((group) => ({
          ...serializeGroup(group),
          labour_cost: serializeLabourCost(group.labourCost),
        })),
      });
    },
  });
}
