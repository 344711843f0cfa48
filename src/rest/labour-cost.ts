import * as labourCost from '../services/labour-cost.ts';
import { answer, envelope } from './envelopes.ts';
import { LabourCostView, serializeLabourCost } from './labour-cost-views.ts';
import { readReportQuery, reportErrorNames, reportOf, reportQuery } from './reports.ts';
import { route, type RestApp } from './route.ts';

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
    handle: async (scope, { query }) => {
      const { total, groups } = await labourCost.report(scope, readReportQuery(query));
      return answer({
        total: serializeLabourCost(total),
        groups: groups.map(({ key, label, labourCost: value }) => ({
          key,
          label,
          labour_cost: serializeLabourCost(value),
        })),
      });
    },
  });
}
