import Type from 'typebox';
import { operation, variantOf } from '../access/operation.ts';
import { admin } from '../access/permissions.ts';
import { limits } from '../config/limits.ts';
import { auditCursorOrder, readAuditEntryPage, countAuditEntries } from '../db/audit-entries.ts';
import { auditActors, auditOutcomes, codesOf } from '../fields/codes.ts';
import { pageInput } from '../paging/input.ts';
import { pageRule, readPage } from '../paging/pages.ts';
import { closedObject, int4, oneOf, optionalFields, rowNumber, text, utcInstant } from '../validation/schemas.ts';

export const auditFilter = optionalFields({
  action: text(limits.labelChars, { description: 'Lists only entries with this action, such as `users.update`.' }),
  actorKind: oneOf(codesOf(auditActors), 'Lists only entries of such callers.'),
  actorId: rowNumber('Lists only entries of the user or API key with this id.'),
  outcome: oneOf(codesOf(auditOutcomes), 'Lists only entries with this outcome.'),
  from: utcInstant('Lists only entries of then or later.'),
  to: utcInstant('Lists only entries before.'),
});

/** Reads one page of the audit trail of the business, newest first. */
export const list = operation({
  name: 'audit.list',
  roles: admin,
  scopes: ['full'],
  apiKey: false,
  input: closedObject({ filter: Type.Optional(auditFilter), ...pageInput() }),
  rules: [pageRule],
  run: (scope, { filter = {}, ...request }) =>
    readPage(scope, request, {
      order: auditCursorOrder,
      rows: (window) => readAuditEntryPage(scope.db, filter, window),
      count: () => countAuditEntries(scope.db, filter),
    }),
});

/** The entries of these ids, newest first. */
export const getByIds = variantOf(list, {
  input: closedObject({ ids: Type.Array(int4(1)) }),
  run: ({ db }, { ids }) => readAuditEntryPage(db, { ids }, { limit: ids.length }),
});
