import { Prisma } from '../generated/prisma/client.ts';
import type { WallTime } from '../time/wall-clock.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

/** Every distinct wall-clock time of an event's call times and work shifts. */
export async function wallTimesOfChildren(db: TenantDb, eventId: number): Promise<WallTime[]> {
  const rows = await rawOf(db).$queryRaw<{ wall: WallTime }[]>(Prisma.sql`
    SELECT DISTINCT to_char(wall, 'YYYY-MM-DD HH24:MI:SS') AS wall
      FROM (SELECT unnest(ARRAY[start_local, end_local]) AS wall FROM call_times
             WHERE business_id = ${db.$businessId} AND event_id = ${eventId}
            UNION ALL
            SELECT unnest(ARRAY[start_local, end_local]) FROM work_shifts
             WHERE business_id = ${db.$businessId} AND event_id = ${eventId}) AS walls
     WHERE wall IS NOT NULL`);
  return rows.map(({ wall }) => wall);
}

/** Writes the instants of an event's call times and work shifts anew, from what each wall-clock time now means. */
export async function setInstants(
  db: TenantDb,
  eventId: number,
  instants: readonly { wall: WallTime; at: Date }[],
): Promise<void> {
  const walls = instants.map(({ wall }) => wall);
  const ats = instants.map(({ at }) => at.toISOString());
  for (const table of [Prisma.sql`call_times`, Prisma.sql`work_shifts`]) {
    await rawOf(db).$executeRaw(Prisma.sql`
      WITH instants AS (SELECT * FROM unnest(${walls}::timestamp[], ${ats}::timestamptz[]) AS i (wall, at))
      UPDATE ${table} AS child
         SET starts_at = (SELECT at FROM instants WHERE wall = child.start_local),
             ends_at = (SELECT at FROM instants WHERE wall = child.end_local)
       WHERE child.business_id = ${db.$businessId} AND child.event_id = ${eventId}`);
  }
}
