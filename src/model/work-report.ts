import { GraphQLCurrency } from 'graphql-scalars';
import { ObjectType } from 'type-graphql';
import { ReportGroup } from './reports.ts';
import { field, objectOn, objectWith } from './shapes.ts';

@ObjectType({ description: 'What people work, what it costs, and whether it is enough.' })
class Work extends objectWith({
  shifts: field.int('Active shifts, with or without a call time.'),
  confirmedShifts: field.int('Active shifts that are confirmed.'),
  people: field.int('People with an active shift, each counted once.'),
  plannedHours: field.float('Elapsed hours of the active shifts whose start and end are known.'),
  confirmedHours: field.float('The part of `plannedHours` that belongs to confirmed shifts.'),
  untimedShifts: field.int('Active shifts whose start or end is to be determined. No hours have them.'),
  plannedCost: field.decimal('Cost of the active shifts that have a price.'),
  confirmedCost: field.decimal('The part of `plannedCost` that belongs to confirmed shifts.'),
  unpricedShifts: field.int(
    'Active shifts paid by hour or day whose start or end is to be determined. They are not included in any cost.',
  ),
  canceledShifts: field.int('Canceled shifts, declined or not.'),
  canceledLateShifts: field.int(
    'Canceled shifts that were canceled at most `canceledWithinHours` before their start, or later until their end.',
  ),
  needed: field.int.orNull('People that the call times need; null by STAFF.'),
  open: field.int.orNull('Open places, counted for each call time separately; null by STAFF.'),
  fillRate: field.float.orNull(
    'Filled share of the people needed, from 0 to 1; null if nobody is needed, and by STAFF.',
  ),
  currency: field.of(GraphQLCurrency)('Currency of the costs (ISO 4217).'),
}) {}

@ObjectType({ description: 'Work of one group, such as a person, a week or a venue.' })
class WorkGroup extends objectOn(ReportGroup, { work: field.of(Work)('Work of the group.') }) {}

@ObjectType({ description: 'Work at the events that start in a span of time.' })
export class WorkReport extends objectWith({
  total: field.of(Work)('Work at all events together. A person in several groups counts once.'),
  groups: field.of([WorkGroup])('Work by group: days, weeks and months by date, events by start, the others by name.'),
}) {}
