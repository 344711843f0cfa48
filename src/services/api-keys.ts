import Type, { type Static } from 'typebox';
import { isPublicId, generateApiKey } from '../access/api-keys.ts';
import { fullScopes, normalizeScopes } from '../access/actor.ts';
import { operation, variantOf } from '../access/operation.ts';
import { admin, credentialEdit } from '../access/permissions.ts';
import { credentialScopes } from '../config/credential-scopes.ts';
import { limits } from '../config/limits.ts';
import { readActiveKeys, shownKey } from '../db/api-keys.ts';
import { scopeWords } from '../fields/grants.ts';
import { invalid, notFound } from '../errors.ts';
import { closedObject, utcInstantOrNull, noInput, nullable, oneOf, visibleText } from '../validation/schemas.ts';
import { capitalized } from '../fields/codes.ts';

const scopeTexts = credentialScopes.map((scope) => `\`${capitalized(scope)}\`: ${scopeWords(scope)}.`).join(' ');

export const createKeyInput = closedObject({
  name: visibleText(limits.labelChars, { description: 'Purpose of the key.', examples: ['Payroll export'] }),
  scopes: Type.Optional(
    nullable(
      Type.Array(oneOf(credentialScopes, scopeTexts), {
        minItems: 1,
        maxItems: credentialScopes.length,
        uniqueItems: true,
        description: 'What the key may do. Without it, the key is `FULL`.',
        examples: [['read', 'events:write']],
      }),
    ),
  ),
  expiresAt: Type.Optional(
    utcInstantOrNull(
      `When the key ends: in the future, at most ${limits.keyLifetimeDaysMax} days from now. Without it, the key does not expire.`,
    ),
  ),
});

type KeyInput = Static<typeof createKeyInput>;

/** Columns of a new key. Throws unless its expiry is in the future and not too far away. */
export function newKeyColumns({ name, scopes, expiresAt = null }: KeyInput, now: Date) {
  const errors = findExpiryFaults(expiresAt, now);
  if (errors.expiresAt) throw invalid(errors);
  return { name, scopes: normalizeScopes(scopes ?? fullScopes), createdAt: now, expiresAt };
}

function findExpiryFaults(expiresAt: Date | null, now: Date): { expiresAt?: string[] } {
  const lifetimeMs = expiresAt === null ? 1 : expiresAt.getTime() - now.getTime();
  if (lifetimeMs <= 0) return { expiresAt: ['must be in the future'] };
  if (lifetimeMs <= limits.keyLifetimeDaysMax * dayMs) return {};
  return { expiresAt: [`must be at most ${limits.keyLifetimeDaysMax} days from now`] };
}

const dayMs = 86_400_000;

/** The keys that can be used. One that is revoked or expired is treated like one that never existed. */
export const activeAt = (now: Date) => ({
  revokedAt: null,
  OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
});

/** Facts about a new key for the audit trail. */
export const keyDetails = ({ publicId, name, scopes, expiresAt }: KeyFacts) => ({
  keyId: publicId,
  name,
  scopes,
  ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
});

interface KeyFacts {
  readonly publicId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
}

/** Lists the active keys of the business, oldest first. */
export const list = operation({
  name: 'apiKeys.list',
  roles: admin,
  scopes: ['full'],
  apiKey: false,
  input: noInput,
  run: ({ db, clock }) => readActiveKeys(db, clock()),
});

export const getByPublicIds = variantOf(list, {
  input: closedObject({ publicIds: Type.Array(Type.String()) }),
  run: ({ db, clock }, { publicIds }) => readActiveKeys(db, clock(), publicIds),
});

/** Creates a key. Only this answer holds the secret, so it is shown once. */
export const create = operation({
  ...credentialEdit,
  name: 'apiKeys.create',
  idempotent: {
    insteadOfSecret:
      'The API key was made by the first call, and its secret was shown once. Where that answer was lost, revoke the key and make another.',
  },
  input: createKeyInput,
  rules: [{ over: ['expiresAt'], check: ({ clock }, { expiresAt = null }) => findExpiryFaults(expiresAt, clock()) }],
  run: async (scope, input) => {
    const { key, ...stored } = generateApiKey();
    const record = await scope.transaction(async (tx) => {
      const { id, ...made } = await tx.db.apiKey.create({
        data: {
          ...stored,
          ...newKeyColumns(input, tx.clock()),
          businessId: tx.businessId,
          createdById: tx.actor.kind === 'user' ? tx.actor.userId : null,
        },
        select: { ...shownKey, id: true },
      });
      tx.record({ kind: 'apiKey', id, details: keyDetails(made) });
      return made;
    });
    return { key, ...record };
  },
});

export const revoke = operation({
  ...credentialEdit,
  name: 'apiKeys.revoke',
  input: closedObject({ id: Type.String() }),
  run: async (scope, { id }) => {
    if (!isPublicId(id)) throw notFound('API key');
    await scope.transaction(async (tx) => {
      const now = tx.clock();
      const [revoked] = await tx.db.apiKey.updateManyAndReturn({
        where: { publicId: id, ...activeAt(now) },
        data: { revokedAt: now },
        select: { id: true, name: true },
      });
      if (!revoked) throw notFound('API key');
      tx.record({ kind: 'apiKey', id: revoked.id, details: { keyId: id, name: revoked.name } });
    });
  },
});

/** Revokes all active keys of the business. Returns how many. */
export const revokeAll = operation({
  ...credentialEdit,
  name: 'apiKeys.revokeAll',
  input: noInput,
  run: (scope) =>
    scope.transaction(async (tx) => {
      const now = tx.clock();
      const { count } = await tx.db.apiKey.updateMany({ where: activeAt(now), data: { revokedAt: now } });
      if (count > 0) tx.record({ kind: 'business', id: tx.businessId, details: { revokedKeys: count } });
      return count;
    }),
});
