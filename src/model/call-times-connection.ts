import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { CallTime } from './call-times.ts';
import { connectionTo } from './connection-to.ts';
import { SortOrder } from './enums.ts';
import { CursorArgs } from './page-args.ts';
import { field, inputOn, inputWith } from './shapes.ts';

@ObjectType({ description: 'A page of call times, by start.' })
export class CallTimeConnection extends connectionTo(CallTime, 'CallTime', 'call times') {}

/** Conditions on the start of a row, in lists by start. */
@InputType()
export class StartFilter extends inputWith({
  from: field.instant.orNull('Starts at this instant or later.'),
  to: field.instant.orNull('Starts before this instant.'),
  dateFrom: field.text.orNull('Starts on this local day or later, `YYYY-MM-DD` in the time zone of the event.'),
  dateTo: field.text.orNull('Starts on this local day or before, `YYYY-MM-DD` in the time zone of the event.'),
  clientId: field.rowId('User').orNull('At events of the client (a user) of this id.'),
  eventId: field.rowId('Event').orNull('Of the event of this id.'),
}) {}

@InputType('StartSort', { description: 'Order of a list by start. Where two are equal, their ids decide.' })
export class StartSortInput extends inputWith({
  order: field.of(SortOrder).orNull('Direction. Default: ASC.'),
}) {}

@InputType('CallTimeFilter', { description: 'Filter of call times. All given conditions must hold.' })
class CallTimeFilterInput extends inputOn(StartFilter, {
  unfilled: field.flag.orNull('Of ACTIVE and DRAFT events, and still lacks people, or not.'),
  positionId: field.rowId('Position').orNull('Ask for the position of this id.'),
  skillLevelId: field.rowId('SkillLevel').orNull('Ask for the skill level of this id.'),
}) {}

@ArgsType()
export class CallTimePageArgs extends inputOn(CursorArgs, {
  filter: field.of(CallTimeFilterInput).orNull('Lists only call times that match this filter. Default: all.'),
}) {}

@ArgsType()
export class CallTimeListArgs extends inputOn(CallTimePageArgs, {
  sort: field.of(StartSortInput).orNull('Order of the list. Default: by start, oldest first.'),
}) {}
