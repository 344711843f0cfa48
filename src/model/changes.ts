import { ArgsType, Field, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { numberedNouns } from '../fields/catalogs.ts';
import { ChangeKind, ChangeOperation } from './enums.ts';
import { Node } from './nodes.ts';
import { field, inputOn, inputWith, objectWith } from './shapes.ts';

@ObjectType({ description: 'A changed row.', simpleResolvers: true })
export class Change extends objectWith({
  kind: field.of(ChangeKind)('Kind of the row.'),
  op: field.of(ChangeOperation)('What happened. The tombstone of an event stands for its call times and shifts too.'),
  nodeId: field.id('Global id of the row.'),
  databaseId: field.databaseId,
  uuid: field.id.orNull(`UUID of the row; null for kinds that have none: ${numberedNouns}.`),
}) {
  @Field(() => Node, { nullable: true, description: 'The row as it is now; null unless `op` is CHANGED.' })
  node!: Node | null;
}

@ObjectType({ description: 'Rows that changed behind a cursor.' })
export class ChangePage extends objectWith({
  changes: field.of([Change])('One entry a row: parents before the rows that point to them, and tombstones last.'),
  nextCursor: field.text('To be sent as `after` the next time, also if nothing has changed.'),
  hasMore: field.flag('Whether more has changed already.'),
}) {}

@ArgsType()
export class ChangeArgs extends inputWith({
  after: field.text.orNull(
    'Cursor of an earlier answer. Without it, nothing is listed, and `nextCursor` is the cursor of now.',
  ),
  kinds: field.of([ChangeKind]).orNull('Lists only rows of these kinds.'),
  eventId: field.rowId('Event').orNull('Lists only the event of this id and what belongs to it.'),
}) {}

@ArgsType()
export class ChangePageArgs extends inputOn(ChangeArgs, {
  first: field.int.orNull(
    `How many entries of the change log are read for one answer, at most ${limits.pageRows}. Default: ${limits.perPageMax}.`,
  ),
}) {}
