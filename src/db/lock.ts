import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

/**
 * Topics that can be locked within a business. All running versions share the numbers, so a number must never be
 * reused.
 */
const topics = { admins: 1, catalog: 2 } as const;

/**
 * Waits until no other transaction holds the topic in this business, and locks it to the end of this transaction. It
 * protects rules over several rows, which two simultaneous transactions could break.
 */
export async function lockInBusiness(tx: TenantDb, topic: keyof typeof topics): Promise<void> {
  await rawOf(tx).$executeRaw`SELECT pg_advisory_xact_lock(${topics[topic]}::int4, ${tx.$businessId}::int4)`;
}
