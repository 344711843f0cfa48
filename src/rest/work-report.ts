import { workFields } from '../fields/work-report.ts';
import * as workReport from '../services/work-report.ts';
import { reportRoute } from './reports.ts';
import type { RestApp } from './route.ts';
import { viewOfList } from './shapes.ts';

export function workReportRoutes(app: RestApp): void {
  reportRoute(app, {
    name: 'work',
    calls: workReport.report,
    summary: 'Sum up who works at the events that start in a span of time',
    description:
      'Shifts, people, hours, cost, cancellations and fill rate. A person in several groups counts once in the total.',
    ...viewOfList('Work', workFields, { nulls: 'anyOf' }),
  });
}
