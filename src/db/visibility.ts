import { Prisma } from '../generated/prisma/client.ts';
import type { TenantDb } from './tenant.ts';

/** Whose rows a caller sees: an admin's reach is the business; staff and clients reach what is their own. */
export type Reach = { readonly of: 'business' } | { readonly of: 'staff' | 'client'; readonly userId: number };

/** Condition on the events `e`: those the caller may see. What is a draft or deleted is an admin's affair. */
export function eventsInReach({ $reach }: TenantDb): Prisma.Sql {
  switch ($reach.of) {
    case 'business':
      return Prisma.sql`TRUE`;
    case 'client':
      return Prisma.sql`(e.client_id = ${$reach.userId} AND e.status IN ('active', 'canceled'))`;
    case 'staff':
      return Prisma.sql`(e.status IN ('active', 'canceled') AND EXISTS (
        SELECT 1 FROM work_shifts own
         WHERE own.business_id = e.business_id AND own.event_id = e.id AND own.user_id = ${$reach.userId}
           AND own.status <> 'deleted'))`;
  }
}

/** Condition on the shifts `s` of events in reach: a staff member sees no one else's, a client no one who is not coming. */
export function shiftsInReach({ $reach }: TenantDb): Prisma.Sql {
  switch ($reach.of) {
    case 'business':
      return Prisma.sql`TRUE`;
    case 'client':
      return Prisma.sql`s.status = 'active'`;
    case 'staff':
      return Prisma.sql`(s.user_id = ${$reach.userId} AND s.status <> 'deleted')`;
  }
}

/** Condition on the users `u`: clients know themselves and who works at their events, staff only themselves. */
export function usersInReach({ $reach }: TenantDb): Prisma.Sql {
  switch ($reach.of) {
    case 'business':
      return Prisma.sql`TRUE`;
    case 'client':
      return Prisma.sql`(u.id = ${$reach.userId} OR EXISTS (
        SELECT 1 FROM work_shifts own
          JOIN events e ON e.business_id = own.business_id AND e.id = own.event_id
         WHERE own.business_id = u.business_id AND own.user_id = u.id AND own.status = 'active'
           AND e.client_id = ${$reach.userId} AND e.status IN ('active', 'canceled')))`;
    case 'staff':
      return Prisma.sql`u.id = ${$reach.userId}`;
  }
}

export type Guarded = 'private notes' | 'rates' | "a shift's pay" | 'override reasons' | 'notes for staff';

const hiddenFrom: Record<Guarded, readonly Reach['of'][]> = {
  'private notes': ['staff', 'client'],
  rates: ['staff', 'client'],
  "a shift's pay": ['client'],
  'override reasons': ['staff', 'client'],
  'notes for staff': ['client'],
};

/** The column, or null for callers that it is kept from. */
export const guarded = ({ $reach }: TenantDb, what: Guarded, column: Prisma.Sql): Prisma.Sql =>
  hiddenFrom[what].includes($reach.of) ? Prisma.sql`NULL::text` : column;
