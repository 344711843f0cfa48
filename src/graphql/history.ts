import { GraphQLJSON } from 'graphql-scalars';
import { Args, Ctx, FieldResolver, Query, Resolver, Root, ArgsType } from 'type-graphql';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { Event } from '../model/events.ts';
import { HistoryEntry, HistoryEntryConnection, HistoryField } from '../model/history.ts';
import { CursorArgs, filteredPage } from '../model/page-args.ts';
import { WorkShift } from '../model/work-shifts.ts';
import type * as entries from '../fields/history.ts';
import * as history from '../services/history.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { readArgs } from './inputs.ts';

@ArgsType()
class HistoryArgs extends filteredPage('HistoryFilter', history.historyFilter, 'changes') {}

const forAdmins = 'Null unless the caller is an admin whose credential has the scope FULL.';

@Resolver()
export class HistoryResolver {
  @Query(() => HistoryEntryConnection, {
    nullable: true,
    description:
      'Who changed which rows of the business, when, and from what to what; newest first. It outlives the rows. For admins, with the scope FULL.',
  })
  async history(@Ctx() { scope }: Context, @Args(() => HistoryArgs) args: HistoryArgs) {
    return toConnection(await history.list(scope, readArgs(args)));
  }
}

@Resolver(() => Event)
export class EventHistoryResolver {
  @FieldResolver(() => HistoryEntryConnection, {
    nullable: true,
    description: `Changes of the event, its call times, shifts and custom field values, newest first. ${forAdmins}`,
  })
  async history(@Root() { id }: Event, @Ctx() { loaders }: Context, @Args(() => CursorArgs) args: CursorArgs) {
    return toConnection(await loaders.historyPagesByEventId(readArgs(args)).load(id));
  }
}

@Resolver(() => WorkShift)
export class WorkShiftHistoryResolver {
  @FieldResolver(() => HistoryEntryConnection, {
    nullable: true,
    description: `Changes of the shift, newest first. ${forAdmins}`,
  })
  async history(@Root() { id }: WorkShiftRow, @Ctx() { loaders }: Context, @Args(() => CursorArgs) args: CursorArgs) {
    return toConnection(await loaders.historyPagesByShiftId(readArgs(args)).load(id));
  }
}

@Resolver(() => HistoryEntry)
export class HistoryEntryFields {
  @FieldResolver(() => Event, {
    nullable: true,
    description: 'Event that the row is, or belongs to; null for none, and if the event is gone.',
  })
  event(@Root() { eventId }: HistoryEntry, @Ctx() { loaders }: Context) {
    return eventId === null ? null : loaders.eventById.load(eventId);
  }
}

/** GraphQL spells the values of enums in capitals, here too. */
function spelled(value: entries.HistoryValue, { isEnum }: entries.HistoryField): entries.HistoryValue {
  return isEnum && typeof value === 'string' ? value.toUpperCase() : value;
}

@Resolver(() => HistoryField)
export class HistoryFieldFields {
  @FieldResolver(() => GraphQLJSON, { nullable: true })
  before(@Root() field: entries.HistoryField) {
    return spelled(field.before, field);
  }

  @FieldResolver(() => GraphQLJSON, { nullable: true })
  after(@Root() field: entries.HistoryField) {
    return spelled(field.after, field);
  }
}
