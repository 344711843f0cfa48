import { ObjectType } from 'type-graphql';
import { field, objectWith } from './shapes.ts';

@ObjectType({ description: 'A link with which a user sets their first password.' })
export class Invitation extends objectWith({
  path: field.text(
    'Path of the link, with its secret behind the `#`: the address of the service stands before it. Shown only once.',
  ),
  expiresAt: field.instant('When the link ends, UTC.'),
  isMailed: field.flag('Whether it is sent by mail as well.'),
}) {}

@ObjectType({ description: 'An invitation that was accepted.' })
export class ClaimedInvitation extends objectWith({
  email: field.text('E-mail address to log in with.'),
}) {}
