import { Prisma } from '../generated/prisma/client.ts';
import { bookedShifts } from './clashes.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

/* What the rules of who can work need to know of people: of those whom a change concerns, or of the whole staff. */

/** An active shift of an event that takes place. Times are milliseconds since 1970; null means to be determined. */
export interface BookedShift {
  /** Null for a shift that is not stored. */
  readonly id: number | null;
  readonly uuid: string | null;
  readonly userId: number;
  readonly start: number | null;
  readonly end: number | null;
  /** The earliest start and the latest end that it can have. */
  readonly begins: number;
  readonly ends: number;
  readonly eventUuid: string | null;
  readonly eventTitle: string;
}

export interface Span {
  readonly from: Date;
  readonly to: Date;
}

const ms = (at: Prisma.Sql) => Prisma.sql`(extract(epoch FROM ${at}) * 1000)::float8`;

/** Reads the shifts of some people, or of all, that have or may have some time in a span. */
export function readBooked(
  db: TenantDb,
  userIds: readonly number[] | 'all',
  { from, to }: Span,
): Promise<BookedShift[]> {
  const ofPeople = userIds === 'all' ? Prisma.empty : Prisma.sql`b.user_id = ANY(${userIds}::int[]) AND`;
  return rawOf(db).$queryRaw<BookedShift[]>(Prisma.sql`
    SELECT b.id, b.uuid, b.user_id AS "userId", ${ms(Prisma.sql`b.starts_at`)} AS start, ${ms(Prisma.sql`b.ends_at`)} AS end,
           ${ms(Prisma.sql`b.begins`)} AS begins, ${ms(Prisma.sql`b.ends`)} AS ends,
           b.event_uuid AS "eventUuid", b.event_title AS "eventTitle"
      FROM ${bookedShifts(db)} AS b
     WHERE ${ofPeople} b.begins < ${to.toISOString()}::timestamptz AND b.ends > ${from.toISOString()}::timestamptz`);
}
