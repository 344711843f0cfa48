import { Prisma, type ApiKey } from '../generated/prisma/client.ts';
import { readRows } from './rows.ts';
import type { TenantDb } from './tenant.ts';

/** The columns of a key that may be shown. A key is named by its public id; no column here holds the secret. */
export const shownKey = {
  publicId: true,
  name: true,
  lastFour: true,
  createdAt: true,
  lastUsedAt: true,
  scopes: true,
  expiresAt: true,
} as const;

type ApiKeyRow = Pick<ApiKey, keyof typeof shownKey>;

/** Reads the keys that can be used: all, or those with some public ids. */
export function readActiveKeys(db: TenantDb, now: Date, publicIds?: readonly string[]): Promise<ApiKeyRow[]> {
  return readRows<ApiKeyRow>(db, 'ApiKey', shownKey, {
    where: Prisma.sql`t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > ${now.toISOString()}::timestamptz)
      ${publicIds ? Prisma.sql`AND t.public_id = ANY(${publicIds}::text[])` : Prisma.empty}`,
  });
}
