import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';

/** Figures of the database for operators. Every process reads the same ones. */
export interface OperatingFigures {
  /** Seconds since the last backup that was restored on trial; null if none is known. */
  readonly backupAgeS: number | null;
  /** Size of the change log with its indexes. */
  readonly changeLogBytes: number;
  readonly databaseBytes: number;
}

/** Reads no rows of businesses: PostgreSQL asks the file system for the sizes. */
export async function readOperatingFigures(
  prisma: Pick<PrismaClient, '$queryRaw'>,
  now: Date,
): Promise<OperatingFigures> {
  const [row] = await prisma.$queryRaw<OperatingFigures[]>(Prisma.sql`
    SELECT (SELECT greatest(0, extract(epoch FROM ${now.toISOString()}::timestamptz - verified_at)) FROM backup_state)::float8 AS "backupAgeS",
           (pg_total_relation_size('commits') + pg_total_relation_size('row_changes'))::float8 AS "changeLogBytes",
           pg_database_size(current_database())::float8 AS "databaseBytes"`);
  return row!;
}
