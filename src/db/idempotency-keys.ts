import { Prisma } from '../generated/prisma/client.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** The first answer to a call that brought a key. */
export interface StoredAnswer {
  /** Digest of operation and input, hexadecimal. */
  readonly fingerprint: string;
  /** Null means that the answer held a secret. */
  readonly answer: unknown;
}

/** Locks the key to the end of the transaction. Returns false while another transaction holds it. */
export async function takeKey(tx: TenantDb, key: string): Promise<boolean> {
  const [row] = await rawOf(tx).$queryRaw<{ taken: boolean }[]>(Prisma.sql`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${key}::text, ${tx.$businessId}::int8)) AS taken`);
  return row?.taken === true;
}

/** Reads the answer that was stored under the key after a time. */
export async function readAnswer(tx: TenantDb, key: string, after: Date): Promise<StoredAnswer | null> {
  const [row] = await rawOf(tx).$queryRaw<StoredAnswer[]>(Prisma.sql`
    SELECT encode(k.fingerprint, 'hex') AS fingerprint, k.answer FROM idempotency_keys k
     WHERE k.business_id = ${tx.$businessId} AND k.key = ${key} AND k.created_at > ${after.toISOString()}::timestamptz`);
  return row ?? null;
}

/** Stores an answer under the key, and replaces one that has expired. */
export async function storeAnswer(
  tx: TenantDb,
  row: { key: string; operation: string; fingerprint: string; answer: string | null; createdAt: Date },
): Promise<void> {
  await rawOf(tx).$executeRaw(Prisma.sql`
    INSERT INTO idempotency_keys (business_id, key, operation, fingerprint, answer, created_at)
    VALUES (${tx.$businessId}, ${row.key}, ${row.operation}, decode(${row.fingerprint}, 'hex'), ${row.answer}::jsonb,
            ${row.createdAt.toISOString()}::timestamptz)
        ON CONFLICT (business_id, key) DO UPDATE
       SET operation = excluded.operation, fingerprint = excluded.fingerprint, answer = excluded.answer,
           created_at = excluded.created_at`);
}

/**
 * Deletes some expired answers of all businesses, because a business that makes no more calls would not delete its own.
 */
export async function deleteAnswers(db: TenantDb, until: Date, atMost: number): Promise<void> {
  await rawOf(db).$executeRaw(Prisma.sql`
    WITH expired AS MATERIALIZED (
      SELECT k.business_id, k.key FROM idempotency_keys k
       WHERE k.created_at <= ${until.toISOString()}::timestamptz
       ORDER BY k.created_at LIMIT ${atMost} FOR UPDATE SKIP LOCKED)
    DELETE FROM idempotency_keys k USING expired e WHERE k.business_id = e.business_id AND k.key = e.key`);
}
