import { ObjectType } from 'type-graphql';
import { labourCostFields } from '../fields/labour-cost.ts';
import { payRateRule } from '../fields/work-shifts.ts';
import { resultOf } from './fields.ts';
import { ReportGroup } from './reports.ts';
import { field, objectOn, objectWith } from './shapes.ts';

@ObjectType({
  description: `What work costs. ${payRateRule} The unit of the rate counts each elapsed hour, to the second, clock changes included; each 24 hours begun; or flat. It is rounded to cents, half a cent up, before anything is added.`,
})
export class LabourCost extends resultOf(labourCostFields) {}

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
