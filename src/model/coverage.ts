import { ObjectType } from 'type-graphql';
import { coverageFields } from '../fields/coverage.ts';
import { resultOf } from './fields.ts';
import { ReportGroup } from './reports.ts';
import { field, objectOn, objectWith } from './shapes.ts';

@ObjectType({
  description: 'Staffing of call times, in people. Only active shifts that belong to a call time count.',
})
export class Coverage extends resultOf(coverageFields) {}

@ObjectType({ description: 'Coverage of one day, event, position or client.' })
class CoverageGroup extends objectOn(ReportGroup, { coverage: field.of(Coverage)('Coverage of the group.') }) {}

@ObjectType({ description: 'Coverage of the events that start in a span of time.' })
export class CoverageReport extends objectWith({
  total: field.of(Coverage)('Coverage of all events together.'),
  groups: field.of([CoverageGroup])('Coverage by group: days by date, events by start, positions and clients by name.'),
}) {}
