import { Prisma, type User } from '../generated/prisma/client.ts';
import { usersInReach } from './reach.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** A user as others see them: the e-mail is null for who may not see it. */
export type ShownUser = Pick<User, 'id' | 'name' | 'role' | 'createdAt' | 'updatedAt'> & { email: string | null };

/** Users in the caller's reach, deleted ones too: their names stay on their shifts. In any order. */
export const usersByIds = (db: TenantDb, ids: readonly number[]): Promise<ShownUser[]> =>
  rawOf(db).$queryRaw<ShownUser[]>(Prisma.sql`
    SELECT u.id, u.name, u.role, u.created_at AS "createdAt", u.updated_at AS "updatedAt",
           ${db.$reach.of === 'business' ? Prisma.sql`u.email` : Prisma.sql`CASE WHEN u.id = ${db.$reach.userId} THEN u.email END`} AS email
      FROM users u
     WHERE u.business_id = ${db.$businessId} AND u.id = ANY(${ids}::int[]) AND ${usersInReach(db)}`);
