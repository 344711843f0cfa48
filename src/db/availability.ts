import type {
  ExceptionalSpan,
  ExceptionRow,
  PatternRow,
  SaidAvailability,
  WeeklyWindow,
} from '../fields/availability.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { rawOf } from './raw.ts';
import { visibleAvailability } from './sources.ts';
import type { TenantDb } from './tenant.ts';
import { selectShifts } from './work-shifts.ts';

const said = Prisma.sql`a.id, a.uuid, a.user_id AS "userId", a.rule, a.version`;

/** What is read of a person's availability: rows by their uuids or ids, or all of one person. */
export type WhichSaid =
  { readonly uuids: readonly string[] } | { readonly ids: readonly number[] } | { readonly userId: number };

function whichSaid(which: WhichSaid): Prisma.Sql {
  if ('userId' in which) return Prisma.sql`a.user_id = ${which.userId}`;
  return 'ids' in which
    ? Prisma.sql`a.id = ANY(${which.ids}::int[])`
    : Prisma.sql`a.uuid = ANY(${which.uuids}::uuid[])`;
}

/** Reads weekly windows that the caller may see, from Monday on. */
export function readPatterns(db: TenantDb, which: WhichSaid): Promise<PatternRow[]> {
  return rawOf(db).$queryRaw<PatternRow[]>(Prisma.sql`
    SELECT ${said}, a.weekday, a.start_time AS "startTime", a.end_time AS "endTime", a.timezone,
           a.valid_from::text AS "validFrom", a.valid_until::text AS "validUntil"
      FROM ${visibleAvailability(db, 'availability_patterns')} WHERE ${whichSaid(which)}
     ORDER BY a.weekday, a.start_time, a.id`);
}

/** Reads exceptions that the caller may see, by start. */
export function readExceptions(db: TenantDb, which: WhichSaid): Promise<ExceptionRow[]> {
  return rawOf(db).$queryRaw<ExceptionRow[]>(Prisma.sql`
    SELECT ${said}, a.starts_at AS "startsAt", a.ends_at AS "endsAt", a.note
      FROM ${visibleAvailability(db, 'availability_exceptions')} WHERE ${whichSaid(which)}
     ORDER BY a.starts_at, a.id`);
}

/** Reads all that one person has said. */
export async function readSaid(db: TenantDb, userId: number) {
  return { patterns: await readPatterns(db, { userId }), exceptions: await readExceptions(db, { userId }) };
}

/** Reads the first active shifts of a person, at events that take place, whose times are known and that end after a time. */
export function readBookedShifts(db: TenantDb, userId: number, after: Date, atMost: number): Promise<WorkShiftRow[]> {
  return rawOf(db).$queryRaw<WorkShiftRow[]>(Prisma.sql`
    ${selectShifts(db)}
     WHERE s.user_id = ${userId} AND s.status = 'active' AND e.status IN ('active', 'draft')
       AND s.starts_at IS NOT NULL AND s.ends_at > ${after.toISOString()}::timestamptz
     ORDER BY s.starts_at, s.id LIMIT ${atMost}`);
}

const dayMs = 86_400_000;
/** Clocks are at most so far ahead of UTC, or behind it. */
const farthestOffsetMs = 15 * 3_600_000;
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/**
 * Reads what many people have said, as far as it can matter for a span: null stands for everybody. People who have said nothing of it
 * are not in the result.
 */
export async function readSaidOfMany(
  db: TenantDb,
  { startsAt, endsAt }: { readonly startsAt: Date; readonly endsAt: Date },
  userIds: readonly number[] | null,
): Promise<ReadonlyMap<number, SaidAvailability>> {
  const [from, to] = [startsAt.toISOString(), endsAt.toISOString()];
  // A window of the day before may run over midnight.
  const firstDay = Math.floor((startsAt.getTime() - farthestOffsetMs) / dayMs) - 1;
  const lastDay = Math.floor((endsAt.getTime() + farthestOffsetMs) / dayMs);
  const days = weekdays.filter((_, index) => ((index + 7 - ((firstDay + 3) % 7)) % 7) + firstDay <= lastDay);
  const [firstDate, lastDate] = [firstDay, lastDay].map((day) => new Date(day * dayMs).toISOString().slice(0, 10));
  const ofUsers = userIds === null ? Prisma.empty : Prisma.sql`AND a.user_id = ANY(${userIds}::int[])`;
  type Row = PatternRow & ExceptionRow;
  const rows = await rawOf(db).$queryRaw<(Omit<Row, 'startsAt'> & { startsAt: Date | null })[]>(Prisma.sql`
    SELECT a.user_id AS "userId", a.rule, a.weekday, a.start_time AS "startTime", a.end_time AS "endTime", a.timezone,
           a.valid_from::text AS "validFrom", a.valid_until::text AS "validUntil",
           NULL::timestamptz AS "startsAt", NULL::timestamptz AS "endsAt"
      FROM ${visibleAvailability(db, 'availability_patterns')}
     WHERE (a.weekday = ANY(${days}::"Weekday"[]) OR a.rule <> 'unavailable') ${ofUsers}
       AND (a.valid_from IS NULL OR a.valid_from <= ${lastDate}::date)
       AND (a.valid_until IS NULL OR a.valid_until >= ${firstDate}::date)
     UNION ALL
    SELECT a.user_id, a.rule, NULL, NULL, NULL, NULL, NULL, NULL, a.starts_at, a.ends_at
      FROM ${visibleAvailability(db, 'availability_exceptions')}
     WHERE a.ends_at > ${from}::timestamptz AND a.starts_at < ${to}::timestamptz ${ofUsers}`);
  const said = new Map<number, { patterns: WeeklyWindow[]; exceptions: ExceptionalSpan[] }>();
  for (const row of rows) {
    let own = said.get(row.userId);
    if (!own) said.set(row.userId, (own = { patterns: [], exceptions: [] }));
    if (row.startsAt === null) own.patterns.push(row);
    else own.exceptions.push(row as Row);
  }
  return said;
}
