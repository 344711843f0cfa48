import { ObjectType } from 'type-graphql';
import { field, objectWith } from './shapes.ts';

@ObjectType({ description: 'A link with which a user sets their first password.' })
export class Invitation extends objectWith({
  path: field.text(
    'Path of the link, with its secret behind the `#`: the address of the service stands before it. Shown only once.',
  ),
  expiresAt: field.instant('When the link ends, UTC.'),
  isMailed: field.flag(
    'Whether a mail with it is stored to be sent: not without a mail server, nor beyond the limits of the plan.',
  ),
}) {}

@ObjectType({ description: 'An invitation that was accepted.' })
export class ClaimedInvitation extends objectWith({
  email: field.text('E-mail address to log in with.'),
}) {}
