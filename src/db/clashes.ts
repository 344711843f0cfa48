import { limits } from '../config/limits.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { rowsOfBusiness } from './sources.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

/** A call time that has more active shifts than it asks for. */
export interface Overfill {
  kind: 'OVERFILLED';
  callTimeUuid: string;
  /** Number of staff needed. */
  needed: number;
  /** Active shifts on the call time, without the one that is being assigned. */
  assigned: number;
}

/** An active shift of the same person at the same time, or possibly at the same time if a time is to be determined. */
export interface Overlap {
  kind: 'OVERLAP' | 'POSSIBLE_OVERLAP';
  userId: number;
  shiftUuid: string;
  eventUuid: string;
  eventTitle: string;
  /** Start of that shift. Null means to be determined, here and in `endsAt`. */
  startsAt: Date | null;
  endsAt: Date | null;
  /** Minutes that both shifts share, rounded up; null if the overlap is only possible. */
  minutes: number | null;
}

export type ClashRow = Overfill | Overlap;

/** A shift that somebody is to be assigned to. */
export interface WantedShift {
  readonly userId: number;
  /** Null means to be determined, here and in `endsAt`. */
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly event: { readonly startsAt: Date; readonly endsAt: Date };
  /** Id of the shift that is changed, because it does not clash with itself. */
  readonly exceptId?: number;
}

/**
 * The earliest start and the latest end that a shift can have. A time that is to be determined can be any within the
 * event, extended so that the known time lies inside. The range is never empty, so somebody whose times are open is
 * never free.
 */
export function possibleStart(shift: Prisma.Sql, eventStartsAt: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce(${shift}.starts_at, least(${eventStartsAt}, ${shift}.ends_at - interval '1 second'))`;
}

export function possibleEnd(shift: Prisma.Sql, eventEndsAt: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce(${shift}.ends_at, greatest(${eventEndsAt}, ${shift}.starts_at + interval '1 second'))`;
}

/**
 * Finds active shifts of events that take place (active or draft) which the wanted shifts would overlap. Periods are
 * half-open and compared as instants, over the whole business whatever the caller may see. Ordered by start, at most
 * `limits.clashesMax`.
 */
export function findOverlaps(db: TenantDb, wanted: readonly WantedShift[]): Promise<Overlap[]> {
  const rows = wanted.map(({ userId, startsAt, endsAt, event, exceptId = 0 }) => ({
    user_id: userId,
    starts_at: startsAt,
    ends_at: endsAt,
    event_starts_at: event.startsAt,
    event_ends_at: event.endsAt,
    except_id: exceptId,
  }));
  const [w, s] = [Prisma.sql`w`, Prisma.sql`s`];
  const known = Prisma.sql`num_nulls(s.starts_at, s.ends_at, w.starts_at, w.ends_at) = 0`;
  return rawOf(db).$queryRaw<Overlap[]>(Prisma.sql`
    SELECT CASE WHEN ${known} THEN 'OVERLAP' ELSE 'POSSIBLE_OVERLAP' END AS kind, s.user_id AS "userId",
           s.uuid AS "shiftUuid", e.uuid AS "eventUuid", e.title AS "eventTitle",
           s.starts_at AS "startsAt", s.ends_at AS "endsAt",
           CASE WHEN ${known} THEN ceil(extract(epoch FROM
             least(s.ends_at, w.ends_at) - greatest(s.starts_at, w.starts_at)) / 60)::int END AS minutes
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS w (
             user_id int, starts_at timestamptz, ends_at timestamptz,
             event_starts_at timestamptz, event_ends_at timestamptz, except_id int)
      JOIN ${rowsOfBusiness(db, 'work_shifts', 's')} ON s.user_id = w.user_id AND s.status = 'active' AND s.id <> w.except_id
      JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = s.event_id AND e.status IN ('active', 'draft')
     WHERE ${possibleStart(s, Prisma.sql`e.starts_at`)} < ${possibleEnd(w, Prisma.sql`w.event_ends_at`)}
       AND ${possibleEnd(s, Prisma.sql`e.ends_at`)} > ${possibleStart(w, Prisma.sql`w.event_starts_at`)}
     ORDER BY s.starts_at NULLS LAST, s.id
     LIMIT ${limits.clashesMax}`);
}
