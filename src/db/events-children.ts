import { Prisma } from '../generated/prisma/client.ts';
import type { WallTime } from '../time/wall-clock.ts';
import { rowsOfBusiness, updateRows } from './sources.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

/** Reads every distinct wall-clock time of the call times and work shifts of an event. */
export async function readWallTimesOfChildren(db: TenantDb, eventId: number): Promise<WallTime[]> {
  const rows = await rawOf(db).$queryRaw<{ wall: WallTime }[]>(Prisma.sql`
    SELECT DISTINCT to_char(wall, 'YYYY-MM-DD HH24:MI:SS') AS wall
      FROM (SELECT unnest(ARRAY[start_local, end_local]) AS wall FROM ${rowsOfBusiness(db, 'call_times', 'c')} WHERE c.event_id = ${eventId}
            UNION ALL
            SELECT unnest(ARRAY[start_local, end_local]) FROM ${rowsOfBusiness(db, 'work_shifts', 's')} WHERE s.event_id = ${eventId}) AS walls
     WHERE wall IS NOT NULL`);
  return rows.map(({ wall }) => wall);
}

/** A wall-clock time and its instant in a zone. */
export interface ResolvedTime {
  readonly wall: WallTime;
  readonly at: Date;
}

/** Sets the instants of the call times and work shifts of an event, given the new instant of each wall-clock time. */
export async function setInstants(db: TenantDb, eventId: number, instants: readonly ResolvedTime[]): Promise<void> {
  const walls = instants.map(({ wall }) => wall);
  const ats = instants.map(({ at }) => at.toISOString());
  for (const table of ['call_times', 'work_shifts'] as const)
    await rawOf(db).$executeRaw(Prisma.sql`
      WITH instants AS (SELECT * FROM unnest(${walls}::timestamp[], ${ats}::timestamptz[]) AS i (wall, at))
      ${updateRows(db, table, 'child', {
        set: Prisma.sql`
             starts_at = (SELECT at FROM instants WHERE wall = child.start_local),
             ends_at = (SELECT at FROM instants WHERE wall = child.end_local)`,
        where: Prisma.sql`child.event_id = ${eventId}`,
      })}`);
}
