import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { ApiKey, CreateApiKeyInput, NewApiKey, Revoked } from '../model/api-keys.ts';
import * as apiKeys from '../services/api-keys.ts';
import type { Context } from './context.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { omitUndefined } from './omit-undefined.ts';

const named = <Row extends { publicId: string }>({ publicId, ...row }: Row) => ({ ...row, id: publicId });

@Resolver(() => ApiKey)
export class ApiKeyResolver {
  @Query(() => [ApiKey], {
    description: 'Active API keys of the business, oldest first. For admins, not with an API key.',
  })
  async apiKeys(@Ctx() { scope }: Context) {
    return (await apiKeys.list(scope, {})).map(named);
  }

  @Mutation(() => NewApiKey, {
    nullable: true,
    description: 'Creates a business API key. The key is shown only in this answer. For admins, not with an API key.',
  })
  async createApiKey(
    @Ctx() { scope }: Context,
    @Arg('input', () => CreateApiKeyInput, { description: 'The new key.' }) input: CreateApiKeyInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return named(await apiKeys.create(withKeyArgument(scope, key), omitUndefined(input)));
  }

  @Mutation(() => Revoked, {
    nullable: true,
    description: 'Revokes one API key. For admins, not with an API key.',
  })
  async revokeApiKey(@Ctx() { scope }: Context, @Arg('id', () => ID, { description: 'Id of the key.' }) id: string) {
    await apiKeys.revoke(scope, { id });
    return { revoked: 1 };
  }

  @Mutation(() => Revoked, {
    nullable: true,
    description: 'Revokes all API keys of the business. For admins, not with an API key.',
  })
  async revokeAllApiKeys(@Ctx() { scope }: Context) {
    return { revoked: await apiKeys.revokeAll(scope, {}) };
  }
}
