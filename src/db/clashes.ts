import { limits } from '../config/limits.ts';
import type { staffRules } from '../fields/codes.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { WallTime } from '../time/wall-clock.ts';
import { rowsOfBusiness } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** A wall-clock time of call times or shifts, what it becomes, and the instant of that. */
export interface MovedTime {
  readonly wall: WallTime;
  readonly to: WallTime;
  readonly at: Date;
}

/** A call time that has more active shifts than it asks for. */
export interface Overfill {
  kind: 'OVERFILLED';
  /** Null for a call time that is not stored, as are `shiftUuid` and `eventUuid` of an overlap within a new event. */
  callTimeUuid: string | null;
  needed: number;
  /** Active shifts on the call time, without the one that is being assigned. */
  assigned: number;
}

/** An active shift of the same person at the same time, or possibly at the same time if a time is to be determined. */
export interface Overlap {
  kind: 'OVERLAP' | 'POSSIBLE_OVERLAP';
  userId: number;
  shiftUuid: string | null;
  eventUuid: string | null;
  eventTitle: string;
  /** Start of that shift. Null means to be determined, here and in `endsAt`. */
  startsAt: Date | null;
  endsAt: Date | null;
  /** Minutes that both shifts share, rounded up; null if the overlap is only possible. */
  minutes: number | null;
}

/** A call time that does not touch its event: it ends before the event starts, or starts after the event ends. */
export interface OutsideEvent {
  kind: 'OUTSIDE_EVENT';
  callTimeUuid: string | null;
  startsAt: Date;
  endsAt: Date;
}

/** A rule of who can work that an assignment of a person breaks. */
export interface RuleBreach {
  kind: keyof typeof staffRules;
  userId: number;
  /** The rule in words. */
  text: string;
  /** SHORT_REST: the other shift. Null for other kinds. */
  shiftUuid: string | null;
  eventUuid: string | null;
  eventTitle: string | null;
  startsAt: Date | null;
  endsAt: Date | null;
  /** SHORT_REST: minutes between both shifts. OVER_WEEKLY_HOURS: minutes of the week with this shift. */
  minutes: number | null;
  /** When the reason ends, as far as it is known. */
  until: Date | null;
}

/** A shift of which attendance is noted, and which a change would move; `minutes` are those that were worked before it. */
export interface AttendedClash extends Omit<RuleBreach, 'kind'> {
  kind: 'ATTENDED';
}

export type ClashRow = Overfill | Overlap | OutsideEvent | RuleBreach | AttendedClash;

/** An active shift as a change will leave it, at an event that takes place. */
export interface WantedShift {
  /** Uuid of the shift; a shift that has none yet is new. */
  readonly uuid?: string;
  readonly userId: number;
  /** Null means to be determined, here and in `endsAt`. */
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly event: WantedEvent;
}

/** A shift that the rules of who can work judge, with what they are about. */
export interface JudgedShift extends WantedShift {
  readonly positionId: number;
  readonly callTimeId: number | null;
  readonly event: WantedEvent & { readonly timezone: string };
}

/** An event as a change will leave it. Identification and title are those that an overlap with it shows. */
export interface WantedEvent {
  readonly uuid?: string;
  readonly title?: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
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

/** A query of active shifts as a change will leave them. */
export type ShiftsAfter = Prisma.Sql;

export function wantedShifts(wanted: readonly WantedShift[]): ShiftsAfter {
  const rows = wanted.map(({ uuid = null, userId, startsAt, endsAt, event }) => ({
    uuid,
    user_id: userId,
    starts_at: startsAt,
    ends_at: endsAt,
    event_starts_at: event.startsAt,
    event_ends_at: event.endsAt,
    event_uuid: event.uuid,
    event_title: event.title,
  }));
  return Prisma.sql`
    SELECT NULL::int AS id, w.* FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS w (
           uuid uuid, user_id int, starts_at timestamptz, ends_at timestamptz,
           event_starts_at timestamptz, event_ends_at timestamptz, event_uuid uuid, event_title text)`;
}

/**
 * The active shifts of an event that gets another period or takes place again. `moved` has what becomes of each wall-clock
 * time if they move with the event or to another zone.
 */
export function shiftsOfChangedEvent(
  db: TenantDb,
  event: WantedEvent & { readonly id: number },
  moved: readonly MovedTime[] | null,
): ShiftsAfter {
  const walls = moved?.map(({ wall }) => wall);
  const ats = moved?.map(({ at }) => at.toISOString());
  const times = moved ? Prisma.sql`first.at, last.at` : Prisma.sql`s.starts_at, s.ends_at`;
  const resolved = Prisma.sql`unnest(${walls}::timestamp[], ${ats}::timestamptz[])`;
  const joins = Prisma.sql`
      LEFT JOIN ${resolved} AS first (wall, at) ON first.wall = s.start_local
      LEFT JOIN ${resolved} AS last (wall, at) ON last.wall = s.end_local`;
  return Prisma.sql`
    SELECT s.id, s.uuid, s.user_id, ${times}, ${event.startsAt.toISOString()}::timestamptz,
           ${event.endsAt.toISOString()}::timestamptz, ${event.uuid}::uuid, ${event.title}::text
      FROM ${rowsOfBusiness(db, 'work_shifts', 's')} ${moved ? joins : Prisma.empty}
     WHERE s.event_id = ${event.id} AND s.status = 'active'`;
}

/** Reads the shifts of an event as a change of it will leave them. */
export async function readShiftsAfter(
  db: TenantDb,
  after: ShiftsAfter,
  event: JudgedShift['event'],
): Promise<JudgedShift[]> {
  const rows = await rawOf(db).$queryRaw<Omit<JudgedShift, 'event'>[]>(Prisma.sql`
    SELECT w.uuid, w.user_id AS "userId", w.starts_at AS "startsAt", w.ends_at AS "endsAt",
           s.position_id AS "positionId", s.call_time_id AS "callTimeId"
      FROM (${after}) AS w (id, uuid, user_id, starts_at, ends_at, event_starts_at, event_ends_at, event_uuid, event_title)
      JOIN ${rowsOfBusiness(db, 'work_shifts', 's')} ON s.id = w.id`);
  return rows.map((row) => ({ ...row, event }));
}

/** Active shifts of events that take place (active or draft), as they are stored. */
function bookedShifts(db: TenantDb): Prisma.Sql {
  const s = Prisma.sql`s`;
  return Prisma.sql`(
      SELECT s.id, s.uuid, s.user_id, s.starts_at, s.ends_at, e.uuid AS event_uuid, e.title AS event_title,
             s.position_id, s.call_time_id, e.timezone,
             ${possibleStart(s, Prisma.sql`e.starts_at`)} AS begins, ${possibleEnd(s, Prisma.sql`e.ends_at`)} AS ends,
             num_nulls(s.starts_at, s.ends_at) = 0 AS is_known
        FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
        JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = s.event_id AND e.status IN ('active', 'draft')
       WHERE s.status = 'active')`;
}

/** Condition that a person has an active shift which shares, or may share, some time with a span of time. */
export function isBooked(db: TenantDb, userId: Prisma.Sql, { startsAt, endsAt }: { startsAt: Date; endsAt: Date }) {
  return Prisma.sql`EXISTS (
    SELECT 1 FROM ${bookedShifts(db)} AS b
     WHERE b.user_id = ${userId} AND b.begins < ${endsAt.toISOString()}::timestamptz
       AND b.ends > ${startsAt.toISOString()}::timestamptz)`;
}

/**
 * Pairs of a shift `m` that a change concerns and another shift `o` of the same person, which overlap after the change.
 * Periods are half-open and compared as instants, over the whole business whatever the caller may see. A pair is new
 * where both share more time than they did before the change, or certainly share time that they only might have shared.
 */
function pairsAfter(db: TenantDb, after: ShiftsAfter, others: 'all' | 'stored' = 'all'): Prisma.Sql {
  const w = Prisma.sql`w`;
  const moved = Prisma.sql`
       UNION ALL
      SELECT id, uuid, user_id, starts_at, ends_at, event_uuid, event_title, begins, ends, is_known,
             was_begins, was_ends, was_known
        FROM moved`;
  return Prisma.sql`
    WITH moved AS MATERIALIZED (
      SELECT w.*, ${possibleStart(w, Prisma.sql`w.event_starts_at`)} AS begins,
             ${possibleEnd(w, Prisma.sql`w.event_ends_at`)} AS ends, num_nulls(w.starts_at, w.ends_at) = 0 AS is_known,
             was.begins AS was_begins, was.ends AS was_ends, was.is_known AS was_known
        FROM (${after}) AS w (id, uuid, user_id, starts_at, ends_at, event_starts_at, event_ends_at, event_uuid, event_title)
        LEFT JOIN ${bookedShifts(db)} AS was ON was.uuid = w.uuid AND was.user_id = w.user_id),
    others AS (
      SELECT b.id, b.uuid, b.user_id, b.starts_at, b.ends_at, b.event_uuid, b.event_title, b.begins, b.ends, b.is_known,
             b.begins AS was_begins, b.ends AS was_ends, b.is_known AS was_known
        FROM ${bookedShifts(db)} AS b
       WHERE b.user_id IN (SELECT user_id FROM moved) AND NOT EXISTS (SELECT 1 FROM moved WHERE moved.uuid = b.uuid)
       ${others === 'all' ? moved : Prisma.empty}),
    pairs AS (
      SELECT o.*, m.uuid AS moved_uuid, m.is_known AND o.is_known AS is_certain,
             greatest(m.begins, o.begins) AS from_at, least(m.ends, o.ends) AS to_at,
             m.was_begins IS NULL OR o.was_begins IS NULL
               OR least(m.ends, o.ends) - greatest(m.begins, o.begins)
                  > greatest(least(m.was_ends, o.was_ends) - greatest(m.was_begins, o.was_begins), interval '0')
               OR (m.is_known AND o.is_known AND NOT (m.was_known AND o.was_known)) AS is_new
        FROM moved m
        JOIN others o ON o.user_id = m.user_id AND o.uuid IS DISTINCT FROM m.uuid
                     AND o.begins < m.ends AND o.ends > m.begins)`;
}

/** Columns of `Overlap`, of a pair. */
const overlapColumns = Prisma.sql`
  CASE WHEN is_certain THEN 'OVERLAP' ELSE 'POSSIBLE_OVERLAP' END AS kind, user_id AS "userId",
  uuid AS "shiftUuid", event_uuid AS "eventUuid", event_title AS "eventTitle",
  starts_at AS "startsAt", ends_at AS "endsAt",
  CASE WHEN is_certain THEN ceil(extract(epoch FROM to_at - from_at) / 60)::int END AS minutes`;

export interface Overlaps {
  /** Overlaps that the change makes. */
  readonly added: Overlap[];
  /** Overlaps that are there already. */
  readonly kept: Overlap[];
}

/**
 * Finds the shifts that the shifts of a change overlap once it is made. Call it before the change is stored, because
 * overlaps are new by comparison with what is stored. The new ones come first, then by start; together they are at most
 * `limits.listedMax`.
 */
export async function findOverlaps(db: TenantDb, after: ShiftsAfter): Promise<Overlaps> {
  const rows = await rawOf(db).$queryRaw<(Overlap & { isNew: boolean })[]>(Prisma.sql`
    ${pairsAfter(db, after)}
    SELECT ${overlapColumns}, is_new AS "isNew"
      FROM pairs
     ORDER BY is_new DESC, starts_at NULLS LAST, id, uuid
     LIMIT ${limits.listedMax}`);
  const overlaps: Overlaps = { added: [], kept: [] };
  for (const { isNew, ...overlap } of rows) overlaps[isNew ? 'added' : 'kept'].push(overlap);
  return overlaps;
}

/** A shift that is to be stored, under this uuid. */
export interface NewShift extends WantedShift {
  readonly uuid: string;
}

export interface NewOverlap extends Overlap {
  readonly newUuid: string;
}

/** Finds the stored shifts that each of several new shifts would overlap, by start, at most `limits.listedMax` for each. */
export function findStoredOverlaps(db: TenantDb, shifts: readonly NewShift[]): Promise<NewOverlap[]> {
  return rawOf(db).$queryRaw<NewOverlap[]>(Prisma.sql`
    ${pairsAfter(db, wantedShifts(shifts), 'stored')}
    SELECT ${overlapColumns}, moved_uuid AS "newUuid"
      FROM (SELECT pairs.*, row_number() OVER (PARTITION BY moved_uuid ORDER BY starts_at NULLS LAST, id) AS place
              FROM pairs) AS placed
     WHERE place <= ${limits.listedMax}
     ORDER BY starts_at NULLS LAST, id`);
}

/** The overlap of a new shift with another new one of the same person; null if there is none. */
export function overlapBetween(shift: NewShift, other: NewShift): Overlap | null {
  const [a, b] = [possiblePeriod(shift), possiblePeriod(other)];
  const ms = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  if (ms <= 0) return null;
  const { userId, uuid: shiftUuid, event, startsAt, endsAt } = other;
  const isCertain = [shift, other].every((each) => each.startsAt !== null && each.endsAt !== null);
  return {
    kind: isCertain ? 'OVERLAP' : 'POSSIBLE_OVERLAP',
    userId,
    shiftUuid,
    eventUuid: event.uuid ?? '',
    eventTitle: event.title ?? '',
    startsAt,
    endsAt,
    minutes: isCertain ? Math.ceil(ms / 60_000) : null,
  };
}

/** Start and end in milliseconds, reckoned as `possibleStart` and `possibleEnd` do in SQL. */
export function possiblePeriod({ startsAt, endsAt, event }: WantedShift): { start: number; end: number } {
  const start = startsAt?.getTime() ?? Math.min(event.startsAt.getTime(), (endsAt?.getTime() ?? Infinity) - 1000);
  const end = endsAt?.getTime() ?? Math.max(event.endsAt.getTime(), (startsAt?.getTime() ?? -Infinity) + 1000);
  return { start, end };
}

/** Finds those of the shifts that share, or may share, some time with another one of the same person, by id. */
export async function findClashing(db: TenantDb, shiftIds: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await rawOf(db).$queryRaw<{ id: number }[]>(Prisma.sql`
    SELECT DISTINCT b.id
      FROM ${bookedShifts(db)} AS b
      JOIN ${bookedShifts(db)} AS o ON o.user_id = b.user_id AND o.id <> b.id AND o.begins < b.ends AND o.ends > b.begins
     WHERE b.id = ANY(${shiftIds}::int[])`);
  return new Set(rows.map(({ id }) => id));
}

/** Finds those shifts of a change that overlap others after it, all of them, by uuid, and whether an overlap of theirs is new. */
export async function findOverlapping(db: TenantDb, after: ShiftsAfter): Promise<ReadonlyMap<string, boolean>> {
  const rows = await rawOf(db).$queryRaw<{ uuid: string; isNew: boolean }[]>(
    Prisma.sql`${pairsAfter(db, after)} SELECT moved_uuid AS uuid, bool_or(is_new) AS "isNew" FROM pairs GROUP BY moved_uuid`,
  );
  return new Map(rows.map(({ uuid, isNew }) => [uuid, isNew]));
}
