import { Prisma } from '../../generated/prisma/client.ts';
import { dayMs, offsetPeriods, type Day } from './moments.ts';
import { venues } from './venues.ts';

/** The rows that a chunk refers to. */
export interface BulkBusiness {
  readonly businessId: number;
  readonly staffIds: readonly number[];
  readonly clientIds: readonly number[];
  readonly positionIds: readonly number[];
  readonly skillLevelIds: readonly number[];
  readonly fieldIds: readonly number[];
}

export interface ChunkCounts {
  readonly events: number;
  readonly callTimes: number;
  readonly workShifts: number;
  readonly customValues: number;
}

/** Events numbered in the series from 1 to `total`. */
interface Chunk {
  readonly first: number;
  readonly last: number;
  readonly total: number;
  readonly lastWithChildren: number;
  readonly today: Day;
}

const days = 5 * 365;
const venuesJson = JSON.stringify(venues);

/** The offsets of the venues' zones in the years over which the events are spread. */
function periodsAround(today: Day) {
  const [after, until] = [-0.6, 0.6].map((share) => new Date(Date.parse(today) + share * days * dayMs)) as [Date, Date];
  return [...new Set(venues.map(({ zone }) => zone))].flatMap((zone) => offsetPeriods(zone, after, until));
}

/**
 * Builds one statement that inserts the chunk's events with all their children and returns the number of rows of each
 * kind. It reads no stored row: ids of parents are taken from the sequences first, so that its cost does not grow with
 * the tables. Everything is computed from n, an event's number in the series; dates rise with it. Wall-clock times lie
 * between 10:00 and 22:00, when no zone of the venues changes its clocks. Their offsets are sent along, because
 * PostgreSQL may have other time zone data. Rows are written in the order of n with an event's children side by side, and
 * uuids start with n, so that each index grows in few places.
 */
export function bulkChunk(business: BulkBusiness, chunk: Chunk): Prisma.Sql {
  const { businessId } = business;
  const pick = (ids: readonly number[], n: Prisma.Sql) =>
    Prisma.sql`(${[...ids]}::int[])[1 + (${n}) % ${ids.length}::int]`;
  const n = Prisma.sql`n`;
  const instant = (wall: Prisma.Sql) => Prisma.sql`(${wall} - (
    SELECT make_interval(secs => p.seconds) FROM period p WHERE p.zone = planned.zone AND p.first <= ${wall} AND ${wall} < p.until)) AT TIME ZONE 'UTC'`;
  const [startsAt, endsAt] = [instant(Prisma.sql`start_local`), instant(Prisma.sql`end_local`)];
  const endOfCall = Prisma.sql`end_local - make_interval(mins => 15 * c)`;
  const uuid = Prisma.sql`overlay(gen_random_uuid()::text PLACING lpad(to_hex(n), 8, '0') FROM 1 FOR 8)::uuid`;

  return Prisma.sql`
WITH venue AS MATERIALIZED (
  SELECT (place - 1)::int AS place, v->>'name' AS name, v->'rooms'->>0 AS room, v->>'address' AS address, v->>'city' AS city,
         nullif(v->>'state', '') AS state, v->>'zip' AS zip, v->>'latitude' AS latitude, v->>'longitude' AS longitude, v->>'zone' AS zone
  FROM jsonb_array_elements(${venuesJson}::text::jsonb) WITH ORDINALITY AS listed(v, place)
), period AS MATERIALIZED (
  SELECT p->>'zone' AS zone, (p->>'from')::timestamp AS first, (p->>'until')::timestamp AS until, (p->>'seconds')::int AS seconds
  FROM jsonb_array_elements(${JSON.stringify(periodsAround(chunk.today))}::text::jsonb) AS p
), numbered AS MATERIALIZED (
  SELECT n, nextval(pg_get_serial_sequence('events', 'id'))::int AS id,
         ${chunk.today}::text::date - ${Math.floor(days / 2)}::int + (n::bigint * ${days}::int / ${chunk.total}::int)::int
           + make_interval(mins => 600 + 15 * (n * 7 % 21)) AS start_local,
         make_interval(mins => 180 + 30 * (n % 8)) AS length
  FROM generate_series(${chunk.first}::int, ${chunk.last}::int) AS n
), planned AS MATERIALIZED (
  SELECT numbered.*, venue.*, start_local + length AS end_local
  FROM numbered JOIN venue ON venue.place = n % ${venues.length}::int
), added_events AS (
  INSERT INTO events (business_id, id, uuid, client_id, status, title, start_local, starts_at, end_local, ends_at, timezone,
                      resource_id, description, dress_code, venue_name, address, room, city, state, zip, latitude, longitude)
  SELECT ${businessId}::int, id, ${uuid}, ${pick(business.clientIds, n)},
         (CASE n % 20 WHEN 7 THEN 'draft' WHEN 13 THEN 'canceled' WHEN 19 THEN 'deleted' ELSE 'active' END)::"EventStatus",
         (ARRAY['Annual Gala', 'Partner Summit', 'Product Launch', 'Wedding Reception', 'Board Lunch'])[1 + n % 5] || ' ' || n,
         start_local, ${startsAt}, end_local, ${endsAt}, zone,
         'B-' || n, 'Reception, seated dinner and a programme on stage.', 'All black, comfortable shoes',
         name, address, room, city, state, zip, latitude, longitude
  FROM planned
  ORDER BY n
  RETURNING 1
), planned_calls AS MATERIALIZED (
  SELECT n, c, planned.id AS event_id, nextval(pg_get_serial_sequence('call_times', 'id'))::int AS id,
         ${pick(business.positionIds, Prisma.sql`n + c`)} AS position_id, c % 4 + 2 AS staff_needed,
         start_local, ${startsAt} AS starts_at, ${endOfCall} AS end_local, ${instant(endOfCall)} AS ends_at
  FROM planned CROSS JOIN generate_series(0, 4) AS c
  WHERE n <= ${chunk.lastWithChildren}::int
  ORDER BY n, c
), added_calls AS (
  INSERT INTO call_times (business_id, id, uuid, event_id, position_id, skill_level_id, staff_needed, start_local, starts_at,
                          end_local, ends_at, notes_for_staff, pay_rate, pay_unit)
  SELECT ${businessId}::int, id, ${uuid}, event_id, position_id, ${pick(business.skillLevelIds, Prisma.sql`n + c`)},
         staff_needed, start_local, starts_at, end_local, ends_at, 'Briefing at call time by the staff entrance.',
         CASE WHEN c < 3 THEN 22 + (n + c) % 20 + 0.5 END,
         (SELECT p.pay_unit FROM positions p WHERE p.business_id = ${businessId}::int AND p.id = position_id)
  FROM planned_calls
  ORDER BY n, c
  RETURNING 1
), added_shifts AS (
  INSERT INTO work_shifts (business_id, uuid, event_id, call_time_id, position_id, user_id, status, confirmed, start_local, starts_at,
                           end_local, ends_at, pay_rate, pay_unit)
  SELECT ${businessId}::int, ${uuid}, event_id, id, position_id, ${pick(business.staffIds, Prisma.sql`n * 20 + c * 4 + s`)},
         (CASE (n + c * 4 + s) % 20 WHEN 3 THEN 'canceled' WHEN 11 THEN 'deleted' ELSE 'active' END)::"ShiftStatus",
         (n + s) % 3 > 0, start_local, starts_at, end_local, ends_at, CASE WHEN s < 2 OR c < 3 THEN 24 + (n + s) % 16 + 0.25 END,
         CASE WHEN s < 2 OR c < 3 THEN 'hour'::"PayUnit" END
  FROM planned_calls CROSS JOIN generate_series(0, 3) AS s
  ORDER BY n, c, s
  RETURNING 1
), added_values AS (
  INSERT INTO custom_field_values (business_id, event_id, custom_field_id, value)
  SELECT ${businessId}::int, id, (${[...business.fieldIds]}::int[])[f],
         CASE f WHEN 1 THEN 'Lot ' || chr(65 + n % 6) || ', level ' || n % 4
                WHEN 2 THEN 'PO-' || 10000 + n
                WHEN 3 THEN E'Use the freight elevator.\\nCheck in with security.'
                ELSE (ARRAY['Crew meal', 'Vegetarian crew meal', 'None'])[1 + n % 3] END
  FROM planned CROSS JOIN generate_series(1, 4) AS f
  WHERE n <= ${chunk.lastWithChildren}::int
  ORDER BY n, f
  RETURNING 1
)
SELECT (SELECT count(*) FROM added_events)::int AS "events", (SELECT count(*) FROM added_calls)::int AS "callTimes",
       (SELECT count(*) FROM added_shifts)::int AS "workShifts", (SELECT count(*) FROM added_values)::int AS "customValues"`;
}
