import { ObjectType } from 'type-graphql';
import { invitationFields } from '../fields/invitations.ts';
import { resultOf } from './fields.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({ description: 'A link with which a user sets their first password.' })
export class Invitation extends resultOf(invitationFields) {}

@ObjectType({ description: 'An invitation that was accepted.' })
export class ClaimedInvitation extends objectWith({
  email: field.text('E-mail address to log in with.'),
}) {}
