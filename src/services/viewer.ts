import { operation } from '../access/operation.ts';
import { everyRole } from '../access/permissions.ts';
import { noInput } from '../validation/schemas.ts';

/** Returns the caller as read for this request. */
export const get = operation({
  name: 'viewer.get',
  roles: everyRole,
  scopes: 'none',
  input: noInput,
  run: async (scope) => scope.actor,
});
