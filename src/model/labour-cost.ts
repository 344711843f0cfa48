import { GraphQLCurrency } from 'graphql-scalars';
import { ObjectType } from 'type-graphql';
import { payRateRule } from '../fields/work-shifts.ts';
import { ReportGroup } from './reports.ts';
import { field, objectOn, objectWith } from './shapes.ts';

@ObjectType({
  description: `What work costs. ${payRateRule} The unit of the rate counts each elapsed hour, to the second, clock changes included; each 24 hours begun; or flat. It is rounded to cents, half a cent up, before anything is added.`,
})
export class LabourCost extends objectWith({
  planned: field.decimal('Cost of all active shifts that have a price, confirmed or not.'),
  confirmed: field.decimal('The part of `planned` that belongs to confirmed shifts.'),
  open: field.decimal(
    'Additional cost of the open places of call times, by rate, pay unit and times of the call time.',
  ),
  actual: field.decimal(
    'Cost of what was worked, as far as it is known; for approved shifts, the approved pay. Days and flat pay are those of the plan, and a no-show costs 0.',
  ),
  withoutActual: field.int(
    'Active shifts of which is not known what was worked, such as those to come. `actual` has nothing of them.',
  ),
  plannedRevenue: field.decimal(
    'What clients pay for all active shifts that have a bill rate and times: that of the call time or, without one, of the position at the start.',
  ),
  confirmedRevenue: field.decimal('The part of `plannedRevenue` that belongs to confirmed shifts.'),
  actualRevenue: field.decimal(
    'What clients pay for what was worked, as far as it is known; for approved shifts, as it was at the approval. Days and flat rates are those of the plan, and a no-show brings 0.',
  ),
  plannedMargin: field.decimal('Revenue less cost by the plan, of the shifts of which both are known.'),
  confirmedMargin: field.decimal('The part of `plannedMargin` that belongs to confirmed shifts.'),
  actualMargin: field.decimal('Revenue less cost of what was worked, of the shifts of which both are known.'),
  unbilledShifts: field.int(
    'Active shifts whose planned revenue is not known: without a bill rate, or with a time to be determined. No revenue and no margin has them.',
  ),
  withoutActualRevenue: field.int(
    'Active shifts whose actual revenue is not known. `actualRevenue` and `actualMargin` have nothing of them.',
  ),
  unpricedShifts: field.int(
    'Active shifts paid by hour or day whose start or end is to be determined. They are not included in any amount here.',
  ),
  unpricedOpen: field.int('Open places of call times paid by hour or day whose start or end is to be determined.'),
  currency: field.of(GraphQLCurrency)('Currency of the amounts (ISO 4217).'),
}) {}

@ObjectType({ description: 'Labour cost of one group of the report.' })
class LabourCostGroup extends objectOn(ReportGroup, {
  labourCost: field.of(LabourCost)('Labour cost of the group.'),
}) {}

@ObjectType({ description: 'Labour cost of the events that start in a span of time.' })
export class LabourCostReport extends objectWith({
  total: field.of(LabourCost)('Labour cost of all events together.'),
  groups: field.of([LabourCostGroup])(
    'Labour cost by group: days by date, events by start, positions and clients by name. A group without shifts and without open places is left out.',
  ),
}) {}
