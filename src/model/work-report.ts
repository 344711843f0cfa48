import { ObjectType } from 'type-graphql';
import { workFields } from '../fields/work-report.ts';
import { resultOf } from './fields.ts';
import { ReportGroup } from './reports.ts';
import { field, objectOn, objectWith } from './shapes.ts';

@ObjectType({ description: 'What people work, what it costs, and whether it is enough.' })
class Work extends resultOf(workFields) {}

@ObjectType({ description: 'Work of one group, such as a person, a week or a venue.' })
class WorkGroup extends objectOn(ReportGroup, { work: field.of(Work)('Work of the group.') }) {}

@ObjectType({ description: 'Work at the events that start in a span of time.' })
export class WorkReport extends objectWith({
  total: field.of(Work)('Work at all events together. A person in several groups counts once.'),
  groups: field.of([WorkGroup])('Work by group: days, weeks and months by date, events by start, the others by name.'),
}) {}
