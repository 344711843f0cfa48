import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { ApiKey, CreateApiKeyInput, NewApiKey, Revoked } from '../model/api-keys.ts';
import * as apiKeys from '../services/api-keys.ts';
import type { Context } from './context.ts';
import { IdempotencyKey, underKey } from './idempotency.ts';

const named = <Row extends { publicId: string }>({ publicId, ...row }: Row) => ({ ...row, id: publicId });

@Resolver(() => ApiKey)
export class ApiKeyResolver {
  @Query(() => [ApiKey], {
    description: "The business's active API keys, oldest first. For admins in person, not with an API key.",
  })
  async apiKeys(@Ctx() { scope }: Context) {
    return (await apiKeys.list(scope, {})).map(named);
  }

  @Mutation(() => NewApiKey, {
    nullable: true,
    description: 'Makes a business API key, which is shown this once. For admins in person, not with an API key.',
  })
  async createApiKey(
    @Ctx() { scope }: Context,
    @Arg('input', () => CreateApiKeyInput, { description: 'The new key.' }) { name }: CreateApiKeyInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return named(await apiKeys.create(underKey(scope, key), { name }));
  }

  @Mutation(() => Revoked, {
    nullable: true,
    description: 'Ends one API key. For admins in person, not with an API key.',
  })
  async revokeApiKey(@Ctx() { scope }: Context, @Arg('id', () => ID, { description: 'Id of the key.' }) id: string) {
    await apiKeys.revoke(scope, { id });
    return { revoked: 1 };
  }

  @Mutation(() => Revoked, {
    nullable: true,
    description: 'Ends all API keys of the business. For admins in person, not with an API key.',
  })
  async revokeAllApiKeys(@Ctx() { scope }: Context) {
    return { revoked: await apiKeys.revokeAll(scope, {}) };
  }
}
