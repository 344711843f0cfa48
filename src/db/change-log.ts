import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import type { RawSql } from './raw.ts';

/** Who makes the changes of a transaction, with which operation, in which request. The change log stores it with the commit. */
export interface ChangeOrigin {
  /** Kind, id and name of the caller. The operator has only a kind, and the service itself has none. */
  readonly kind?: 'user' | 'apiKey' | 'operator';
  readonly id?: number;
  readonly name?: string;
  /** Name of the operation, or `cli.<command>`. */
  readonly operation: string;
  readonly requestId?: string;
}

/** An expression that notes the origin of the transaction's changes. */
const noted = (origin: ChangeOrigin): Prisma.Sql =>
  Prisma.sql`set_config('callboard.origin', ${JSON.stringify(origin)}::text, TRUE)`;

/** Notes the origin of the changes of a transaction. */
export async function noteOrigin(tx: RawSql, origin: ChangeOrigin): Promise<void> {
  await tx.$queryRaw(Prisma.sql`SELECT ${noted(origin)}`);
}

/** A query of one row that notes the origin of the statement it is part of; none where the query `held` has none. */
export function noteOriginWith(origin: ChangeOrigin, held?: Prisma.Sql): Prisma.Sql {
  return held ? Prisma.sql`SELECT ${noted(origin)} FROM (${held}) AS held` : Prisma.sql`SELECT ${noted(origin)}`;
}

/** Makes a transaction's changes stay out of the change log, for bulk loads. */
export async function stopLogging(tx: RawSql): Promise<void> {
  await tx.$queryRaw`SELECT set_config('callboard.log', 'off', TRUE)`;
}

/**
 * Deletes commits of all businesses that are older than a time, at most `atMost` of them, with their changes. The newest commit
 * of a business stays, because a reader that has seen everything holds its cursor. Returns how many.
 */
export function deleteCommitsBefore(prisma: PrismaClient, before: Date, atMost: number): Promise<number> {
  // A revision is never below the clock in microseconds at its commit, so older commits have lower ones.
  return prisma.$executeRaw(Prisma.sql`
    WITH expired AS MATERIALIZED (
      SELECT old.* FROM business_revisions r
       CROSS JOIN LATERAL (
         SELECT c.business_id, c.revision, c.batch FROM commits c
          WHERE c.business_id = r.business_id AND c.revision < least(r.revision, ${before.getTime() * 1000}::bigint)
            AND c.at < ${before.toISOString()}::timestamptz
          ORDER BY c.revision LIMIT ${atMost} FOR UPDATE SKIP LOCKED) AS old
       LIMIT ${atMost}),
    emptied AS (
      DELETE FROM row_changes h USING expired e WHERE h.business_id = e.business_id AND h.batch = e.batch)
    DELETE FROM commits c USING expired e WHERE c.business_id = e.business_id AND c.revision = e.revision`);
}
