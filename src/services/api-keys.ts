import Type from 'typebox';
import { isPublicId, newApiKey } from '../access/api-keys.ts';
import { operation } from '../access/operation.ts';
import { limits } from '../config/limits.ts';
import { notFound } from '../errors.ts';
import { closed, visibleText } from '../validation/schemas.ts';

/** What may be shown of a key. It is named by its public id; the secret is in none of these. */
export const shown = { publicId: true, name: true, lastFour: true, createdAt: true, lastUsedAt: true } as const;

export const createKeyInput = Type.Object(
  { name: visibleText(limits.keyNameChars, { description: 'Purpose of the key.', examples: ['Payroll export'] }) },
  closed,
);

/** The business's active keys, oldest first. */
export const list = operation('apiKeys.list', Type.Object({}, closed), (scope) =>
  scope.db.apiKey.findMany({ where: { revokedAt: null }, orderBy: { id: 'asc' }, select: shown }),
);

/** Makes a key; the answer alone holds it, and it is shown this once. */
export const create = operation('apiKeys.create', createKeyInput, async (scope, { name }) => {
  const { key, ...stored } = newApiKey();
  const record = await scope.transaction(async (tx) => {
    const { id, ...made } = await tx.db.apiKey.create({
      data: {
        ...stored,
        name,
        businessId: tx.businessId,
        createdAt: tx.clock(),
        createdById: tx.actor.kind === 'user' ? tx.actor.userId : null,
      },
      select: { ...shown, id: true },
    });
    tx.note({ id, details: { keyId: made.publicId, name } });
    return made;
  });
  return { key, ...record };
});

/** Revokes one key; a revoked one is as unknown as one that never was. */
export const revoke = operation('apiKeys.revoke', Type.Object({ id: Type.String() }, closed), async (scope, { id }) => {
  if (!isPublicId(id)) throw notFound('API key');
  await scope.transaction(async (tx) => {
    const [revoked] = await tx.db.apiKey.updateManyAndReturn({
      where: { publicId: id, revokedAt: null },
      data: { revokedAt: tx.clock() },
      select: { id: true, name: true },
    });
    if (!revoked) throw notFound('API key');
    tx.note({ id: revoked.id, details: { keyId: id, name: revoked.name } });
  });
});

/** Revokes all keys of the business; answers how many. */
export const revokeAll = operation('apiKeys.revokeAll', Type.Object({}, closed), (scope) =>
  scope.transaction(async (tx) => {
    const { count } = await tx.db.apiKey.updateMany({
      where: { revokedAt: null },
      data: { revokedAt: tx.clock() },
    });
    if (count > 0) tx.note({ id: tx.businessId, details: { revokedKeys: count } });
    return count;
  }),
);
