import type { PrismaClient } from '../generated/prisma/client.ts';
import type { TenantDb } from './tenant.ts';

export type RawSql = Pick<PrismaClient, '$queryRaw' | '$executeRaw'>;

/**
 * Returns the database for SQL that a file of db/ writes itself. Nothing adds the business to such a statement: it must
 * bind each of its tables to `db.$businessId`. The linter lets no service import this file.
 */
export function rawOf(db: TenantDb): RawSql {
  return db as unknown as RawSql;
}
