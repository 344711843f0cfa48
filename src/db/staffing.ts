import { Prisma } from '../generated/prisma/client.ts';
import type { EventStatus } from '../generated/prisma/enums.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';
import { eventsInReach, shiftsInReach } from './visibility.ts';

/*
 * What staffing stands on, held to the end of the transaction. Always in this order, so that nobody waits in a circle:
 * the event (its call times and shifts change one after the other, and its zone stands still), then its people by id
 * (whoever assigns one of them anywhere in the business waits).
 */

export interface StaffedEvent {
  id: number;
  status: EventStatus;
  timezone: string;
  startsAt: Date;
  endsAt: Date;
}

/** What names an event: its own uuid, or that of a call time or a shift of it. */
export type EventBy = { readonly event: string } | { readonly callTime: string } | { readonly shift: string };

function idBy(db: TenantDb, by: EventBy): Prisma.Sql {
  if ('event' in by) return Prisma.sql`e.uuid = ${by.event}::uuid`;
  const child =
    'callTime' in by
      ? Prisma.sql`call_times s WHERE s.business_id = ${db.$businessId} AND s.uuid = ${by.callTime}::uuid`
      : Prisma.sql`work_shifts s WHERE s.business_id = ${db.$businessId} AND s.uuid = ${by.shift}::uuid AND ${shiftsInReach(db)}`;
  return Prisma.sql`e.id = (SELECT s.event_id FROM ${child})`;
}

/** Locks an event in the caller's reach. */
export async function lockEvent(tx: TenantDb, by: EventBy): Promise<StaffedEvent | null> {
  const [event] = await rawOf(tx).$queryRaw<StaffedEvent[]>(Prisma.sql`
    SELECT e.id, e.status, e.timezone, e.starts_at AS "startsAt", e.ends_at AS "endsAt"
      FROM events e
     WHERE e.business_id = ${tx.$businessId} AND ${idBy(tx, by)} AND ${eventsInReach(tx)}
       FOR NO KEY UPDATE OF e`);
  return event ?? null;
}

/** Locks those of the users who are staff and not deleted, and tells who they are. */
export async function lockStaff(tx: TenantDb, userIds: readonly number[]): Promise<Set<number>> {
  const staff = await rawOf(tx).$queryRaw<{ id: number }[]>(Prisma.sql`
    SELECT u.id FROM users u
     WHERE u.business_id = ${tx.$businessId} AND u.id = ANY(${userIds}::int[]) AND u.role = 'staff' AND u.deleted_at IS NULL
     ORDER BY u.id
       FOR NO KEY UPDATE OF u`);
  return new Set(staff.map(({ id }) => id));
}
