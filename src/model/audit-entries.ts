import { GraphQLJSONObject } from 'graphql-scalars';
import { ObjectType } from 'type-graphql';
import type { AuditEntryRow } from '../db/audit-entries.ts';
import { AuditActor, AuditOutcome } from './enums.ts';
import { connectionTo } from './connection-to.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({
  description: 'A change of users, passwords, tokens, API keys or webhooks, or a refused call. Entries never change.',
  implements: Node,
})
export class AuditEntry
  extends objectWith({
    id: field.databaseId,
    at: field.instant('When, UTC.'),
    action: field.text('The operation, such as `users.update`, or `cli.` and a command of the operator.'),
    outcome: field.of(AuditOutcome)('How it ended.'),
    actorKind: field.of(AuditActor)('What kind of caller it was.'),
    actorId: field.int.orNull('Number of the user or of the API key that called; null for others.', {
      name: 'actorDatabaseId',
      simple: false,
    }),
    actorName: field.text.orNull('Name of the caller at that time; null if the caller has none.'),
    subjectKind: field.text.orNull(
      'Kind of row that was affected: `user`, `apiKey`, `screen`, `webhookEndpoint` or `business`; null if there was none.',
    ),
    subjectId: field.int.orNull('Number of the user, API key, webhook or business that was affected.', {
      name: 'subjectDatabaseId',
      simple: false,
    }),
    details: field
      .of(GraphQLJSONObject)
      .orNull('The change: for each field `from` and `to`, or what was created or revoked. Never contains a secret.'),
    address: field.text.orNull('IP address of the caller; null for the command line.'),
    requestId: field.text.orNull(
      'Request id of the answer (`X-Request-Id`) and of the log; null for the command line.',
    ),
  })
  implements AuditEntryRow {}

@ObjectType({ description: 'A page of the audit trail, newest first, read by number or from a cursor on.' })
export class AuditEntryConnection extends connectionTo(AuditEntry, 'AuditEntry', 'entries') {}
