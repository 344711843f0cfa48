import { Prisma } from '../generated/prisma/client.ts';
import type { PageWindow } from '../paging/pages.ts';
import { andEqual } from './by-parent.ts';
import { directionOf } from './direction.ts';
import { lockRows, rowsOfBusiness, updateRows, visibleUserQualifications } from './sources.ts';
import { rawOf, readTotal, type TenantDb } from './tenant.ts';

/** A qualification that a person holds. Days are `YYYY-MM-DD`. */
export interface UserQualificationRow {
  id: number;
  userId: number;
  qualificationId: number;
  level: number | null;
  /** Null: without a begin, or without an end. */
  validFrom: string | null;
  validUntil: string | null;
  reference: string | null;
  version: number;
}

const columns = Prisma.sql`
  h.id, h.user_id AS "userId", h.qualification_id AS "qualificationId", h.level, h.valid_from::text AS "validFrom",
  h.valid_until::text AS "validUntil", h.reference, h.version`;

/** Reads what the caller may see of these rows, in any order. */
export function readUserQualifications(db: TenantDb, ids: readonly number[]): Promise<UserQualificationRow[]> {
  return rawOf(db).$queryRaw<UserQualificationRow[]>(
    Prisma.sql`SELECT ${columns} FROM ${visibleUserQualifications(db)} WHERE h.id = ANY(${ids}::int[])`,
  );
}

/** Reads what each of these people holds, what ends last first. */
export function readQualificationsOfUsers(db: TenantDb, userIds: readonly number[]): Promise<UserQualificationRow[]> {
  return rawOf(db).$queryRaw<UserQualificationRow[]>(Prisma.sql`
    SELECT ${columns} FROM ${visibleUserQualifications(db)} WHERE h.user_id = ANY(${userIds}::int[])
     ORDER BY h.valid_until DESC NULLS FIRST, h.id`);
}

export interface UserQualificationFilter {
  readonly userId?: number | undefined;
  readonly qualificationId?: number | undefined;
}

/** People who are deleted are left out of lists. */
const listed = (db: TenantDb, { userId, qualificationId }: UserQualificationFilter) => Prisma.sql`
  ${visibleUserQualifications(db)} JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = h.user_id AND u.deleted_at IS NULL
     WHERE TRUE ${andEqual(Prisma.sql`h.user_id`, userId)} ${andEqual(Prisma.sql`h.qualification_id`, qualificationId)}`;

/** Reads one page of what people hold, by id. */
export function readUserQualificationPage(
  db: TenantDb,
  filter: UserQualificationFilter,
  window: PageWindow,
): Promise<UserQualificationRow[]> {
  const { limit, offset = 0, after } = window;
  const { direction, beyond } = directionOf(window, 'asc');
  return rawOf(db).$queryRaw<UserQualificationRow[]>(Prisma.sql`
    SELECT ${columns} FROM ${listed(db, filter)} ${after ? Prisma.sql`AND h.id ${beyond} ${after.id}` : Prisma.empty}
     ORDER BY h.id ${direction} LIMIT ${limit} OFFSET ${offset}`);
}

export function countUserQualifications(db: TenantDb, filter: UserQualificationFilter): Promise<number> {
  return readTotal(db, Prisma.sql`SELECT count(*)::int AS total FROM ${listed(db, filter)}`);
}

/** Reads a row and locks it to the end of the transaction. */
export async function lockUserQualification(tx: TenantDb, id: number): Promise<UserQualificationRow | null> {
  const where = Prisma.sql`h.id = ${id}`;
  const [row] = await rawOf(tx).$queryRaw<UserQualificationRow[]>(
    lockRows(tx, 'user_qualifications', 'h', { columns, where, lock: 'for update' }),
  );
  return row ?? null;
}

/** Days `YYYY-MM-DD`, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** What staff hold that ends within some days, unless they hold the same beyond it without a gap, in a level that is not lower. */
const ending = (db: TenantDb, { from, to }: Days) => Prisma.sql`
  ${rowsOfBusiness(db, 'user_qualifications', 'h')}
      JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = h.user_id AND u.role = 'staff' AND u.deleted_at IS NULL
     WHERE h.valid_until BETWEEN ${from}::date AND ${to}::date AND NOT EXISTS (
           SELECT 1 FROM ${rowsOfBusiness(db, 'user_qualifications', 'n')}
            WHERE n.user_id = h.user_id AND n.qualification_id = h.qualification_id
              AND coalesce(n.valid_from <= h.valid_until + 1, TRUE) AND coalesce(n.valid_until > h.valid_until, TRUE) AND coalesce(n.level, 0) >= coalesce(h.level, 0))`;

/** Reads one page of what ends within some days, by its end. */
export function readEndingPage(
  db: TenantDb,
  days: Days,
  { limit, offset = 0 }: PageWindow,
): Promise<UserQualificationRow[]> {
  return rawOf(db).$queryRaw<UserQualificationRow[]>(Prisma.sql`
    SELECT ${columns} FROM ${ending(db, days)} ORDER BY h.valid_until, h.id LIMIT ${limit} OFFSET ${offset}`);
}

export function countEnding(db: TenantDb, days: Days): Promise<number> {
  return readTotal(db, Prisma.sql`SELECT count(*)::int AS total FROM ${ending(db, days)}`);
}

/**
 * Notes of what ends within some days that its end is announced, each end once, whoever else does so at the same time. The change log
 * has the change, from which webhooks are told.
 */
export function announceEnding(tx: TenantDb, days: Days): Promise<number> {
  return rawOf(tx).$executeRaw(
    updateRows(tx, 'user_qualifications', 'h', {
      set: Prisma.sql`announced_until = h.valid_until`,
      where: Prisma.sql`h.announced_until IS DISTINCT FROM h.valid_until AND h.id IN (SELECT h.id FROM ${ending(tx, days)})`,
    }),
  );
}
