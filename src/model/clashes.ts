import { ObjectType } from 'type-graphql';
import { ClashKind } from './enums.ts';
import { Event } from './events.ts';
import { Invitation } from './invitations.ts';
import { error, RefusalFields } from './refusals.ts';
import { field, objectWith } from './shapes.ts';
import { User } from './users.ts';
import { WorkShift } from './work-shifts.ts';

@ObjectType({
  description: 'A rule that an assignment breaks, or the change of an event. An override lifts it.',
  simpleResolvers: true,
})
export class Clash extends objectWith({
  kind: field.of(ClashKind)('The rule.'),
  callTimeUuid: field.id.optional('OVERFILLED, OUTSIDE_EVENT: UUID of the call time.'),
  needed: field.int.optional('OVERFILLED: number of staff that the call time needs.'),
  assigned: field.int.optional('OVERFILLED: active shifts on the call time besides this one.'),
  shiftUuid: field.id.optional('Overlaps, SHORT_REST: UUID of the other shift of the same person.'),
  eventUuid: field.id.optional('Overlaps, SHORT_REST: UUID of the event of the other shift.'),
  eventTitle: field.text.optional('Overlaps, SHORT_REST: title of the event of the other shift.'),
  startsAt: field.instant.optional(
    'Overlaps, SHORT_REST: start of the other shift as an instant, UTC; null: to be determined. OUTSIDE_EVENT: that of the call time.',
  ),
  endsAt: field.instant.optional(
    'Overlaps, SHORT_REST: end of the other shift as an instant, UTC; null: to be determined. OUTSIDE_EVENT: that of the call time.',
  ),
  minutes: field.int.optional(
    'OVERLAP: minutes that both shifts share, rounded up. SHORT_REST: minutes between both shifts. OVER_WEEKLY_HOURS: minutes of the week with this shift. Null for POSSIBLE_OVERLAP.',
  ),
  text: field.text.optional('Rules of who can work: what is against the person, such as "Only 8 h of rest after …".'),
  until: field.instant.optional('Rules of who can work: when the reason ends, UTC; null if it has no known end.'),
}) {
  /** Number of the staff member. */
  userId?: number;
}

@ObjectType({ description: 'Result of one of several new events.', simpleResolvers: true })
export class CreateEventResult extends objectWith({
  event: field.of(Event).orNull('The new event; null if it was refused.'),
  clashes: field.of([Clash])(
    'The rules that its people would break and that an override lifts. Empty if it was created.',
  ),
  error,
}) {}

@ObjectType({ description: 'Result of changing one of several events.', simpleResolvers: true })
export class ChangeEventResult extends objectWith({
  event: field.of(Event).orNull('The changed event; null if the change was refused.'),
  clashes: field.of([Clash])('The rules that the change would break and that an override lifts. Empty if it was made.'),
  error,
}) {}

@ObjectType({ description: 'Result of one of several new users.', simpleResolvers: true })
export class CreateUserResult extends objectWith({
  user: field.of(User).orNull('The new user; null if it was refused.'),
  error,
}) {}

@ObjectType({ description: 'Result of inviting one of several users.', simpleResolvers: true })
export class InvitationResult extends objectWith({
  invitation: field.of(Invitation).orNull('The link; null if it was refused.'),
  error,
}) {}

@ObjectType({ description: 'Refusal of an assignment, or of one of several changes of shifts.', simpleResolvers: true })
class AssignShiftError extends RefusalFields {}

@ObjectType({ description: 'Result of one of several assignments, or changes of shifts.', simpleResolvers: true })
export class AssignShiftResult extends objectWith({
  shift: field.of(WorkShift).orNull('The new or changed shift; null if it was refused.'),
  clashes: field.of([Clash])(
    'The rules that the assignment would break and that an override lifts. Empty if it was made.',
  ),
  error: field.of(AssignShiftError).orNull('The refusal; null if there was none.'),
}) {}
