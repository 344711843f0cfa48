import { ArgsType, Field, ID, Int, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { numberedNouns } from '../fields/catalogs.ts';
import type { ChangeKind as Kind, ChangeOp } from '../fields/change-kinds.ts';
import { ChangeKind, ChangeOperation } from './enums.ts';
import { DatabaseId, Node } from './nodes.ts';
import { RowIdField } from './row-ids.ts';

@ObjectType({ description: 'A changed row.', simpleResolvers: true })
export class Change {
  @Field(() => ChangeKind, { description: 'Kind of the row.' })
  kind!: Kind;

  @Field(() => ChangeOperation, {
    description: 'What happened. The tombstone of an event stands for its call times and shifts too.',
  })
  op!: ChangeOp;

  @Field(() => ID, { description: 'Global id of the row.' })
  nodeId!: string;

  @DatabaseId()
  databaseId!: number;

  @Field(() => ID, {
    nullable: true,
    description: `UUID of the row; null for kinds that have none: ${numberedNouns}.`,
  })
  uuid!: string | null;

  @Field(() => Node, { nullable: true, description: 'The row as it is now; null unless `op` is CHANGED.' })
  node!: Node | null;
}

@ObjectType({ description: 'Rows that changed behind a cursor.', simpleResolvers: true })
export class ChangePage {
  @Field(() => [Change], {
    description: 'One entry a row: parents before the rows that point to them, and tombstones last.',
  })
  changes!: Change[];

  @Field(() => String, { description: 'To be sent as `after` the next time, also if nothing has changed.' })
  nextCursor!: string;

  @Field(() => Boolean, { description: 'Whether more has changed already.' })
  hasMore!: boolean;
}

@ArgsType()
export class ChangeArgs {
  @Field(() => String, {
    nullable: true,
    description: 'Cursor of an earlier answer. Without it, nothing is listed, and `nextCursor` is the cursor of now.',
  })
  after?: string | null;

  @Field(() => [ChangeKind], { nullable: true, description: 'Lists only rows of these kinds.' })
  kinds?: Kind[] | null;

  @RowIdField('Event', { nullable: true, description: 'Lists only the event of this id and what belongs to it.' })
  eventId?: string | null;
}

@ArgsType()
export class ChangePageArgs extends ChangeArgs {
  @Field(() => Int, {
    nullable: true,
    description: `How many entries of the change log are read for one answer, at most ${limits.pageRows}. Default: ${limits.perPageMax}.`,
  })
  first?: number | null;
}
