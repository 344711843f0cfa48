import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';

/** Finds the businesses with announced rates of positions whose day has come. */
export async function findDueRates(prisma: PrismaClient, now: Date): Promise<number[]> {
  const rows = await prisma.$queryRaw<{ businessId: number }[]>(Prisma.sql`
    SELECT DISTINCT p.business_id AS "businessId" FROM positions p
     WHERE cardinality(p.announced_rates) > 0
       AND split_part(p.announced_rates[1], ' ', 1)::timestamptz <= ${now.toISOString()}::timestamptz`);
  return rows.map(({ businessId }) => businessId);
}

/**
 * Counts the staffing anew of events, at most `atMost` of them in all businesses, whose sums were priced before a
 * position got its last rate or unit. Returns how many. Each has a transaction of its own, which locks one row: so nobody waits for
 * more, and nobody in a circle.
 */
export async function countOutdatedStaffing(prisma: PrismaClient, atMost: number): Promise<number> {
  const events = await prisma.$queryRaw<{ businessId: number; eventId: number }[]>(Prisma.sql`
    SELECT DISTINCT t.business_id AS "businessId", t.event_id AS "eventId"
      FROM positions p JOIN position_staffing t ON t.business_id = p.business_id AND t.position_id = p.id
     WHERE p.rate_version <> (
           SELECT x.priced_version FROM position_staffing x WHERE x.business_id = p.business_id AND x.position_id = p.id
            ORDER BY x.priced_version LIMIT 1) AND t.priced_version <> p.rate_version
     LIMIT ${atMost}`);
  for (const { businessId, eventId } of events)
    await prisma.$executeRaw`SELECT count_staffing(${businessId}, ${eventId})`;
  return events.length;
}
