import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type * as stored from '../generated/prisma/client.ts';

type ApiKeyRow = Pick<stored.ApiKey, 'name' | 'lastFour' | 'createdAt' | 'lastUsedAt'> & { id: string };

@ObjectType({
  description: 'A business API key: a long-lived credential for backend services. The key itself is not shown.',
  simpleResolvers: true,
})
export class ApiKey implements ApiKeyRow {
  @Field(() => ID, { description: 'Id of the key, its public part.' })
  id!: ApiKeyRow['id'];

  @Field(() => String, { description: 'Purpose of the key.' })
  name!: ApiKeyRow['name'];

  @Field(() => String, { description: 'The last four characters of the key.' })
  lastFour!: ApiKeyRow['lastFour'];

  @Field(() => GraphQLDateTimeISO, { description: 'Created, UTC.' })
  createdAt!: ApiKeyRow['createdAt'];

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: `Last used, UTC, to ${limits.keyUseResolutionS} seconds; null if never.`,
  })
  lastUsedAt!: ApiKeyRow['lastUsedAt'];
}

@ObjectType({ description: 'A business API key that was just made.', simpleResolvers: true })
export class NewApiKey extends ApiKey {
  @Field(() => String, { description: 'The key itself, to be sent as a bearer credential. Shown only once.' })
  key!: string;
}

@InputType({ description: 'A new business API key.' })
export class CreateApiKeyInput {
  @Field(() => String, { description: `Purpose of the key, at most ${limits.keyNameChars} characters.` })
  name!: string;
}

@ObjectType({ description: 'Credentials that were revoked.', simpleResolvers: true })
export class Revoked {
  @Field(() => Int, { description: 'Number of revoked credentials.' })
  revoked!: number;
}
