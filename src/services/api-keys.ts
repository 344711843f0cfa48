import Type from 'typebox';
import { isPublicId, generateApiKey } from '../access/api-keys.ts';
import { operation } from '../access/operation.ts';
import { admin } from '../access/permissions.ts';
import { limits } from '../config/limits.ts';
import { notFound } from '../errors.ts';
import { closed, noInput, visibleText } from '../validation/schemas.ts';

/** The columns of a key that may be shown. A key is named by its public id; no column here holds the secret. */
export const shown = { publicId: true, name: true, lastFour: true, createdAt: true, lastUsedAt: true } as const;

export const createKeyInput = Type.Object(
  { name: visibleText(limits.keyNameChars, { description: 'Purpose of the key.', examples: ['Payroll export'] }) },
  closed,
);

/** Lists the active keys of the business, oldest first. */
export const list = operation({
  name: 'apiKeys.list',
  roles: admin,
  apiKey: false,
  input: noInput,
  run: (scope) => scope.db.apiKey.findMany({ where: { revokedAt: null }, orderBy: { id: 'asc' }, select: shown }),
});

/** Creates a key. Only this answer holds the secret, so it is shown once. */
export const create = operation({
  name: 'apiKeys.create',
  roles: admin,
  apiKey: false,
  writes: true,
  audited: true,
  idempotent: {
    insteadOfSecret:
      'The API key was made by the first call, and its secret was shown once. Where that answer was lost, revoke the key and make another.',
  },
  input: createKeyInput,
  run: async (scope, { name }) => {
    const { key, ...stored } = generateApiKey();
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
      tx.record({ kind: 'apiKey', id, details: { keyId: made.publicId, name } });
      return made;
    });
    return { key, ...record };
  },
});

/** Revokes one key. A key that is revoked already gets the same answer as one that never existed. */
export const revoke = operation({
  name: 'apiKeys.revoke',
  roles: admin,
  apiKey: false,
  writes: true,
  audited: true,
  input: Type.Object({ id: Type.String() }, closed),
  run: async (scope, { id }) => {
    if (!isPublicId(id)) throw notFound('API key');
    await scope.transaction(async (tx) => {
      const [revoked] = await tx.db.apiKey.updateManyAndReturn({
        where: { publicId: id, revokedAt: null },
        data: { revokedAt: tx.clock() },
        select: { id: true, name: true },
      });
      if (!revoked) throw notFound('API key');
      tx.record({ kind: 'apiKey', id: revoked.id, details: { keyId: id, name: revoked.name } });
    });
  },
});

/** Revokes all keys of the business. Returns how many. */
export const revokeAll = operation({
  name: 'apiKeys.revokeAll',
  roles: admin,
  apiKey: false,
  writes: true,
  audited: true,
  input: noInput,
  run: (scope) =>
    scope.transaction(async (tx) => {
      const { count } = await tx.db.apiKey.updateMany({
        where: { revokedAt: null },
        data: { revokedAt: tx.clock() },
      });
      if (count > 0) tx.record({ kind: 'business', id: tx.businessId, details: { revokedKeys: count } });
      return count;
    }),
});
