import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { limits } from '../config/limits.ts';
import { auditEntryPage, auditOrder, countAuditEntries, placeOfEntry } from '../db/audit-entries.ts';
import { browse, browsing } from '../paging/browsing.ts';
import { isInstant } from '../paging/cursor.ts';
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

/** The audit trail of the business, newest first: a page by number, or from a cursor on. */
export const list = operation(
  'audit.list',
  Type.Object({ filter: Type.Optional(auditFilter), ...browsing() }, closed),
  (scope, { filter = {}, ...window }) =>
    browse(scope, window, {
      order: auditOrder,
      placeOf: placeOfEntry,
      isPlace: ({ value }) => isInstant(value),
      rows: (rows) => auditEntryPage(scope.db, filter, rows),
      countAll: () => countAuditEntries(scope.db, filter),
    }),
);
