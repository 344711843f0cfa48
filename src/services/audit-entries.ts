import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { admin } from '../access/permissions.ts';
import { limits } from '../config/limits.ts';
import { auditCursorOrder, readAuditEntryPage, countAuditEntries } from '../db/audit-entries.ts';
import { pageInput } from '../paging/input.ts';
import { readPage } from '../paging/pages.ts';
import { closed, instant, int4, oneOf, text } from '../validation/schemas.ts';

const auditFilter = Type.Object(
  {
    action: Type.Optional(text(limits.auditActionChars)),
    actorKind: Type.Optional(oneOf(['user', 'apiKey', 'anonymous', 'operator'])),
    actorId: Type.Optional(int4(1)),
    outcome: Type.Optional(oneOf(['done', 'refused', 'failed'])),
    from: Type.Optional(instant('Not before.')),
    to: Type.Optional(instant('Before.')),
  },
  closed,
);

/** Reads one page of the audit trail of the business, newest first. */
export const list = operation({
  name: 'audit.list',
  roles: admin,
  scopes: ['full'],
  apiKey: false,
  input: Type.Object({ filter: Type.Optional(auditFilter), ...pageInput() }, closed),
  run: (scope, { filter = {}, ...request }) =>
    readPage(scope, request, {
      order: auditCursorOrder,
      rows: (window) => readAuditEntryPage(scope.db, filter, window),
      count: () => countAuditEntries(scope.db, filter),
    }),
});
