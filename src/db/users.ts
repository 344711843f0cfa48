import { Prisma, type User } from '../generated/prisma/client.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';
import { usersInReach } from './visibility.ts';

/** A user as others see them: the e-mail is null for who may not see it. */
export type ShownUser = Pick<User, 'id' | 'name' | 'role' | 'createdAt' | 'updatedAt' | 'version'> & {
  email: string | null;
};

const columns = Prisma.sql`u.id, u.name, u.role, u.created_at AS "createdAt", u.updated_at AS "updatedAt", u.version`;

/** Users in the caller's reach, deleted ones too: their names stay on their shifts. In any order. */
export const usersByIds = (db: TenantDb, ids: readonly number[]): Promise<ShownUser[]> =>
  rawOf(db).$queryRaw<ShownUser[]>(Prisma.sql`
    SELECT ${columns},
           ${db.$reach.of === 'business' ? Prisma.sql`u.email` : Prisma.sql`CASE WHEN u.id = ${db.$reach.userId} THEN u.email END`} AS email
      FROM users u
     WHERE u.business_id = ${db.$businessId} AND u.id = ANY(${ids}::int[]) AND ${usersInReach(db)}`);

/** A user who is not deleted, who stays as they are to the end of the transaction. */
export async function lockUser(tx: TenantDb, id: number): Promise<(ShownUser & { email: string }) | null> {
  const [user] = await rawOf(tx).$queryRaw<(ShownUser & { email: string })[]>(Prisma.sql`
    SELECT ${columns}, u.email FROM users u
     WHERE u.business_id = ${tx.$businessId} AND u.id = ${id} AND u.deleted_at IS NULL
       FOR NO KEY UPDATE`);
  return user ?? null;
}
