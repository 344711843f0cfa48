import { ObjectType } from 'type-graphql';
import { field, objectWith } from './shapes.ts';
import { isMailedText, pathText } from '../fields/invitations.ts';

@ObjectType({ description: 'A link with which a user sets their first password.' })
export class Invitation extends objectWith({
  path: field.text(pathText),
  expiresAt: field.instant('When the link ends, UTC.'),
  isMailed: field.flag(isMailedText),
}) {}

@ObjectType({ description: 'An invitation that was accepted.' })
export class ClaimedInvitation extends objectWith({
  email: field.text('E-mail address to log in with.'),
}) {}
