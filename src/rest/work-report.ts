import Type from 'typebox';
import * as workReport from '../services/work-report.ts';
import type { WorkRow } from '../services/work-report.ts';
import { decimalSchema, textSchema } from './formats.ts';
import { reportRoute } from './reports.ts';
import type { RestApp } from './route.ts';
import { viewOf } from './views.ts';

const orNull = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

const workView = viewOf<WorkRow>('Work')({
  shifts: Type.Integer({ description: 'Active shifts, with or without a call time.' }),
  confirmed_shifts: Type.Integer({ description: 'Active shifts that are confirmed.' }),
  people: Type.Integer({ description: 'People with an active shift, each counted once.' }),
  planned_hours: Type.Number({ description: 'Elapsed hours of the active shifts whose start and end are known.' }),
  confirmed_hours: Type.Number({ description: 'The part of `planned_hours` that belongs to confirmed shifts.' }),
  untimed_shifts: Type.Integer({
    description: 'Active shifts whose start or end is to be determined. No hours have them.',
  }),
  planned_cost: decimalSchema('Cost of the active shifts that have a price.'),
  confirmed_cost: decimalSchema('The part of `planned_cost` that belongs to confirmed shifts.'),
  unpriced_shifts: Type.Integer({
    description: 'Active shifts paid by hour or day whose start or end is to be determined. No cost has them.',
  }),
  canceled_shifts: Type.Integer({ description: 'Canceled shifts, declined or not.' }),
  canceled_late_shifts: Type.Integer({
    description:
      'Canceled shifts that were canceled at most `canceled_within_hours` before their start, or later until their end.',
  }),
  needed: orNull('People that the call times need; null by staff.'),
  open: orNull('Open places, counted for each call time separately; null by staff.'),
  fill_rate: Type.Union([Type.Number(), Type.Null()], {
    description: 'Filled share of the people needed, 0 to 1; null if nobody is needed, and by staff.',
  }),
  currency: textSchema('Currency of the costs (ISO 4217).'),
});

export function workReportRoutes(app: RestApp): void {
  reportRoute(app, {
    name: 'work',
    calls: workReport.report,
    summary: 'Sum up who works at the events that start in a span of time',
    description:
      'Shifts, people, hours, cost, cancellations and fill rate. A person in several groups counts once in the total.',
    ...workView,
  });
}
