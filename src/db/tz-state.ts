import { Prisma } from '../generated/prisma/client.ts';
import type { RawSql } from './tenant.ts';

/*
 * The version of the time zone data with which the stored instants were derived: one row for all businesses. Only the
 * derivation itself reads and writes it.
 */

export interface TzState {
  /** Version of the data with which the instants to come agree; null before the first pass over all events is complete. */
  readonly tzVersion: string | null;
  /** Version of the pass that is under way; null while there is none. */
  readonly nextVersion: string | null;
  readonly startedAt: Date | null;
  /** How far the pass is: the business that is looked at, and the last of its events that was. */
  readonly lastBusiness: number;
  readonly lastEvent: number;
  /** Until when a process with older data may have written; null if there was none. */
  readonly olderUntil: Date | null;
}

/** Reads the row; null before the first pass began. */
export async function readTzState(db: RawSql): Promise<TzState | null> {
  const [row] = await db.$queryRaw<TzState[]>(Prisma.sql`
    SELECT tz_version AS "tzVersion", next_version AS "nextVersion", started_at AS "startedAt",
           last_business AS "lastBusiness", last_event AS "lastEvent", older_until AS "olderUntil"
      FROM tz_state`);
  return row ?? null;
}

/** Begins a pass over all events of all businesses with data of a version. */
export async function beginTzPass(tx: RawSql, version: string, startedAt: Date): Promise<void> {
  await tx.$executeRaw(Prisma.sql`
    INSERT INTO tz_state AS t (id, next_version, started_at) VALUES (1, ${version}, ${startedAt.toISOString()}::timestamptz)
        ON CONFLICT (id) DO UPDATE
       SET next_version = EXCLUDED.next_version, started_at = EXCLUDED.started_at, last_business = 0, last_event = 0`);
}

/** Notes how far the pass is. */
export async function advanceTzPass(tx: RawSql, business: number, event: number): Promise<void> {
  await tx.$executeRaw(Prisma.sql`UPDATE tz_state SET last_business = ${business}, last_event = ${event}`);
}

export async function completeTzPass(tx: RawSql): Promise<void> {
  await tx.$executeRaw(Prisma.sql`UPDATE tz_state SET tz_version = next_version, next_version = NULL`);
}

/** Notes that a process with older data may write until then. */
export async function noteOlderTzData(db: RawSql, until: Date): Promise<void> {
  await db.$executeRaw(
    Prisma.sql`UPDATE tz_state SET older_until = greatest(older_until, ${until.toISOString()}::timestamptz)`,
  );
}

/** Finds the first business from an id on; null behind the last. */
export async function findBusinessFrom(db: RawSql, from: number): Promise<{ id: number; name: string } | null> {
  const [row] = await db.$queryRaw<{ id: number; name: string }[]>(
    Prisma.sql`SELECT id, name FROM businesses WHERE id >= ${from} ORDER BY id LIMIT 1`,
  );
  return row ?? null;
}
