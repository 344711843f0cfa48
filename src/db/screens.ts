import { allOf } from '../fields/field-list.ts';
import { screenFields, type ScreenRow } from '../fields/screens.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { readRows } from './rows.ts';
import type { TenantDb } from './tenant.ts';

export const shownScreen = allOf(screenFields);

/** Reads the screens that are in use, and those whose approval can still be claimed: all, or those with some uuids. */
export function readActiveScreens(db: TenantDb, now: Date, uuids?: readonly string[]): Promise<ScreenRow[]> {
  return readRows<ScreenRow>(db, 'Screen', shownScreen, {
    where: Prisma.sql`t.revoked_at IS NULL AND (t.claimed_at IS NOT NULL OR t.claimable_until > ${now.toISOString()}::timestamptz)
      ${uuids ? Prisma.sql`AND t.uuid = ANY(${uuids}::uuid[])` : Prisma.empty}`,
  });
}
