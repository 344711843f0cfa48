import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { admin, adminRead } from '../access/permissions.ts';
import { readBusiness, setOwnUniqueResourceIds } from '../db/businesses.ts';
import { isUniqueViolation } from '../db/engine/failures.ts';
import { conflict } from '../errors.ts';
import { closed, noInput } from '../validation/schemas.ts';

export const businessChanges = Type.Object(
  {
    uniqueResourceIds: Type.Optional(
      Type.Boolean({
        description:
          'Whether no two events that are not deleted may have the same `resource_id`. Refused while two of them have.',
      }),
    ),
  },
  closed,
);

export const get = operation({
  ...adminRead,
  name: 'business.get',
  input: noInput,
  run: ({ db }) => readBusiness(db),
});

/** Changes settings of the business. */
export const update = operation({
  name: 'business.update',
  roles: admin,
  scopes: ['full'],
  writes: true,
  audited: true,
  input: businessChanges,
  run: (scope, { uniqueResourceIds }) =>
    scope.transaction(async (tx) => {
      const before = await readBusiness(tx.db);
      if (uniqueResourceIds === undefined || uniqueResourceIds === before.uniqueResourceIds) return before;
      await refuseSharedResourceIds(setOwnUniqueResourceIds(tx.db, uniqueResourceIds));
      const details = { uniqueResourceIds: { from: before.uniqueResourceIds, to: uniqueResourceIds } };
      tx.record({ kind: 'business', id: tx.businessId, details });
      return { ...before, uniqueResourceIds };
    }),
});

/** Turns a violation of the unique index, while the setting is switched on, into a conflict. */
export async function refuseSharedResourceIds(change: Promise<void>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (!isUniqueViolation(error, 'unique_resource_id')) throw error;
    throw conflict('Some events have the same resource id: make them differ first.', {
      uniqueResourceIds: ['cannot be true while events share a resource id'],
    });
  }
}

/** Turns a violation of the same index, when an event is written, into a conflict that names the field. */
export async function refuseTakenResourceId<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isUniqueViolation(error, 'unique_resource_id'))
      throw conflict('Another event of the business has this resource id.', { resourceId: ['is taken'] });
    throw error;
  }
}
