import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { reportGroupFields } from '../fields/reports.ts';
import { EventStatus, ReportGrouping, ReportZone } from './enums.ts';
import { resultOf } from './fields.ts';
import { field, inputOn, inputWith } from './shapes.ts';

@InputType('ReportFilter', { description: 'Filter of a report. All given conditions must hold.' })
class ReportFilterInput extends inputWith({
  statuses: field
    .of([EventStatus])
    .orNull('Events with these statuses. Default: ACTIVE and DRAFT, because other events need no staff.'),
  clientId: field.rowId('User').orNull('Events of the client (a user) of this id.'),
  positionId: field.rowId('Position').orNull('Call times and shifts of the position of this id.'),
  city: field.text.orNull('Events in this city; upper and lower case are equal.'),
  state: field.text.orNull('Events in this state; upper and lower case are equal.'),
}) {}

/** The span of time that a report covers. */
@ArgsType()
export class PeriodArgs extends inputWith({
  from: field.instant('Start of the span of time (inclusive).'),
  to: field.instant(`End of the span of time (exclusive), at most ${limits.spanDaysMax} days after its start.`),
}) {}

@ArgsType()
export class ReportArgs extends inputOn(PeriodArgs, {
  groupBy: field.of([ReportGrouping])(
    `What each group of the report stands for: one thing, or two at once, such as \`[WEEK, POSITION]\`. A report with more than ${limits.reportGroupsMax} groups is refused.`,
  ),
  zone: field
    .of(ReportZone)
    .orNull('Whose clocks say on which day, in which week and in which month an event starts. Default: EVENT.'),
  running: field.flag.orNull(
    'Counts whole events that run at some time in the span, such as one that started the day before, and not only those that start in it. Default: false.',
  ),
  filter: field.of(ReportFilterInput).orNull('Counts only what matches this filter.'),
}) {}

/** Fields that the groups of every report have. */
@ObjectType()
export class ReportGroup extends resultOf(reportGroupFields) {}
