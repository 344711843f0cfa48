import * as coverage from '../services/coverage.ts';
import { CoverageView, serializeCoverage } from './coverage-views.ts';
import { answer, envelope } from './envelopes.ts';
import { readReportQuery, reportErrorNames, reportOf, reportQuery } from './reports.ts';
import { route, type RestApp } from './route.ts';

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
    handle: async (scope, { query }) => {
      const { total, groups } = await coverage.report(scope, readReportQuery(query));
      return answer({
        total: serializeCoverage(total),
        groups: groups.map(({ key, label, coverage: value }) => ({ key, label, coverage: serializeCoverage(value) })),
      });
    },
  });
}
