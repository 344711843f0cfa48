import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root, InputType } from 'type-graphql';
import { Revocation } from '../model/api-keys.ts';
import { Event } from '../model/events.ts';
import { Feed, NewFeed } from '../model/feeds.ts';
import { User } from '../model/users.ts';
import * as feeds from '../services/feeds.ts';
import { nameByPublicId } from './api-keys.ts';
import type { Context } from './context.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { readInput } from './inputs.ts';
import { RowId } from './row-ids.ts';
import { inputFrom } from '../model/input-from.ts';

@InputType({ description: 'A new calendar feed.' })
class CreateFeedInput extends inputFrom(feeds.createFeedInput) {}

const toNewFeed = ({ feed, path }: Awaited<ReturnType<typeof feeds.create>>) => ({ feed: nameByPublicId(feed), path });

@Resolver(() => Feed)
export class FeedResolver {
  @Query(() => [Feed], {
    nullable: true,
    description:
      "The caller's calendar feeds, oldest first. Admins see those of others as well, unless they show the shifts of a person. Not with an API key.",
  })
  async feeds(@Ctx() { scope }: Context) {
    return (await feeds.list(scope, {})).map(nameByPublicId);
  }

  @Mutation(() => NewFeed, {
    nullable: true,
    description: 'Creates a calendar feed. Its address is shown only in this answer. Not with an API key.',
  })
  async createFeed(
    @Ctx() { scope }: Context,
    @Arg('input', () => CreateFeedInput, { description: 'The new feed.' }) input: CreateFeedInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return toNewFeed(await feeds.create(withKeyArgument(scope, key), readInput(input)));
  }

  @Mutation(() => NewFeed, {
    nullable: true,
    description:
      'Gives a calendar feed a new address, shown only in this answer. The one before works for seven days more; rotated once more in that time, the one between ends at once. Not with an API key.',
  })
  async rotateFeed(@Ctx() { scope }: Context, @RowId('Feed') id: string) {
    return toNewFeed(await feeds.rotate(scope, { id }));
  }

  @Mutation(() => Revocation, { nullable: true, description: 'Revokes a calendar feed. Not with an API key.' })
  async revokeFeed(@Ctx() { scope }: Context, @RowId('Feed') id: string) {
    return { revoked: await feeds.revoke(scope, { id }) };
  }

  @FieldResolver(() => Event, { nullable: true, description: 'The event that it shows; null for other kinds.' })
  event(@Root() { eventUuid }: Feed, @Ctx() { loaders }: Context) {
    return eventUuid ? loaders.eventByUuid.load(eventUuid) : null;
  }

  @FieldResolver(() => User, { nullable: true, description: 'Its owner.' })
  owner(@Root() { userId }: Feed, @Ctx() { loaders }: Context) {
    return loaders.userById.load(userId);
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: 'The client whose events it shows; null for other kinds.',
  })
  client(@Root() { clientId }: Feed, @Ctx() { loaders }: Context) {
    return clientId === null ? null : loaders.userById.load(clientId);
  }
}
