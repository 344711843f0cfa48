import { GraphQLDateTimeISO, GraphQLJSONObject } from 'graphql-scalars';
import { ArgsType, Field, InputType, Int, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type { AuditEntryRow } from '../db/audit-entries.ts';
import { AuditActor, AuditOutcome } from './enums.ts';
import { PageArgs } from './page-args.ts';
import { PageInfo } from './page-info.ts';

@ObjectType({
  description:
    'Something that was done to users, passwords, tokens or API keys, or that a caller was refused. Entries are never changed.',
  simpleResolvers: true,
})
export class AuditEntry implements AuditEntryRow {
  @Field(() => Int, { description: 'Id of the entry.' })
  id!: AuditEntryRow['id'];

  @Field(() => GraphQLDateTimeISO, { description: 'When, UTC.' })
  at!: AuditEntryRow['at'];

  @Field(() => String, {
    description: 'What was called: an operation such as `users.update`, or `cli.` and a command of the operator.',
  })
  action!: AuditEntryRow['action'];

  @Field(() => AuditOutcome, { description: 'How it ended.' })
  outcome!: AuditEntryRow['outcome'];

  @Field(() => AuditActor, { description: 'What kind of caller it was.' })
  actorKind!: AuditEntryRow['actorKind'];

  @Field(() => Int, { nullable: true, description: 'Id of the user or of the API key that called; null for others.' })
  actorId!: AuditEntryRow['actorId'];

  @Field(() => String, { nullable: true, description: 'Name of the caller at the time; null for who has none.' })
  actorName!: AuditEntryRow['actorName'];

  @Field(() => String, {
    nullable: true,
    description: 'What it was done to: `user`, `apiKey` or `business`; null where it was done to nothing.',
  })
  subjectKind!: AuditEntryRow['subjectKind'];

  @Field(() => Int, { nullable: true, description: 'Id of what it was done to.' })
  subjectId!: AuditEntryRow['subjectId'];

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'What changed: by field `from` and `to`, or what was made or ended. Never a secret.',
  })
  details!: AuditEntryRow['details'];

  @Field(() => String, { nullable: true, description: 'IP address of the caller; null for the command line.' })
  address!: AuditEntryRow['address'];

  @Field(() => String, {
    nullable: true,
    description: 'What the answer called the request (`X-Request-Id`), and the log does; null for the command line.',
  })
  requestId!: AuditEntryRow['requestId'];
}

@ObjectType({ description: 'An entry of the audit trail, and its place in the list.', simpleResolvers: true })
export class AuditEntryEdge {
  @Field(() => String, { description: 'Names this place in the list: to be sent as `after`.' })
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

  @Field(() => PageInfo, { description: 'Where this page stands among all.' })
  pageInfo!: PageInfo;
}

@InputType('AuditEntryFilter', {
  description: 'What entries must be like to be listed; all of what is given holds. Null is the same as not given.',
})
export class AuditEntryFilter {
  @Field(() => String, { nullable: true, description: 'Exactly this action, such as `users.update`.' })
  action?: string | null;

  @Field(() => AuditActor, { nullable: true, description: 'By a caller of this kind.' })
  actorKind?: (typeof AuditActor)[keyof typeof AuditActor] | null;

  @Field(() => Int, { nullable: true, description: 'By the user, or the API key, of this id.' })
  actorId?: number | null;

  @Field(() => AuditOutcome, { nullable: true, description: 'Ended like this.' })
  outcome?: (typeof AuditOutcome)[keyof typeof AuditOutcome] | null;

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'At this instant or later.' })
  from?: Date | null;

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'Before this instant.' })
  to?: Date | null;
}

@ArgsType()
export class AuditEntryListArgs extends PageArgs {
  @Field(() => AuditEntryFilter, { nullable: true, description: 'Only entries like this.' })
  filter?: AuditEntryFilter | null;

  @Field(() => Int, {
    nullable: true,
    description: `Read from a cursor on instead of by page number: how many, at most ${limits.perPageMax}; ${limits.perPageDefault} if only \`after\` is given.`,
  })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the entry behind which to go on; from the newest if not given.',
  })
  after?: string | null;
}
