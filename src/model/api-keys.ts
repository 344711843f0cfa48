import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type * as stored from '../generated/prisma/client.ts';

type ApiKeyRow = Pick<stored.ApiKey, 'name' | 'lastFour' | 'createdAt' | 'lastUsedAt'> & { id: string };

@ObjectType({
  description: 'A business API key: a long-lived credential for backend services. What it is shown by, not the key.',
  simpleResolvers: true,
})
export class ApiKey implements ApiKeyRow {
  @Field(() => ID, { description: 'Key id, the part of the key that may be shown.' })
  id!: ApiKeyRow['id'];

  @Field(() => String, { description: 'What the key is for.' })
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
  @Field(() => String, { description: 'The key itself, to be sent as a bearer credential. Shown this once.' })
  key!: string;
}

@InputType({ description: 'A new business API key.' })
export class CreateApiKeyInput {
  @Field(() => String, { description: `What the key is for, at most ${limits.keyNameChars} characters.` })
  name!: string;
}

@ObjectType({ description: 'Credentials that were ended.', simpleResolvers: true })
export class Revoked {
  @Field(() => Int, { description: 'How many were ended.' })
  revoked!: number;
}
