import Type from 'typebox';
import { codesOf, coverageStates } from '../fields/codes.ts';
import * as coverage from '../services/coverage.ts';
import type { CoverageRow } from '../services/coverage.ts';
import { oneOf } from '../validation/schemas.ts';
import { reportRoute } from './reports.ts';
import type { RestApp } from './route.ts';
import { viewOf } from './views.ts';

export const { schema: CoverageView, serialize: serializeCoverage } = viewOf<CoverageRow>('Coverage')({
  needed: Type.Integer({ description: 'People that the call times need.' }),
  assigned: Type.Integer({ description: 'People assigned to the call times by active shifts, confirmed or not.' }),
  confirmed: Type.Integer({ description: 'Assigned people who confirmed.' }),
  present: Type.Integer({ description: 'Assigned people who have checked in.' }),
  open: Type.Integer({
    description: 'Open places, counted for each call time: a surplus on one does not fill another.',
  }),
  fill_rate: Type.Union([Type.Number(), Type.Null()], {
    description: 'Filled share of the people needed, 0 to 1; null if nobody is needed.',
  }),
  state: oneOf(codesOf(coverageStates), 'Summary of the coverage.'),
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
