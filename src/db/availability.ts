import type {
  ExceptionalSpan,
  ExceptionRow,
  PatternRow,
  SaidAvailability,
  WeeklyWindow,
} from '../fields/availability.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { Weekday, type AvailabilityRule } from '../generated/prisma/enums.ts';
import { visibleAvailability, visibleShifts } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

const columns = Prisma.sql`a.id, a.uuid, a.user_id AS "userId", a.rule, a.version`;

/** What is read: rows by their uuids or ids, or all that some people have said. */
export type WhichSaid =
  { readonly uuids: readonly string[] } | { readonly ids: readonly number[] } | { readonly userIds: readonly number[] };

function whichSaid(which: WhichSaid): Prisma.Sql {
  if ('userIds' in which) return Prisma.sql`a.user_id = ANY(${which.userIds}::int[])`;
  return 'ids' in which
    ? Prisma.sql`a.id = ANY(${which.ids}::int[])`
    : Prisma.sql`a.uuid = ANY(${which.uuids}::uuid[])`;
}

/** Reads weekly windows that the caller may see, from Monday on. */
export function readPatterns(db: TenantDb, which: WhichSaid): Promise<PatternRow[]> {
  return rawOf(db).$queryRaw<PatternRow[]>(Prisma.sql`
    SELECT ${columns}, a.weekday, a.start_time AS "startTime", a.end_time AS "endTime", a.timezone,
           a.valid_from::text AS "validFrom", a.valid_until::text AS "validUntil"
      FROM ${visibleAvailability(db, 'availability_patterns')} WHERE ${whichSaid(which)}
     ORDER BY a.weekday, a.start_time, a.id`);
}

/** Reads exceptions that the caller may see, by start. */
export function readExceptions(db: TenantDb, which: WhichSaid): Promise<ExceptionRow[]> {
  return rawOf(db).$queryRaw<ExceptionRow[]>(Prisma.sql`
    SELECT ${columns}, a.starts_at AS "startsAt", a.ends_at AS "endsAt", a.note
      FROM ${visibleAvailability(db, 'availability_exceptions')} WHERE ${whichSaid(which)}
     ORDER BY a.starts_at, a.id`);
}

interface Bookings {
  readonly endAfter: Date;
  readonly atMostEach: number;
}

/** Reads when the first active shifts of each person are, at events that take place, whose times are known and that end after a time. */
export function readBookedSpans(
  db: TenantDb,
  userIds: readonly number[],
  { endAfter, atMostEach }: Bookings,
): Promise<{ id: number; userId: number; startsAt: Date; endsAt: Date }[]> {
  return rawOf(db).$queryRaw(Prisma.sql`
    SELECT booked.id, asked.id AS "userId", booked.starts_at AS "startsAt", booked.ends_at AS "endsAt"
      FROM unnest(${userIds}::int[]) AS asked (id)
     CROSS JOIN LATERAL (
           SELECT s.id, s.starts_at, s.ends_at FROM ${visibleShifts(db)}
            WHERE s.user_id = asked.id AND s.status = 'active' AND e.status IN ('active', 'draft')
              AND s.starts_at IS NOT NULL AND s.ends_at > ${endAfter.toISOString()}::timestamptz
            ORDER BY s.starts_at, s.id LIMIT ${atMostEach}) AS booked
     ORDER BY booked.starts_at, booked.id`);
}

const dayMs = 86_400_000;
/** Clocks are less than so far ahead of UTC, or behind it. */
const farthestOffsetMs = 15 * 3_600_000;
const weekdays = Object.values(Weekday);

/**
 * Reads what many people have said, as far as it can matter for a span; null stands for everybody. People who have said nothing of it
 * are not in the result. People who have said the same share one object, and so do equal windows.
 *
 * Performance notes: src/guide/performance.md#one-text-a-person
 */
export async function readSaidOfMany(
  db: TenantDb,
  { startsAt, endsAt }: { readonly startsAt: Date; readonly endsAt: Date },
  userIds: readonly number[] | null,
): Promise<ReadonlyMap<number, SaidAvailability>> {
  // A window of the day before may run over midnight.
  const firstDay = Math.floor((startsAt.getTime() - farthestOffsetMs) / dayMs) - 1;
  const lastDay = Math.floor((endsAt.getTime() + farthestOffsetMs) / dayMs);
  // 1970-01-01 was a Thursday.
  const days = weekdays.filter((_, index) => firstDay + ((((index - 3 - firstDay) % 7) + 7) % 7) <= lastDay);
  const [firstDate, lastDate] = [firstDay, lastDay].map((day) => new Date(day * dayMs).toISOString().slice(0, 10));
  const ofUsers = userIds === null ? Prisma.empty : Prisma.sql`AND a.user_id = ANY(${userIds}::int[])`;
  const rows = await rawOf(db).$queryRaw<{ userIds: number[]; lines: string; areExceptions: boolean }[]>(Prisma.sql`
    SELECT array_agg(p.user_id) AS "userIds", p.lines, FALSE AS "areExceptions" FROM (
    SELECT a.user_id, string_agg(a.rule || ' ' || a.weekday || ' ' || a.start_time || ' ' || a.end_time || ' ' ||
           a.timezone || ' ' || coalesce(a.valid_from::text, '') || ' ' || coalesce(a.valid_until::text, ''), '|') AS lines
      FROM ${visibleAvailability(db, 'availability_patterns')}
     WHERE (a.weekday = ANY(${days}::"Weekday"[]) OR a.rule <> 'unavailable') ${ofUsers}
       AND (a.valid_from IS NULL OR a.valid_from <= ${lastDate}::date)
       AND (a.valid_until IS NULL OR a.valid_until >= ${firstDate}::date)
     GROUP BY a.user_id) AS p GROUP BY p.lines
     UNION ALL
    SELECT ARRAY[a.user_id], string_agg(a.rule || ' ' || extract(epoch FROM a.starts_at)::bigint || ' ' ||
           extract(epoch FROM a.ends_at)::bigint, '|'), TRUE
      FROM ${visibleAvailability(db, 'availability_exceptions')}
     WHERE a.ends_at > ${startsAt.toISOString()}::timestamptz AND a.starts_at < ${endsAt.toISOString()}::timestamptz ${ofUsers}
     GROUP BY a.user_id
     ORDER BY "areExceptions"`);
  const windows = new Map<string, WeeklyWindow>();
  const readWindow = (line: string): WeeklyWindow => {
    const known = windows.get(line);
    if (known) return known;
    const [rule, weekday, startTime = '', endTime = '', timezone = '', validFrom, validUntil] = line.split(' ');
    const dates = { validFrom: validFrom || null, validUntil: validUntil || null };
    const kind = { rule: rule as AvailabilityRule, weekday: weekday as Weekday };
    const window = { ...kind, startTime, endTime, timezone, ...dates };
    windows.set(line, window);
    return window;
  };
  const saidBy = new Map<number, SaidAvailability>();
  // What people share comes before the exceptions of each of them.
  for (const { userIds: ids, lines, areExceptions } of rows) {
    const read = lines.split('|');
    if (areExceptions)
      for (const id of ids)
        saidBy.set(id, { patterns: saidBy.get(id)?.patterns ?? [], exceptions: read.map(readException) });
    else {
      const said: SaidAvailability = { patterns: read.map(readWindow), exceptions: [] };
      for (const id of ids) saidBy.set(id, said);
    }
  }
  return saidBy;
}

function readException(line: string): ExceptionalSpan {
  const [rule, start, end] = line.split(' ');
  const [startsAt, endsAt] = [new Date(Number(start) * 1000), new Date(Number(end) * 1000)];
  return { rule: rule as AvailabilityRule, startsAt, endsAt };
}
