import Type from 'typebox';
import { isPublicId, newApiKey } from '../access/api-keys.ts';
import { operation } from '../access/operation.ts';
import { limits } from '../config.ts';
import { notFound } from '../errors.ts';
import { closed, visibleText } from '../validation.ts';

/** What may be shown of a key. It is named by its public id; the secret is in none of these. */
export const shown = { publicId: true, name: true, lastFour: true, createdAt: true, lastUsedAt: true } as const;

export const createKeyInput = Type.Object(
  { name: visibleText(limits.keyNameChars, { description: 'What the key is for.', examples: ['Payroll export'] }) },
  closed,
);

/** The business's active keys, oldest first. */
export const list = operation('apiKeys.list', Type.Object({}, closed), (scope) =>
  scope.db.apiKey.findMany({ where: { revokedAt: null }, orderBy: { id: 'asc' }, select: shown }),
);

/** Makes a key; the answer alone holds it, and it is shown this once. */
export const create = operation('apiKeys.create', createKeyInput, async (scope, { name }) => {
  const { key, ...stored } = newApiKey();
  const record = await scope.db.apiKey.create({
    data: {
      ...stored,
      name,
      businessId: scope.businessId,
      createdAt: scope.clock(),
      createdById: scope.actor.kind === 'user' ? scope.actor.userId : null,
    },
    select: shown,
  });
  return { key, ...record };
});

/** Revokes one key; a revoked one is as unknown as one that never was. */
export const revoke = operation('apiKeys.revoke', Type.Object({ id: Type.String() }, closed), async (scope, { id }) => {
  const { count } = isPublicId(id)
    ? await scope.db.apiKey.updateMany({
        where: { publicId: id, revokedAt: null },
        data: { revokedAt: scope.clock() },
      })
    : { count: 0 };
  if (count === 0) throw notFound('API key');
});

/** Revokes all keys of the business; answers how many. */
export const revokeAll = operation('apiKeys.revokeAll', Type.Object({}, closed), async (scope) => {
  const { count } = await scope.db.apiKey.updateMany({
    where: { revokedAt: null },
    data: { revokedAt: scope.clock() },
  });
  return count;
});
