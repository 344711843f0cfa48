import { operation } from '../access/operation.ts';
import { everyRole } from '../access/permissions.ts';
import { attemptLimits, limits } from '../config/limits.ts';
import { closedObject, int4 } from '../validation/schemas.ts';

/** Opens a snapshot of the database that is read in pages of at most `pageRowsMax` rows. The caller closes it. */
export const open = operation({
  name: 'exports.open',
  roles: everyRole,
  scopes: ['read'],
  replica: 'nothing',
  attempts: attemptLimits.openExport,
  input: closedObject({ pageRowsMax: int4(1, limits.pageRows) }),
  run: (_scope, { pageRowsMax }, { openSnapshot }) => openSnapshot(pageRowsMax),
});
