import { Prisma } from '../generated/prisma/client.ts';
import { insertRows, rowsOfBusiness, visibleCallTimes } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** A qualification that a position or a call time requires. */
export interface RequirementRow {
  qualificationId: number;
  /** Lowest level that is enough; null: any level, and none. */
  minLevel: number | null;
}

/** The requirements of the positions of a query with the alias `r`, by qualification, as JSON. */
export const requirementsOfPosition = (db: TenantDb): Prisma.Sql => Prisma.sql`
  coalesce((SELECT jsonb_agg(jsonb_build_object('qualificationId', x.qualification_id, 'minLevel', x.min_level) ORDER BY x.qualification_id)
              FROM ${rowsOfBusiness(db, 'requirements', 'x')} WHERE x.position_id = r.id), '[]')`;

/** Reads what call times that the caller may see require themselves, by qualification. */
export function readRequirementsOfCallTimes(
  db: TenantDb,
  callTimeIds: readonly number[],
): Promise<(RequirementRow & { callTimeId: number })[]> {
  return rawOf(db).$queryRaw<(RequirementRow & { callTimeId: number })[]>(Prisma.sql`
    SELECT x.call_time_id AS "callTimeId", x.qualification_id AS "qualificationId", x.min_level AS "minLevel"
      FROM ${visibleCallTimes(db)} JOIN ${rowsOfBusiness(db, 'requirements', 'x')} ON x.call_time_id = c.id
     WHERE c.id = ANY(${callTimeIds}::int[])
     ORDER BY x.qualification_id`);
}

/** Copies the requirements of call times to their copies in another event. */
export async function copyRequirements(
  tx: TenantDb,
  eventId: number,
  copies: readonly { readonly id: number; readonly copyId: number }[],
): Promise<void> {
  if (copies.length === 0) return;
  const rows = Prisma.sql`
      SELECT ${eventId}::int AS event_id, copied.copy_id, x.qualification_id, x.min_level
        FROM unnest(${copies.map(({ id }) => id)}::int[], ${copies.map(({ copyId }) => copyId)}::int[]) AS copied (id, copy_id)
        JOIN ${rowsOfBusiness(tx, 'requirements', 'x')} ON x.call_time_id = copied.id`;
  const columns = Prisma.sql`event_id, call_time_id, qualification_id, min_level`;
  await rawOf(tx).$executeRaw(insertRows(tx, 'requirements', { columns, rows }));
}
