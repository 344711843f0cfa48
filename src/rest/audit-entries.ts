import Type, { type Static } from 'typebox';
import type { AuditEntryRow } from '../db/audit-entries.ts';
import { auditActors, auditOutcomes, codesOf } from '../fields/codes.ts';
import { pageNumberInput } from '../paging/input.ts';
import * as auditEntries from '../services/audit-entries.ts';
import { oneOf } from '../validation/schemas.ts';
import { textSchema, utcStampSchema } from './formats.ts';
import { splitListQuery } from './list-query.ts';
import { listRoute } from './lists.ts';
import type { RestApp } from './route.ts';
import { viewOf } from './views.ts';

const { action, outcome, actorKind } = auditEntries.auditFilter.properties;

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const idOrNull = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

const { schema: AuditEntryView, serialize: serializeEntry } = viewOf<AuditEntryRow>('AuditEntry')({
  id: Type.Integer({ description: 'Id of the entry.' }),
  at: utcStampSchema('When'),
  action: textSchema('The operation, such as `users.update`, or `cli.` and a command of the operator.'),
  outcome: [oneOf(codesOf(auditOutcomes), 'How it ended.'), (row) => row.outcome as Static<typeof outcome & object>],
  actor_kind: [
    oneOf(codesOf(auditActors), 'What kind of caller it was.'),
    (row) => row.actorKind as Static<typeof actorKind & object>,
  ],
  actor_id: idOrNull('Id of the user or of the API key that called; null for others.'),
  actor_name: textOrNull('Name of the caller at that time; null if the caller has none.'),
  subject_kind: textOrNull(
    'Kind of row that was affected: `user`, `apiKey`, `screen`, `webhookEndpoint` or `business`; null if there was none.',
  ),
  subject_id: idOrNull('Id of the user, API key, webhook or business that was affected.'),
  details: [
    Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description:
        'The change: for each field `from` and `to`, or what was created or revoked. Never contains a secret.',
    }),
    (row) => row.details as Record<string, unknown> | null,
  ],
  address: textOrNull('IP address of the caller; null for the command line.'),
  request_id: textOrNull('`X-Request-Id` of the answer; null for the command line.'),
});

const auditQuery = Type.Object({ ...auditEntries.auditFilter.properties, action, ...pageNumberInput() });

export function auditEntryRoutes(app: RestApp): void {
  listRoute(app, {
    url: '/v1/audit_entries',
    calls: auditEntries.list,
    tag: 'Audit trail',
    isExtension: true,
    summary: 'List the audit trail of the business, newest first',
    description: 'Log-ins, changes of users, passwords, tokens, API keys and webhooks, and refused calls.',
    query: auditQuery,
    errorNames: { filter: '' },
    item: AuditEntryView,
    read: (scope, { query }) => auditEntries.list(scope, splitListQuery(query)),
    serializeAll: () => serializeEntry,
  });
}
