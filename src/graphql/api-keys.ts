import { Arg, Ctx, Mutation, Query, Resolver, InputType } from 'type-graphql';
import { ApiKey, NewApiKey, Revocation } from '../model/api-keys.ts';
import * as apiKeys from '../services/api-keys.ts';
import type { Context } from './context.ts';
import { readInput } from './inputs.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { RowId } from './row-ids.ts';
import { inputFrom } from '../model/input-from.ts';

@InputType({ description: 'A new business API key.' })
class CreateApiKeyInput extends inputFrom(apiKeys.createKeyInput) {}

/** A key or a feed as GraphQL shows it: its public id is its name. */
export function nameByPublicId<Row extends { publicId: string }>({ publicId, ...row }: Row) {
  return { ...row, id: publicId };
}

@Resolver(() => ApiKey)
export class ApiKeyResolver {
  @Query(() => [ApiKey], {
    nullable: true,
    description: 'Active API keys of the business, oldest first. For admins, not with an API key.',
  })
  async apiKeys(@Ctx() { scope }: Context) {
    return (await apiKeys.list(scope, {})).map(nameByPublicId);
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
    const { key: secret, ...row } = await apiKeys.create(withKeyArgument(scope, key), readInput(input));
    return { apiKey: nameByPublicId(row), key: secret };
  }

  @Mutation(() => Revocation, {
    nullable: true,
    description: 'Revokes one API key. For admins, not with an API key.',
  })
  async revokeApiKey(@Ctx() { scope }: Context, @RowId('ApiKey') id: string) {
    await apiKeys.revoke(scope, { id });
    return { revoked: 1 };
  }

  @Mutation(() => Revocation, {
    nullable: true,
    description: 'Revokes all API keys of the business. For admins, not with an API key.',
  })
  async revokeAllApiKeys(@Ctx() { scope }: Context) {
    return { revoked: await apiKeys.revokeAll(scope, {}) };
  }
}
