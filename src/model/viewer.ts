import { Field, Int, ObjectType } from 'type-graphql';
import type { CredentialScope as Scope } from '../config/credential-scopes.ts';
import type * as stored from '../generated/prisma/enums.ts';
import { CredentialScope, Role } from './enums.ts';

@ObjectType({ description: 'The caller.', simpleResolvers: true })
export class Viewer {
  /** Number of the user. */
  userId?: number;

  @Field(() => String, { description: 'Name of the user or of the API key.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'E-mail address of the user; null for a business API key.' })
  email?: string;

  @Field(() => Role, { description: 'Role of the caller. A business API key has the rights of an admin.' })
  role!: stored.Role;

  @Field(() => [CredentialScope], { description: 'Scopes of the credential used: what it may do within the role.' })
  scopes!: readonly Scope[];
}

@ObjectType({ description: 'A personal access token.', simpleResolvers: true })
export class Login {
  @Field(() => String, { description: 'To be sent as `Authorization: Bearer <token>`.' })
  accessToken!: string;

  @Field(() => String, { description: '`Bearer`.' })
  tokenType!: string;

  @Field(() => Int, { description: 'Lifetime in seconds.' })
  expiresIn!: number;

  @Field(() => String, { description: 'Scopes of the token, with a single space between them, such as `full`.' })
  scope!: string;
}
