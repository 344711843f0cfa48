import { coverageFields } from '../fields/coverage.ts';
import * as coverage from '../services/coverage.ts';
import { reportRoute } from './reports.ts';
import type { RestApp } from './route.ts';
import { viewOfList } from './shapes.ts';

export const { schema: CoverageView, serialize: serializeCoverage } = viewOfList('Coverage', coverageFields, {
  nulls: 'anyOf',
});

export function coverageRoutes(app: RestApp): void {
  reportRoute(app, {
    name: 'coverage',
    calls: coverage.report,
    summary: 'Sum up the staffing of the events that start in a span of time',
    schema: CoverageView,
    serialize: serializeCoverage,
  });
}
