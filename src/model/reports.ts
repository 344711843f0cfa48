import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { EventStatus, ReportGrouping, ReportZone } from './enums.ts';
import { field, inputOn, inputWith, objectWith } from './shapes.ts';

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
export class ReportGroup extends objectWith({
  key: field.text.orNull(
    'Key of the group: a local date (`YYYY-MM-DD`; of a week, its first day), a month (`YYYY-MM`), the UUID of an event, the `databaseId` of a position or of a user, or the name of a venue; null for events without a client or a venue, and for open places among staff.',
  ),
  label: field.text.orNull('Label of the group: the date, a title or a name; null where the key is.'),
  secondKey: field.text.orNull('Key of the second thing that the report is grouped by; null if it is grouped by one.'),
  secondLabel: field.text.orNull('Label of that thing; null where its key is.'),
}) {}
