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
           AND own.status = 'active'))`;
  }
}

/** Condition on the shifts `s` of events in reach: a staff member sees no one else's. */
export const shiftsInReach = ({ $reach }: TenantDb): Prisma.Sql =>
  $reach.of === 'staff' ? Prisma.sql`s.user_id = ${$reach.userId}` : Prisma.sql`TRUE`;

export type Guarded = 'private notes' | 'rates' | "a shift's pay";

const hiddenFrom: Record<Guarded, readonly Reach['of'][]> = {
  'private notes': ['staff', 'client'],
  rates: ['staff', 'client'],
  "a shift's pay": ['client'],
};

/** The column, or null for callers that it is kept from. */
export const guarded = ({ $reach }: TenantDb, what: Guarded, column: Prisma.Sql): Prisma.Sql =>
  hiddenFrom[what].includes($reach.of) ? Prisma.sql`NULL::text` : column;
