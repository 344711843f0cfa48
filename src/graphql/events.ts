import { Kind, type FieldNode, type GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Info, Mutation, Query, Resolver, ArgsType } from 'type-graphql';
import { withDryRun } from '../http/dry-run.ts';
import { Event, EventConnection } from '../model/events.ts';
import { EventPayload } from '../model/payloads.ts';
import { getOwnWithLists } from '../services/events-with-lists.ts';
import * as events from '../services/events.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { DryRun } from './dry-run.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { readArgs, readInput } from './inputs.ts';
import { atMostEach, primeLists } from './loaders.ts';
import { MayClash } from './payloads.ts';
import { RowId } from './row-ids.ts';
import { shownFields } from './shown-fields.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';
import { pageWith } from '../model/page-args.ts';
import { CreateEventInput, EventListArgs, UpdateEventInput } from './events-inputs.ts';

@ArgsType()
class OwnEventsArgs extends pageWith(events.ownEventsFilter) {}

@Resolver(() => Event)
export class EventResolver {
  @Query(() => Event, {
    nullable: true,
    description:
      'One event. Admins can read any event of the business, staff the events that they work at, clients their own. Null, with an error, if there is no such event.',
  })
  async event(@Ctx() { scope, loaders }: Context, @RowId('Event') uuid: string, @Info() info: GraphQLResolveInfo) {
    const { CallTime: callTimes, WorkShift: workShifts } = shownFields(info);
    const asked = Object.entries({ callTimes, workShifts, customFields: [] }).filter(([list]) =>
      info.fieldNodes.some((field) => asksFor(field, list)),
    );
    if (asked.length === 0) return events.getOwn(scope, { uuid });
    const lists = Object.fromEntries(asked);
    const found = await getOwnWithLists(scope, { uuid, lists, atMostEach });
    primeLists(loaders, info, found);
    return found.event;
  }

  @Query(() => EventConnection, {
    nullable: true,
    description:
      'Events of the business, one page at a time: by page number (`page`, `perPage`), or by cursor (`first`, `after`), which neither skips nor repeats events when others are added meanwhile.',
  })
  async events(@Ctx() { scope }: Context, @Args(() => EventListArgs) args: EventListArgs) {
    return toConnection(await events.list(scope, readArgs(args)));
  }

  @Query(() => EventConnection, {
    nullable: true,
    description: "The calling client's own active and canceled events, by start, one page at a time.",
  })
  async myEvents(@Ctx() { scope }: Context, @Args(() => OwnEventsArgs) args: OwnEventsArgs) {
    return toConnection(await events.listOwn(scope, readArgs(args)));
  }

  @Mutation(() => Event, { nullable: true, description: 'Creates an event.' })
  createEvent(
    @Ctx() { scope }: Context,
    @Arg('input', () => CreateEventInput, { description: 'The new event.' }) input: CreateEventInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return events.create(withKeyArgument(scope, key), readInput(input));
  }

  @Mutation(() => EventPayload, {
    nullable: true,
    description:
      'Changes an event: only the given fields; the rules apply to the resulting event. Refused with code CLASH and the clashes if the change would book people twice, because it brings a canceled or deleted event back or moves the event, or would leave call times that do not touch the event, unless an override gives a reason. Where start and end change by the same difference on the clocks, call times and shifts move along, and confirmed shifts become unconfirmed; an event with shifts that have ended only moves with `children: KEEP`.',
  })
  @MayClash()
  updateEvent(
    @Ctx() { scope }: Context,
    @RowId('Event') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('input', () => UpdateEventInput, { description: 'The changes.' }) input: UpdateEventInput,
    @DryRun() dryRun: DryRun,
  ) {
    return events.update(withDryRun(scope, dryRun), { ...readInput(input), uuid, ...expectVersion(version) });
  }
}

/** Whether a field asks for another one on no condition and in no fragment. What it asks for otherwise is read later. */
const asksFor = ({ selectionSet }: FieldNode, name: string): boolean =>
  (selectionSet?.selections ?? []).some(
    (field) => field.kind === Kind.FIELD && field.name.value === name && !field.directives?.length,
  );
