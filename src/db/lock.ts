import { rawOf, type RawSql, type TenantDb } from './tenant.ts';

/**
 * Topics that can be locked, within a business or in all of them. All running versions share the numbers, so a number
 * must never be reused.
 */
const topics = { admins: 1, catalog: 2, retime: 3 } as const;

/**
 * Waits until no other transaction holds the topic in this business, and locks it to the end of this transaction. It
 * protects rules over several rows, which two simultaneous transactions could break.
 */
export async function lockInBusiness(tx: TenantDb, topic: 'admins' | 'catalog'): Promise<void> {
  await rawOf(tx).$executeRaw`SELECT pg_advisory_xact_lock(${topics[topic]}::int4, ${tx.$businessId}::int4)`;
}

/** Whether this transaction is now the only one that derives instants anew, in all businesses, until it ends. */
export async function tryLockRetime(tx: RawSql): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ taken: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(${topics.retime}::int4, 0) AS taken`;
  return row?.taken ?? false;
}
