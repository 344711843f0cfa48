import { Prisma } from '../generated/prisma/client.ts';
import type { Read } from './engine/reads.ts';

/**
 * Reads the data versions of businesses, in one statement however many they are. A business in which nothing was ever written
 * has none.
 */
export async function readRevisions(read: Read, businessIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await read<{ businessId: number; revision: string }>(Prisma.sql`
    SELECT business_id AS "businessId", revision::text AS revision
      FROM business_revisions WHERE business_id = ANY(${[...businessIds]}::int[])`);
  return new Map(rows.map(({ businessId, revision }) => [businessId, revision]));
}

/** Whether a server replays the writes of another one, and the data version of the business there; 0 if it has none. */
export async function readReplicaState(
  read: Read,
  businessId: number,
): Promise<{ isStandby: boolean; revision: bigint }> {
  const [state] = await read<{ isStandby: boolean; revision: bigint }>(Prisma.sql`
    SELECT pg_is_in_recovery() AS "isStandby",
           coalesce((SELECT r.revision FROM business_revisions r WHERE r.business_id = ${businessId}::int), 0) AS revision`);
  return state ?? { isStandby: false, revision: 0n };
}
