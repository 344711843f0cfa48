import { Prisma, type AuditEntry, type PrismaClient } from '../generated/prisma/client.ts';
import type { CursorOrder } from '../paging/cursors.ts';
import type { PageWindow } from '../paging/pages.ts';
import { isInstant } from '../time/instants.ts';
import { directionOf } from './direction.ts';
import { rawOf, readTotal, type TenantDb } from './tenant.ts';

export type AuditEntryRow = Omit<AuditEntry, 'businessId'>;

export interface AuditFilter {
  readonly action?: string | undefined;
  readonly actorKind?: string | undefined;
  readonly actorId?: number | undefined;
  readonly outcome?: string | undefined;
  readonly ids?: readonly number[] | undefined;
  /** Earliest time of an entry, included. */
  readonly from?: Date | undefined;
  /** Latest time of an entry, excluded. */
  readonly to?: Date | undefined;
}

/** Newest first. Of two entries with the same time, the one written last comes first. */
export const auditCursorOrder: CursorOrder<AuditEntryRow> = {
  by: 'at',
  direction: 'desc',
  positionOf: ({ at, id }) => ({ value: at.toISOString(), id }),
  isValue: isInstant,
};

function conditions(db: TenantDb, filter: AuditFilter): Prisma.Sql {
  const { action, actorKind, actorId, outcome, ids, from, to } = filter;
  return Prisma.join(
    [
      Prisma.sql`a.business_id = ${db.$businessId}`,
      action !== undefined && Prisma.sql`a.action = ${action}`,
      actorKind !== undefined && Prisma.sql`a.actor_kind = ${actorKind}`,
      actorId !== undefined && Prisma.sql`a.actor_id = ${actorId}`,
      outcome !== undefined && Prisma.sql`a.outcome = ${outcome}`,
      ids && Prisma.sql`a.id = ANY(${ids}::int[])`,
      from && Prisma.sql`a.at >= ${from.toISOString()}::timestamptz`,
      to && Prisma.sql`a.at < ${to.toISOString()}::timestamptz`,
    ].filter((condition) => typeof condition === 'object'),
    ' AND ',
  );
}

export function readAuditEntryPage(db: TenantDb, filter: AuditFilter, window: PageWindow): Promise<AuditEntryRow[]> {
  const { limit, offset = 0, after } = window;
  const { direction, beyond } = directionOf(window, 'desc');
  return rawOf(db).$queryRaw<AuditEntryRow[]>(Prisma.sql`
    SELECT a.id, a.at, a.action, a.outcome, a.actor_kind AS "actorKind", a.actor_id AS "actorId",
           a.actor_name AS "actorName", a.subject_kind AS "subjectKind", a.subject_id AS "subjectId", a.details,
           a.address, a.request_id AS "requestId"
      FROM audit_entries a
     WHERE ${conditions(db, filter)}
       ${after ? Prisma.sql`AND (a.at, a.id) ${beyond} (${after.value}::timestamptz, ${after.id}::int)` : Prisma.empty}
     ORDER BY a.at ${direction}, a.id ${direction}
     LIMIT ${limit} OFFSET ${offset}`);
}

export function countAuditEntries(db: TenantDb, filter: AuditFilter): Promise<number> {
  return readTotal(db, Prisma.sql`SELECT count(*)::int AS total FROM audit_entries a WHERE ${conditions(db, filter)}`);
}

/**
 * Deletes the oldest entries of all businesses that are older than a time, at most `atMost` of them. Returns how many.
 */
export function deleteAuditEntriesBefore(prisma: PrismaClient, before: Date, atMost: number): Promise<number> {
  return prisma.$executeRaw(Prisma.sql`
    DELETE FROM audit_entries
     WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM audit_entries WHERE at < ${before.toISOString()}::timestamptz
        ORDER BY at LIMIT ${atMost} FOR UPDATE SKIP LOCKED))`);
}
