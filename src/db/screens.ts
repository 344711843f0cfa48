import { Prisma, type Screen } from '../generated/prisma/client.ts';
import { readRows } from './rows.ts';
import type { TenantDb } from './tenant.ts';

/** The columns of a screen that may be shown: no column here holds its code or its token. */
export const shownScreen = {
  uuid: true,
  name: true,
  names: true,
  clientId: true,
  positionId: true,
  city: true,
  text: true,
  checkInEventUuid: true,
  createdAt: true,
  claimableUntil: true,
  claimedAt: true,
  lastSeenAt: true,
} as const;

export type ScreenRow = Pick<Screen, keyof typeof shownScreen>;

/** Reads the screens that are in use, and those whose approval can still be claimed: all, or those with some uuids. */
export function readActiveScreens(db: TenantDb, now: Date, uuids?: readonly string[]): Promise<ScreenRow[]> {
  return readRows<ScreenRow>(db, 'Screen', shownScreen, {
    where: Prisma.sql`t.revoked_at IS NULL AND (t.claimed_at IS NOT NULL OR t.claimable_until > ${now.toISOString()}::timestamptz)
      ${uuids ? Prisma.sql`AND t.uuid = ANY(${uuids}::uuid[])` : Prisma.empty}`,
  });
}
