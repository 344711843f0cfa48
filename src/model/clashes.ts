import { ObjectType } from 'type-graphql';
import { clashFields } from '../fields/clashes.ts';
import { Event } from './events.ts';
import { resultOf } from './fields.ts';
import { Invitation } from './invitations.ts';
import { error, RefusalFields } from './refusals.ts';
import { field, objectWith } from './shapes.ts';
import { User } from './users.ts';
import { WorkShift } from './work-shifts.ts';

@ObjectType({
  description: 'A rule that an assignment breaks, or the change of an event. An override lifts it.',
  simpleResolvers: true,
})
export class Clash extends resultOf(clashFields) {}

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
