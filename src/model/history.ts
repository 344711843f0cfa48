import { GraphQLDateTimeISO, GraphQLJSON } from 'graphql-scalars';
import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type * as entries from '../fields/history.ts';
import { connectionTo } from './connection-to.ts';
import { HistoryActor, HistoryChange, HistoryKind } from './enums.ts';
import { CursorArgs } from './page-args.ts';
import { RowIdField } from './row-ids.ts';
import { ZonedTime } from './zoned-times.ts';

@ObjectType({ description: 'A field that a change set, with its values before and after.', simpleResolvers: true })
export class HistoryField implements Pick<entries.HistoryField, 'name' | 'beforeName' | 'afterName'> {
  @Field(() => String, { description: 'Name of the field, such as `startTime`.' })
  name!: string;

  @Field(() => GraphQLJSON, {
    nullable: true,
    simple: false,
    description:
      'The value before; null if there was none. A time of an event is as the clocks at the event show it, an amount is text.',
  })
  before!: entries.HistoryField['before'];

  @Field(() => GraphQLJSON, { nullable: true, simple: false, description: 'The value after; null if there is none.' })
  after!: entries.HistoryField['after'];

  @Field(() => String, {
    nullable: true,
    description:
      'Present name of the row that `before` is the number of, such as that of a user; null for other fields.',
  })
  beforeName!: entries.HistoryField['beforeName'];

  @Field(() => String, { nullable: true, description: 'Present name of the row that `after` is the number of.' })
  afterName!: entries.HistoryField['afterName'];
}

@ObjectType({
  description:
    'The change of one row: who made it, when, by which operation, and its fields before and after. Entries never change.',
  simpleResolvers: true,
})
export class HistoryEntry implements Omit<entries.HistoryEntry, 'fields' | 'eventTitle'> {
  @Field(() => GraphQLDateTimeISO, { description: 'When, UTC.' })
  at!: entries.HistoryEntry['at'];

  @Field(() => ZonedTime, {
    nullable: true,
    description: 'When, as the clocks at the event showed it; null for rows that belong to no event.',
  })
  atEvent!: entries.HistoryEntry['atEvent'];

  @Field(() => HistoryActor, { nullable: true, description: 'Kind of caller; null: the service itself.' })
  actorKind!: entries.HistoryEntry['actorKind'];

  @Field(() => Int, {
    name: 'actorDatabaseId',
    simple: false,
    nullable: true,
    description: 'Number of the user or of the API key that called; null for others.',
  })
  actorId!: entries.HistoryEntry['actorId'];

  @Field(() => String, { nullable: true, description: 'Name of the caller at that time; null if the caller has none.' })
  actorName!: entries.HistoryEntry['actorName'];

  @Field(() => String, {
    nullable: true,
    description:
      'The operation, such as `workShifts.update`, or `cli.` and a command of the operator; null if not noted.',
  })
  operation!: entries.HistoryEntry['operation'];

  @Field(() => String, {
    nullable: true,
    description: 'Request id of the answer (`X-Request-Id`) and of the log; null if no request made the change.',
  })
  requestId!: entries.HistoryEntry['requestId'];

  @Field(() => String, {
    description: 'Data version of the business that the change led to. Rows that changed together have the same.',
  })
  revision!: entries.HistoryEntry['revision'];

  @Field(() => HistoryKind, { description: 'Kind of the row.' })
  kind!: entries.HistoryEntry['kind'];

  @Field(() => HistoryChange, { description: 'What happened to the row.' })
  change!: entries.HistoryEntry['change'];

  @Field(() => Int, {
    name: 'rowDatabaseId',
    simple: false,
    description: 'Number of the row; of the value of a custom field, that of the custom field.',
  })
  rowId!: entries.HistoryEntry['rowId'];

  @Field(() => ID, { nullable: true, description: 'UUID of the row; null for kinds of rows without one.' })
  rowUuid!: entries.HistoryEntry['rowUuid'];

  @Field(() => String, {
    nullable: true,
    description:
      'Present name of the row: that of its person for a shift, of its position for a call time; null if it is gone.',
  })
  rowName!: entries.HistoryEntry['rowName'];

  /** Number of the event that the row is, or belongs to. */
  eventId!: entries.HistoryEntry['eventId'];

  @Field(() => ID, {
    nullable: true,
    description: 'UUID of the event that the row is, or belongs to; null for rows that belong to no event.',
  })
  eventUuid!: entries.HistoryEntry['eventUuid'];

  @Field(() => [HistoryField], {
    description: 'The fields that changed; of a new or a deleted row, those that have a value.',
  })
  fields!: HistoryField[];
}

@ObjectType({ description: 'A page of the history, newest first.', simpleResolvers: true })
export class HistoryEntryConnection extends connectionTo(HistoryEntry, 'HistoryEntry', 'changes') {}

@InputType('HistoryFilter', { description: 'Filter of the history. All given conditions must hold.' })
export class HistoryFilter {
  @RowIdField('Event', {
    nullable: true,
    description: 'Changes of the event of this id or uuid, its call times, shifts and custom field values.',
  })
  eventId?: string | null;

  @Field(() => HistoryKind, { nullable: true, description: 'Changes of rows of this kind.' })
  kind?: entries.HistoryKind | null;

  @Field(() => ID, { nullable: true, description: 'Changes of the row of this uuid, such as that of a work shift.' })
  rowUuid?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Changes of the row of this `databaseId`, such as that of a user; needs `kind`.',
  })
  rowDatabaseId?: number | null;

  @Field(() => HistoryActor, { nullable: true, description: 'Changes by this kind of caller.' })
  actorKind?: entries.HistoryActor | null;

  @Field(() => Int, { nullable: true, description: 'Changes by the user or API key with this `actorDatabaseId`.' })
  actorDatabaseId?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Changes by exactly this operation, such as `workShifts.update`.',
  })
  operation?: string | null;

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'Changes at this instant or later.' })
  from?: Date | null;

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'Changes before this instant.' })
  to?: Date | null;
}

@ArgsType()
export class HistoryArgs extends CursorArgs {
  @Field(() => HistoryFilter, { nullable: true, description: 'Lists only changes that match this filter.' })
  filter?: HistoryFilter | null;
}
