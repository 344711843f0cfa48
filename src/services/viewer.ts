import { operation } from '../access/operation.ts';
import type { CallScope } from '../access/scope.ts';
import { everyRole } from '../access/permissions.ts';
import { forbidden, unauthenticated } from '../errors.ts';
import { noInput } from '../validation/schemas.ts';

/** Returns the caller as read for this request. */
export const get = operation({
  name: 'viewer.get',
  roles: everyRole,
  scopes: 'none',
  // It reads nothing: the caller was read with the data version.
  replica: 'snapshot',
  isLight: true,
  input: noInput,
  run: async ({ actor }) => {
    // A screen is no viewer: its role does not allow the operation.
    if (actor.kind === 'screen') throw forbidden();
    return actor;
  },
});

/** The business of a known caller, as it was read for this request. */
export function businessOf({ actor }: CallScope) {
  if (actor.kind === 'anonymous') throw unauthenticated();
  const { businessId, businessName, plan, timezone, weekStart, dropDeadlineHours, adminsDrop } = actor;
  const hasShifts = actor.kind !== 'screen' && actor.role !== 'client';
  return {
    ...{ id: businessId, name: businessName, plan, timezone, weekStart },
    ...(hasShifts && { dropDeadlineHours, adminsDrop }),
  };
}
