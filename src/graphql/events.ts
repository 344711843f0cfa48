import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { EventListArgs, OwnEventsArgs } from '../model/events-args.ts';
import { CreateEventInput, UpdateEventInput } from '../model/events-input.ts';
import { Event, EventConnection } from '../model/events.ts';
import { EventPayload } from '../model/payloads.ts';
import * as events from '../services/events.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { loadEventWithLists } from './event-lists.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { omitNullish, omitNullishDeep, omitUndefined } from './omit-undefined.ts';
import { MayClash } from './payloads.ts';
import { RowId, toServiceNames } from './row-ids.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';

@Resolver(() => Event)
export class EventResolver {
  @Query(() => Event, {
    nullable: true,
    description:
      'One event. Admins can read any event of the business, staff the events that they work at, clients their own. Null, with an error, if there is no such event.',
  })
  event(@Ctx() context: Context, @RowId('Event') uuid: string) {
    return loadEventWithLists(context, uuid);
  }

  @Query(() => EventConnection, {
    nullable: true,
    description:
      'Events of the business, one page at a time: by page number (`page`, `perPage`), or by cursor (`first`, `after`), which neither skips nor repeats events when others are added meanwhile.',
  })
  async events(@Ctx() { scope }: Context, @Args(() => EventListArgs) args: EventListArgs) {
    return toConnection(await events.list(scope, toServiceNames(omitNullishDeep(args))));
  }

  @Query(() => EventConnection, {
    nullable: true,
    description: "The calling client's own active and canceled events, by start, one page at a time.",
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
    return events.create(withKeyArgument(scope, key), omitUndefined(input));
  }

  @Mutation(() => EventPayload, {
    nullable: true,
    description:
      'Changes an event: only the given fields; the rules apply to the resulting event. Refused with code CLASH and the clashes if the change would book people twice, because it brings a canceled or deleted event back or moves the event, unless an override gives a reason.',
  })
  @MayClash()
  updateEvent(
    @Ctx() { scope }: Context,
    @RowId('Event') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('input', () => UpdateEventInput, { description: 'The changes.' }) input: UpdateEventInput,
  ) {
    return events.update(scope, { ...omitUndefined(input), uuid, ...expectVersion(version) });
  }
}
