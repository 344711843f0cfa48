import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

/** What can be locked within a business. The numbers are shared by every running version: never reuse one. */
const topics = { admins: 1, catalog: 2 } as const;

/**
 * Waits until no other transaction holds the topic in this business, and holds it to the end of this one. For rules
 * over several rows, which two transactions could otherwise break together.
 */
export async function lockInBusiness(tx: TenantDb, topic: keyof typeof topics): Promise<void> {
  await rawOf(tx).$executeRaw`SELECT pg_advisory_xact_lock(${topics[topic]}::int4, ${tx.$businessId}::int4)`;
}
