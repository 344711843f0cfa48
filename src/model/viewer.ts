import { ObjectType } from 'type-graphql';
import { CredentialScope, Role } from './enums.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({ description: 'The caller.' })
export class Viewer extends objectWith({
  name: field.text('Name of the user or of the API key.'),
  email: field.text.optional('E-mail address of the user; null for a business API key.'),
  role: field.of(Role)('Role of the caller. A business API key has the rights of an admin.'),
  scopes: field.of([CredentialScope])('Scopes of the credential used: what it may do within the role.'),
}) {
  /** Number of the user. */
  userId?: number;
}

@ObjectType({ description: 'A personal access token.' })
export class Login extends objectWith({
  accessToken: field.text('To be sent as `Authorization: Bearer <token>`.'),
  tokenType: field.text('`Bearer`.'),
  expiresIn: field.int('Lifetime in seconds.'),
  scope: field.text('Scopes of the token, with a single space between them, such as `full`.'),
}) {}
