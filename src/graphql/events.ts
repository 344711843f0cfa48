import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { CallTime } from '../model/call-time.ts';
import { CustomFieldValue } from '../model/custom-field.ts';
import { EventListArgs } from '../model/event-list-args.ts';
import { CreateEventInput, UpdateEventInput } from '../model/event-input.ts';
import { Event, EventConnection } from '../model/event.ts';
import { WorkShift } from '../model/work-shift.ts';
import * as events from '../services/events.ts';
import { connectionOf } from './connection.ts';
import type { Context } from './context.ts';
import { given, sent } from './given.ts';

@Resolver(() => Event)
export class EventResolver {
  @Query(() => Event, {
    nullable: true,
    description: 'One event of the business; null, with an error, where there is none.',
  })
  event(@Ctx() { scope }: Context, @Arg('uuid', () => ID, { description: 'UUID of the event.' }) uuid: string) {
    return events.get(scope, { uuid });
  }

  @Query(() => EventConnection, { description: 'Events of the business by start, a page at a time.' })
  async events(@Ctx() { scope }: Context, @Args(() => EventListArgs) args: EventListArgs) {
    return connectionOf(await events.list(scope, given(args)));
  }

  @Mutation(() => Event, { description: 'Creates an event.' })
  createEvent(
    @Ctx() { scope }: Context,
    @Arg('input', () => CreateEventInput, { description: 'The new event.' }) input: CreateEventInput,
  ) {
    return events.create(scope, sent(input));
  }

  @Mutation(() => Event, {
    description: 'Changes an event: only the fields given; the rules hold for the event as it will be.',
  })
  updateEvent(
    @Ctx() { scope }: Context,
    @Arg('uuid', () => ID, { description: 'UUID of the event.' }) uuid: string,
    @Arg('input', () => UpdateEventInput, { description: 'The changes.' }) input: UpdateEventInput,
  ) {
    return events.update(scope, { ...sent(input), uuid });
  }

  @FieldResolver(() => [CallTime], { description: 'Call times of the event, by start.' })
  callTimes(@Root() { id }: Event, @Ctx() { loaders }: Context) {
    return loaders.callTimesByEventId.load(id);
  }

  @FieldResolver(() => [WorkShift], { description: 'Active work shifts of the event, by start.' })
  workShifts(@Root() { id }: Event, @Ctx() { loaders }: Context) {
    return loaders.workShiftsByEventId.load(id);
  }

  @FieldResolver(() => [CustomFieldValue], { description: "Values of the business's own form fields on the event." })
  customFields(@Root() { id }: Event, @Ctx() { loaders }: Context) {
    return loaders.customFieldsByEventId.load(id);
  }
}
