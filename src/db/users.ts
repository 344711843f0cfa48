import { userFields, type ShownUser, type UserRow } from '../fields/users.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Role } from '../generated/prisma/enums.ts';
import type { PageWindow } from '../paging/pages.ts';
import { isBooked } from './clashes.ts';
import { directionOf } from './direction.ts';
import { columnsOf } from './fields.ts';
import { hasFolded } from './searched-text.ts';
import { lockRows, rowsOfBusiness, visibleUsers } from './sources.ts';
import { rawOf, readTotal, type TenantDb } from './tenant.ts';

/** The fields of a user that every caller may see. */
const { email: _email, phone: _phone, mailFault: _mailFault, ...openFields } = userFields;
const columns = columnsOf(openFields, 'u', {});

/** Staff and clients see no e-mail address and no phone number but their own, screens none. */
function shownContact({ $visibility }: TenantDb): Prisma.Sql {
  switch ($visibility.of) {
    case 'business':
      return contact;
    case 'screen':
      return Prisma.sql`NULL::text AS email, NULL::text AS phone, NULL::text AS "mailFault"`;
    case 'staff':
    case 'client':
      return Prisma.sql`CASE WHEN u.id = ${$visibility.userId} THEN u.email END AS email,
      CASE WHEN u.id = ${$visibility.userId} THEN u.phone END AS phone, NULL::text AS "mailFault"`;
  }
}

const contact = Prisma.sql`u.email, u.phone, u.mail_fault AS "mailFault"`;

/**
 * Reads users that the caller may see, in any order. Deleted users are included, because their names stay on their
 * shifts.
 */
export function readUsersByIds(db: TenantDb, ids: readonly number[]): Promise<ShownUser[]> {
  return rawOf(db).$queryRaw<ShownUser[]>(Prisma.sql`
    SELECT ${columns(db)}, ${shownContact(db)} FROM ${visibleUsers(db)} WHERE u.id = ANY(${ids}::int[])`);
}

/** Reads a user that the caller may see and who is not deleted. */
export async function readUser(db: TenantDb, id: number): Promise<UserRow | undefined> {
  const [user] = await rawOf(db).$queryRaw<UserRow[]>(Prisma.sql`
    SELECT ${columns(db)}, ${contact} FROM ${visibleUsers(db)} WHERE u.id = ${id} AND u.deleted_at IS NULL`);
  return user;
}

/** Reads the ids of those of the users who have a password. */
export async function readUsersWithPassword(db: TenantDb, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await rawOf(db).$queryRaw<{ id: number }[]>(Prisma.sql`
    SELECT u.id FROM ${visibleUsers(db)} WHERE u.id = ANY(${ids}::int[]) AND u.password_hash IS NOT NULL`);
  return new Set(rows.map(({ id }) => id));
}

/** Conditions on a list of users, all of which must hold. Deleted users are left out. */
export interface UserFilter {
  readonly role?: Role | undefined;
  /** Part of the name or of the e-mail address, in upper or lower case. */
  readonly search?: string | undefined;
  /** Position in which the person has a shift that is not deleted. */
  readonly positionId?: number | undefined;
  /** Span of time in which the person has no active shift, and may have none. */
  readonly freeIn?: { readonly startsAt: Date; readonly endsAt: Date } | undefined;
}

/** Reads one page of users, by id. Only admins see the e-mail addresses and phone numbers of others. */
export function readUserPage(db: TenantDb, filter: UserFilter, window: PageWindow): Promise<UserRow[]> {
  const { limit, offset = 0, after } = window;
  const { direction, beyond } = directionOf(window, 'asc');
  return rawOf(db).$queryRaw<UserRow[]>(Prisma.sql`
    SELECT ${columns(db)}, ${contact} FROM ${visibleUsers(db)}
     WHERE ${matching(db, filter)} ${after ? Prisma.sql`AND u.id ${beyond} ${after.id}` : Prisma.empty}
     ORDER BY u.id ${direction} LIMIT ${limit} OFFSET ${offset}`);
}

export function countUsers(db: TenantDb, filter: UserFilter): Promise<number> {
  return readTotal(
    db,
    Prisma.sql`SELECT count(*)::int AS total FROM ${visibleUsers(db)} WHERE ${matching(db, filter)}`,
  );
}

function matching(db: TenantDb, { role, search, positionId, freeIn }: UserFilter): Prisma.Sql {
  const ofRole = role === undefined ? Prisma.empty : Prisma.sql`AND u.role = ${role}::"Role"`;
  // No index serves the search: among 20 businesses of 20,000 staff each, it reads those of one and takes 25 to 80 ms, and 0.2 ms
  // where a page is soon full. An index of trigrams would have to be that of pg_trgm, which not every database has.
  const found =
    search === undefined
      ? Prisma.empty
      : Prisma.sql`AND (${hasFolded('u.name', search)} OR strpos(lower(u.email), lower(${search.trim()}::text)) > 0)`;
  const hasWorked =
    positionId === undefined
      ? Prisma.empty
      : Prisma.sql`AND EXISTS (SELECT 1 FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
                                WHERE s.user_id = u.id AND s.position_id = ${positionId} AND s.status <> 'deleted')`;
  const isFree = freeIn ? Prisma.sql`AND NOT ${isBooked(db, Prisma.sql`u.id`, freeIn)}` : Prisma.empty;
  return Prisma.sql`u.deleted_at IS NULL ${ofRole} ${found} ${hasWorked} ${isFree}`;
}

/** Locks a user who is not deleted to the end of the transaction. */
export async function lockUser(tx: TenantDb, id: number): Promise<UserRow | null> {
  const [user] = await lockUsers(tx, [id]);
  return user ?? null;
}

/** Locks those of the users who are not deleted, by id, to the end of the transaction. */
export function lockUsers(tx: TenantDb, ids: readonly number[]): Promise<UserRow[]> {
  return rawOf(tx).$queryRaw<UserRow[]>(
    lockRows(tx, 'users', 'u', {
      columns: Prisma.sql`${columns(tx)}, ${contact}`,
      where: Prisma.sql`u.id = ANY(${ids}::int[]) AND u.deleted_at IS NULL`,
      lock: 'for no key update',
    }),
  );
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

/** Returns those users who are clients and not deleted. They stay so to the end of the transaction. */
export async function holdClients(tx: TenantDb, ids: readonly number[]): Promise<number[]> {
  const rows = await rawOf(tx).$queryRaw<{ id: number }[]>(
    lockRows(tx, 'users', 'u', {
      columns: Prisma.sql`u.id`,
      where: Prisma.sql`u.id = ANY(${ids}::int[]) AND u.role = 'client' AND u.deleted_at IS NULL`,
      lock: 'for share',
    }),
  );
  return rows.map(({ id }) => id);
}

/** A query of the client that has one row, locked, while the user is a client and not deleted. */
export function heldClient(db: TenantDb, id: number): Prisma.Sql {
  return lockRows(db, 'users', 'u', { columns: Prisma.sql`u.id`, where: clientCondition(id), lock: 'for share' });
}

const clientCondition = (id: number) => Prisma.sql`u.id = ${id} AND u.role = 'client' AND u.deleted_at IS NULL`;
