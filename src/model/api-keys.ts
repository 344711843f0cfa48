import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { CredentialScope as Scope } from '../config/credential-scopes.ts';
import { limits } from '../config/limits.ts';
import type * as stored from '../generated/prisma/client.ts';
import { CredentialScope } from './enums.ts';
import { Node } from './nodes.ts';

type ApiKeyRow = Pick<stored.ApiKey, 'name' | 'lastFour' | 'createdAt' | 'lastUsedAt' | 'scopes' | 'expiresAt'> & {
  id: string;
};

@ObjectType({
  description: 'A business API key: a long-lived credential for backend services. The key itself is not shown.',
  implements: Node,
  simpleResolvers: true,
})
export class ApiKey implements ApiKeyRow {
  @Field(() => ID, {
    name: 'publicId',
    simple: false,
    description: 'Public part of the key, by which REST names it.',
  })
  id!: ApiKeyRow['id'];

  @Field(() => String, { description: 'Purpose of the key.' })
  name!: ApiKeyRow['name'];

  @Field(() => String, { description: 'The last four characters of the key.' })
  lastFour!: ApiKeyRow['lastFour'];

  @Field(() => GraphQLDateTimeISO, { description: 'Created, UTC.' })
  createdAt!: ApiKeyRow['createdAt'];

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: `Last used, UTC, to ${limits.resolutionS} seconds; null if never.`,
  })
  lastUsedAt!: ApiKeyRow['lastUsedAt'];

  @Field(() => [CredentialScope], { description: 'What the key may do.' })
  scopes!: ApiKeyRow['scopes'];

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'When the key ends, UTC; null if it does not expire.',
  })
  expiresAt!: ApiKeyRow['expiresAt'];
}

@ObjectType({ description: 'A business API key that was just made.', simpleResolvers: true })
export class NewApiKey {
  @Field(() => ApiKey, { description: 'The key as it is shown from now on.' })
  apiKey!: ApiKey;

  @Field(() => String, { description: 'The key itself, to be sent as a bearer credential. Shown only once.' })
  key!: string;
}

@InputType({ description: 'A new business API key.' })
export class CreateApiKeyInput {
  @Field(() => String, { description: `Purpose of the key, at most ${limits.labelChars} characters.` })
  name!: string;

  @Field(() => [CredentialScope], { nullable: true, description: 'What the key may do. Without it, the key is FULL.' })
  scopes?: Scope[] | null;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: `When the key ends: in the future, at most ${limits.keyLifetimeDaysMax} days from now. Without it, the key does not expire.`,
  })
  expiresAt?: Date | null;
}

@ObjectType({ description: 'A revocation of credentials.', simpleResolvers: true })
export class Revocation {
  @Field(() => Int, { description: 'Number of revoked credentials.' })
  revoked!: number;
}
