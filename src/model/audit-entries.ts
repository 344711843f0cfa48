import { GraphQLDateTimeISO, GraphQLJSONObject } from 'graphql-scalars';
import { ArgsType, Field, InputType, Int, ObjectType } from 'type-graphql';
import type { AuditEntryRow } from '../db/audit-entries.ts';
import { AuditActor, AuditOutcome } from './enums.ts';
import { DatabaseId, Node } from './nodes.ts';
import { CursorArgs } from './page-args.ts';
import { PageInfo } from './page-info.ts';

@ObjectType({
  description: 'A change of users, passwords, tokens, API keys or webhooks, or a refused call. Entries never change.',
  implements: Node,
  simpleResolvers: true,
})
export class AuditEntry implements AuditEntryRow {
  @DatabaseId()
  id!: AuditEntryRow['id'];

  @Field(() => GraphQLDateTimeISO, { description: 'When, UTC.' })
  at!: AuditEntryRow['at'];

  @Field(() => String, {
    description: 'The operation, such as `users.update`, or `cli.` and a command of the operator.',
  })
  action!: AuditEntryRow['action'];

  @Field(() => AuditOutcome, { description: 'How it ended.' })
  outcome!: AuditEntryRow['outcome'];

  @Field(() => AuditActor, { description: 'What kind of caller it was.' })
  actorKind!: AuditEntryRow['actorKind'];

  @Field(() => Int, {
    name: 'actorDatabaseId',
    simple: false,
    nullable: true,
    description: 'Number of the user or of the API key that called; null for others.',
  })
  actorId!: AuditEntryRow['actorId'];

  @Field(() => String, { nullable: true, description: 'Name of the caller at that time; null if the caller has none.' })
  actorName!: AuditEntryRow['actorName'];

  @Field(() => String, {
    nullable: true,
    description:
      'Kind of row that was affected: `user`, `apiKey`, `screen`, `webhookEndpoint` or `business`; null if there was none.',
  })
  subjectKind!: AuditEntryRow['subjectKind'];

  @Field(() => Int, {
    name: 'subjectDatabaseId',
    simple: false,
    nullable: true,
    description: 'Number of the user, API key, webhook or business that was affected.',
  })
  subjectId!: AuditEntryRow['subjectId'];

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'The change: for each field `from` and `to`, or what was created or revoked. Never contains a secret.',
  })
  details!: AuditEntryRow['details'];

  @Field(() => String, { nullable: true, description: 'IP address of the caller; null for the command line.' })
  address!: AuditEntryRow['address'];

  @Field(() => String, {
    nullable: true,
    description: 'Request id of the answer (`X-Request-Id`) and of the log; null for the command line.',
  })
  requestId!: AuditEntryRow['requestId'];
}

@ObjectType({ description: 'An audit entry with its cursor.', simpleResolvers: true })
export class AuditEntryEdge {
  @Field(() => String, { description: 'Cursor of this item, to be sent as `after`.' })
  cursor!: string;

  @Field(() => AuditEntry, { description: 'The entry.' })
  node!: AuditEntry;
}

@ObjectType({ description: 'A page of the audit trail, read by number or from a cursor on.', simpleResolvers: true })
export class AuditEntryConnection {
  @Field(() => [AuditEntry], { description: 'The entries of this page, newest first.' })
  nodes!: AuditEntry[];

  @Field(() => [AuditEntryEdge], { description: 'The entries of this page, each with its cursor.' })
  edges!: AuditEntryEdge[];

  @Field(() => Int, { simple: false, description: 'Entries on all pages. Counted only when asked for.' })
  totalCount!: number;

  @Field(() => PageInfo, { description: 'Position of this page in the whole list.' })
  pageInfo!: PageInfo;
}

@InputType('AuditEntryFilter', {
  description: 'Filter of audit entries. All given conditions must hold; null means no condition.',
})
export class AuditEntryFilter {
  @Field(() => String, { nullable: true, description: 'Entries with exactly this action, such as `users.update`.' })
  action?: string | null;

  @Field(() => AuditActor, { nullable: true, description: 'Entries of this kind of caller.' })
  actorKind?: (typeof AuditActor)[keyof typeof AuditActor] | null;

  @Field(() => Int, { nullable: true, description: 'Entries of the user or API key with this `actorDatabaseId`.' })
  actorDatabaseId?: number | null;

  @Field(() => AuditOutcome, { nullable: true, description: 'Entries with this outcome.' })
  outcome?: (typeof AuditOutcome)[keyof typeof AuditOutcome] | null;

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'Entries at this instant or later.' })
  from?: Date | null;

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'Entries before this instant.' })
  to?: Date | null;
}

@ArgsType()
export class AuditEntryListArgs extends CursorArgs {
  @Field(() => AuditEntryFilter, { nullable: true, description: 'Lists only entries that match this filter.' })
  filter?: AuditEntryFilter | null;
}
