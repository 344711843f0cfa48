import { limits } from '../config/limits.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { rowsOfBusiness } from './sources.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

/** More active shifts on a call time than it asks for. */
export interface Overfill {
  kind: 'OVERFILLED';
  callTimeUuid: string;
  /** Number of staff needed. */
  needed: number;
  /** Active shifts there without the one in question. */
  assigned: number;
}

/** An active shift of the same person at the same time, or, where a time is to be determined, possibly so. */
export interface Overlap {
  kind: 'OVERLAP' | 'POSSIBLE_OVERLAP';
  userId: number;
  shiftUuid: string;
  eventUuid: string;
  eventTitle: string;
  /** Of that shift; null: to be determined. */
  startsAt: Date | null;
  endsAt: Date | null;
  /** Shared by both, each one begun counted; null where only possible. */
  minutes: number | null;
}

export type ClashRow = Overfill | Overlap;

/** Work that somebody is to be given. */
export interface WantedShift {
  readonly userId: number;
  /** Null: to be determined. */
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly event: { readonly startsAt: Date; readonly endsAt: Date };
  /** The shift that is changed, which does not clash with itself. */
  readonly exceptId?: number;
}

/**
 * When a shift may begin and end at most: a time to be determined may be any within the event, stretched so that the
 * known one lies inside. Never empty: somebody whose times are open is never free.
 */
export const possibleStart = (shift: Prisma.Sql, eventStartsAt: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`coalesce(${shift}.starts_at, least(${eventStartsAt}, ${shift}.ends_at - interval '1 second'))`;

export const possibleEnd = (shift: Prisma.Sql, eventEndsAt: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`coalesce(${shift}.ends_at, greatest(${eventEndsAt}, ${shift}.starts_at + interval '1 second'))`;

/**
 * The active shifts of events that take place (active or draft) which the wanted ones would overlap: half-open, on
 * instants, over the whole business, whoever calls. By start, at most `limits.clashesMax`.
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
