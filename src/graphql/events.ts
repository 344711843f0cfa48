import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { EventListArgs, OwnEventsArgs } from '../model/events-args.ts';
import { CreateEventInput, UpdateEventInput } from '../model/events-input.ts';
import { Event, EventConnection } from '../model/events.ts';
import * as events from '../services/events.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { IdempotencyKey, underKey } from './idempotency.ts';
import { omitNullish, omitNullishDeep, omitUndefined } from './omit-undefined.ts';
import { expectVersion, Version } from './versions.ts';

@Resolver(() => Event)
export class EventResolver {
  @Query(() => Event, {
    nullable: true,
    description:
      'One event: to admins any of the business, to staff one that they work at, to clients their own. Null, with an error, where there is none.',
  })
  event(@Ctx() { scope }: Context, @Arg('uuid', () => ID, { description: 'UUID of the event.' }) uuid: string) {
    return events.getOwn(scope, { uuid });
  }

  @Query(() => EventConnection, {
    description:
      'Events of the business, a page at a time: by number (`page`, `perPage`), or from a cursor on (`first`, `after`), which misses and repeats none while events are added.',
  })
  async events(@Ctx() { scope }: Context, @Args(() => EventListArgs) args: EventListArgs) {
    return toConnection(await events.list(scope, omitNullishDeep(args)));
  }

  @Query(() => EventConnection, {
    description: "The calling client's own active and canceled events, by start, a page at a time.",
  })
  async myEvents(@Ctx() { scope }: Context, @Args(() => OwnEventsArgs) args: OwnEventsArgs) {
    return toConnection(await events.listOwn(scope, omitNullish(args)));
  }

  @Mutation(() => Event, { nullable: true, description: 'Creates an event.' })
  createEvent(
    @Ctx() { scope }: Context,
    @Arg('input', () => CreateEventInput, { description: 'The new event.' }) input: CreateEventInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return events.create(underKey(scope, key), omitUndefined(input));
  }

  @Mutation(() => Event, {
    nullable: true,
    description: 'Changes an event: only the fields given; the rules hold for the event as it will be.',
  })
  updateEvent(
    @Ctx() { scope }: Context,
    @Arg('uuid', () => ID, { description: 'UUID of the event.' }) uuid: string,
    @Version() version: Version,
    @Arg('input', () => UpdateEventInput, { description: 'The changes.' }) input: UpdateEventInput,
  ) {
    return events.update(scope, { ...omitUndefined(input), uuid, ...expectVersion(version) });
  }
}
