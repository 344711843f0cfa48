import { Field, ObjectType } from 'type-graphql';
import { numberedNouns } from '../fields/catalogs.ts';
import { ChangeKind, ChangeOperation } from './enums.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';

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
