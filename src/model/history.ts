import { GraphQLJSON } from 'graphql-scalars';
import { Field, ObjectType } from 'type-graphql';
import type * as entries from '../fields/history.ts';
import { connectionTo } from './connection-to.ts';
import { HistoryActor, HistoryChange, HistoryKind } from './enums.ts';
import { ZonedTime } from './zoned-times.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({ description: 'A field that a change set, with its values before and after.', simpleResolvers: true })
export class HistoryField
  extends objectWith({
    name: field.text('Name of the field, such as `startTime`.'),
    beforeName: field.text.orNull(
      'Present name of the row that `before` is the number of, such as that of a user; null for other fields.',
    ),
    afterName: field.text.orNull('Present name of the row that `after` is the number of.'),
  })
  implements Pick<entries.HistoryField, 'name' | 'beforeName' | 'afterName'>
{
  @Field(() => GraphQLJSON, {
    nullable: true,
    simple: false,
    description:
      'The value before; null if there was none. A time of an event is as the clocks at the event show it, an amount is text.',
  })
  before!: entries.HistoryField['before'];

  @Field(() => GraphQLJSON, { nullable: true, simple: false, description: 'The value after; null if there is none.' })
  after!: entries.HistoryField['after'];
}

@ObjectType({
  description:
    'The change of one row: who made it, when, by which operation, and its fields before and after. Entries never change.',
})
export class HistoryEntry
  extends objectWith({
    at: field.instant('When, UTC.'),
    atEvent: field
      .of(ZonedTime)
      .orNull('When, as the clocks at the event showed it; null for rows that belong to no event.'),
    actorKind: field.of(HistoryActor).orNull('Kind of caller; null: the service itself.'),
    actorId: field.int.orNull('Number of the user or of the API key that called; null for others.', {
      name: 'actorDatabaseId',
      simple: false,
    }),
    actorName: field.text.orNull('Name of the caller at that time; null if the caller has none.'),
    operation: field.text.orNull(
      'The operation, such as `workShifts.update`, or `cli.` and a command of the operator; null if not noted.',
    ),
    requestId: field.text.orNull(
      'Request id of the answer (`X-Request-Id`) and of the log; null if no request made the change.',
    ),
    revision: field.text(
      'Data version of the business that the change led to. Rows that changed together have the same.',
    ),
    kind: field.of(HistoryKind)('Kind of the row.'),
    change: field.of(HistoryChange)('What happened to the row.'),
    rowId: field.int('Number of the row; of the value of a custom field, that of the custom field.', {
      name: 'rowDatabaseId',
      simple: false,
    }),
    rowUuid: field.id.orNull('UUID of the row; null for kinds of rows without one.'),
    rowName: field.text.orNull(
      'Present name of the row: that of its person for a shift, of its position for a call time; null if it is gone.',
    ),
    eventUuid: field.id.orNull(
      'UUID of the event that the row is, or belongs to; null for rows that belong to no event.',
    ),
    fields: field.of([HistoryField])('The fields that changed; of a new or a deleted row, those that have a value.'),
  })
  implements Omit<entries.HistoryEntry, 'fields' | 'eventTitle'>
{
  /** Number of the event that the row is, or belongs to. */
  eventId!: entries.HistoryEntry['eventId'];
}

@ObjectType({ description: 'A page of the history, newest first.' })
export class HistoryEntryConnection extends connectionTo(HistoryEntry, 'HistoryEntry', 'changes') {}
