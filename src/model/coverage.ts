import { ObjectType } from 'type-graphql';
import { CoverageState } from './enums.ts';
import { ReportGroup } from './reports.ts';
import { field, objectOn, objectWith } from './shapes.ts';

@ObjectType({
  description: 'Staffing of call times, in people. Only active shifts that belong to a call time count.',
})
export class Coverage extends objectWith({
  needed: field.int('People that the call times need.'),
  assigned: field.int('People assigned to the call times by active shifts, confirmed or not.'),
  confirmed: field.int('Assigned people who confirmed.'),
  present: field.int('Assigned people who have checked in.'),
  open: field.int(
    'Open places, counted for each call time separately: surplus people on one call time do not fill another.',
  ),
  fillRate: field.float.orNull('Filled share of the people needed, from 0 to 1; null if nobody is needed.'),
  state: field.of(CoverageState)('Summary of the coverage.'),
}) {}

@ObjectType({ description: 'Coverage of one day, event, position or client.' })
class CoverageGroup extends objectOn(ReportGroup, { coverage: field.of(Coverage)('Coverage of the group.') }) {}

@ObjectType({ description: 'Coverage of the events that start in a span of time.' })
export class CoverageReport extends objectWith({
  total: field.of(Coverage)('Coverage of all events together.'),
  groups: field.of([CoverageGroup])('Coverage by group: days by date, events by start, positions and clients by name.'),
}) {}
