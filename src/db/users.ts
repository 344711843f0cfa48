import { userFields, type ShownUser, type UserRow } from '../fields/users.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { columnsOf } from './fields.ts';
import { lockRows, visibleUsers } from './sources.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

const columns = columnsOf(userFields, 'u', {});

/** Staff and clients see no e-mail address but their own. */
const shownEmail = ({ $visibility }: TenantDb) =>
  $visibility.of === 'business'
    ? Prisma.sql`u.email`
    : Prisma.sql`CASE WHEN u.id = ${$visibility.userId} THEN u.email END`;

const others = ['id', 'name', 'role', 'createdAt', 'updatedAt', 'version'] as const satisfies (keyof ShownUser)[];

/**
 * Reads users that the caller may see, in any order. Deleted users are included, because their names stay on their
 * shifts.
 */
export function readUsersByIds(db: TenantDb, ids: readonly number[]): Promise<ShownUser[]> {
  return rawOf(db).$queryRaw<ShownUser[]>(Prisma.sql`
    SELECT ${columns.list(db, others)}, ${shownEmail(db)} AS email FROM ${visibleUsers(db)} WHERE u.id = ANY(${ids}::int[])`);
}

/** Locks a user who is not deleted to the end of the transaction. */
export async function lockUser(tx: TenantDb, id: number): Promise<UserRow | null> {
  const [user] = await rawOf(tx).$queryRaw<UserRow[]>(
    lockRows(tx, 'users', 'u', {
      columns: columns.list(tx),
      where: Prisma.sql`u.id = ${id} AND u.deleted_at IS NULL`,
      lock: 'for no key update',
    }),
  );
  return user ?? null;
}

/**
 * Whether the user is a client of the business and not deleted. With a lock, the user stays one to the end of the
 * transaction.
 */
export async function isClient(db: TenantDb, id: number, lock: 'none' | 'for share'): Promise<boolean> {
  const rows = await rawOf(db).$queryRaw<{ id: number }[]>(
    lock === 'none'
      ? Prisma.sql`SELECT u.id FROM ${visibleUsers(db)} WHERE ${clientCondition(id)}`
      : heldClient(db, id),
  );
  return rows.length > 0;
}

/** A query of the client that has one row, locked, while the user is a client and not deleted. */
export function heldClient(db: TenantDb, id: number): Prisma.Sql {
  return lockRows(db, 'users', 'u', { columns: Prisma.sql`u.id`, where: clientCondition(id), lock: 'for share' });
}

const clientCondition = (id: number) => Prisma.sql`u.id = ${id} AND u.role = 'client' AND u.deleted_at IS NULL`;
