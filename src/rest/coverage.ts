import Type from 'typebox';
import * as coverage from '../services/coverage.ts';
import type { CoverageRow } from '../services/coverage.ts';
import { oneOf } from '../validation/schemas.ts';
import { answer, envelope } from './envelopes.ts';
import { readReportQuery, reportCsv, reportErrorNames, reportOf, reportQuery, serializeGroup } from './reports.ts';
import { route, type RestApp } from './route.ts';
import { viewOf } from './views.ts';

export const { schema: CoverageView, serialize: serializeCoverage } = viewOf<CoverageRow>('Coverage')({
  needed: Type.Integer({ description: 'People that the call times need.' }),
  assigned: Type.Integer({ description: 'People assigned to the call times by active shifts, confirmed or not.' }),
  confirmed: Type.Integer({ description: 'Assigned people who confirmed.' }),
  open: Type.Integer({
    description: 'People still missing, counted for each call time: a surplus on one does not fill another.',
  }),
  fill_rate: Type.Union([Type.Number(), Type.Null()], {
    description: 'Filled share of the people needed, 0 to 1; null if nobody is needed.',
  }),
  state: oneOf(['NONE_NEEDED', 'EMPTY', 'PARTIAL', 'FILLED', 'OVERFILLED'], 'Summary of the coverage.'),
});

export function coverageRoutes(app: RestApp): void {
  route(app, {
    method: 'GET',
    url: '/v1/coverage',
    calls: coverage.report,
    tag: 'Reports',
    isExtension: true,
    summary: 'Sum up the staffing of the events that start in a span of time',
    query: reportQuery,
    errorNames: reportErrorNames,
    response: envelope(reportOf('coverage', CoverageView)),
    csv: reportCsv<typeof reportQuery, 'coverage', CoverageRow>(
      'coverage',
      CoverageView,
      (scope, query) => coverage.report(scope, readReportQuery(query)),
      (group) => serializeCoverage(group.coverage),
    ),
    handle: async (scope, { query }) => {
      const { total, groups } = await coverage.report(scope, readReportQuery(query));
      return answer({
        total: serializeCoverage(total),
        groups: groups.map((group) => ({ ...serializeGroup(group), coverage: serializeCoverage(group.coverage) })),
      });
    },
  });
}
