import fc, { type Arbitrary } from 'fast-check';
import type { Tenant } from './factories.ts';
import type { TestApp } from './app.ts';

/* Changes of call times and shifts as SQL, and what the database then says of the staffing of their events. */

/** Rows that the changes are about: shifts of one person at some events of a business, in some positions. */
export interface Staffed {
  readonly businessId: number;
  readonly eventIds: readonly number[];
  readonly positionIds: readonly number[];
  readonly userId: number;
}

export async function createStaffed(service: TestApp, { business, staff }: Tenant, events = 3): Promise<Staffed> {
  const positionIds: number[] = [];
  for (const payUnit of ['hour', 'day'] as const)
    positionIds.push((await service.createPosition(business, { payUnit, defaultPayRate: '20.05' })).id);
  const eventIds: number[] = [];
  for (let index = 0; index < events; index++) eventIds.push((await service.createEvent(business)).id);
  return { businessId: business.id, eventIds, positionIds, userId: staff.id };
}

const number = fc.integer({ min: 1, max: 4 });
const start = `'2126-12-05 18:00', '2126-12-05 18:00Z'`;
const timeColumns = 'start_local, starts_at, end_local, ends_at';
/** Ends that cost whole hours, parts of them, half a cent and a second day. */
const end = fc
  .constantFrom('2126-12-05 23:00', '2126-12-05 19:10', '2126-12-05 18:00:18', '2126-12-06 18:00:01')
  .map((time) => `'${time}', '${time}Z'::timestamptz`);
const rate = fc.constantFrom('NULL', 'NULL', '0.01', '17.33');
const unit = fc.constantFrom('hour', 'day', 'flat');

/** A call time of an event with a shift of the person, who has come. */
export const filledPlace = (of: Record<'businessId' | 'eventId' | 'positionId' | 'userId', number>): string => `
  WITH place AS (
         INSERT INTO call_times (business_id, event_id, position_id, staff_needed, ${timeColumns})
         VALUES (${of.businessId}, ${of.eventId}, ${of.positionId}, 2, ${start}, '2126-12-05 23:00', '2126-12-05 23:00Z') RETURNING *),
       shift AS (
         INSERT INTO work_shifts (business_id, event_id, call_time_id, position_id, user_id, ${timeColumns})
         SELECT business_id, event_id, id, position_id, ${of.userId}, ${timeColumns} FROM place RETURNING *)
  INSERT INTO attendance (business_id, id, uuid, event_id, checked_in_at, source)
  SELECT business_id, id, uuid, event_id, starts_at, 'admin' FROM shift`;

/** Statements that change what the positions pay. */
export const positionChange = ({ businessId, positionIds }: Staffed): Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...positionIds), fc.constantFrom('20.05', '20.05', '0.01', '31.99'), unit)
    .map(
      ([id, paid, per]) =>
        `UPDATE positions SET default_pay_rate = ${paid}, pay_unit = '${per}' WHERE business_id = ${businessId} AND id = ${id}`,
    );

/** Statements that change call times: none that shifts point to is moved or deleted. */
export const callTimeChange = ({ businessId, eventIds, positionIds }: Staffed): Arbitrary<string> => {
  const event = fc.constantFrom(...eventIds);
  const position = fc.constantFrom(...positionIds);
  const bare = `NOT EXISTS (SELECT 1 FROM work_shifts s WHERE s.business_id = c.business_id AND s.call_time_id = c.id)`;
  const nth = (of: number) =>
    `c.business_id = ${businessId} AND c.event_id = ANY('{${eventIds.join()}}') AND c.id % ${of} = 0`;
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(event, position, number, number, end, rate, unit).map(
        ([eventId, positionId, needed, count, ends, pay, per]) => `
        INSERT INTO call_times (business_id, event_id, position_id, staff_needed, ${timeColumns}, pay_rate, pay_unit)
        SELECT ${businessId}, ${eventId}, ${positionId}, ${needed}, ${start}, ${ends}, ${pay}, '${per}' FROM generate_series(1, ${count})`,
      ),
    },
    fc
      .oneof(
        position.map((id) => `position_id = ${id}`),
        rate.map((pay) => `pay_rate = ${pay}`),
        unit.map((per) => `pay_unit = '${per}'`),
        end.map((ends) => `(end_local, ends_at) = (${ends.replace(',', '::timestamp,')})`),
        fc.constantFrom('start_tbd = NOT start_tbd', 'end_tbd = NOT end_tbd'),
      )
      .chain((set) => number.map((of) => `UPDATE call_times c SET ${set} WHERE ${nth(of)}`)),
    fc.tuple(number, number).map(([needed, of]) => `UPDATE call_times c SET staff_needed = ${needed} WHERE ${nth(of)}`),
    number.map((of) => `UPDATE call_times c SET notes_for_staff = 'Side door' WHERE ${nth(of)}`),
    fc
      .tuple(event, number)
      .map(([eventId, of]) => `UPDATE call_times c SET event_id = ${eventId} WHERE ${nth(of)} AND ${bare}`),
    number.map((of) => `DELETE FROM call_times c WHERE ${nth(of)} AND ${bare}`),
  );
};

/** Statements that change shifts of the person. */
export const shiftChange = ({ businessId, eventIds, positionIds, userId }: Staffed): Arbitrary<string> => {
  const event = fc.constantFrom(...eventIds);
  const position = fc.constantFrom(...positionIds);
  const times = fc.oneof(
    end.map((ends) => `${start.replace(',', '::timestamp,')}::timestamptz, ${ends.replace(',', '::timestamp,')}`),
    fc.constant('NULL::timestamp, NULL::timestamptz, NULL::timestamp, NULL::timestamptz'),
  );
  const status = fc.constantFrom('active', 'active', 'canceled', 'deleted');
  const nth = (of: number) => `s.business_id = ${businessId} AND s.user_id = ${userId} AND s.id % ${of} = 0`;
  const bare = `NOT EXISTS (SELECT 1 FROM attendance a WHERE a.business_id = s.business_id AND a.id = s.id)`;
  /** Some call time of an event, or null. */
  const callTimeOf = (eventId: number | string, skipped: number) =>
    `(SELECT c.id FROM call_times c WHERE c.business_id = ${businessId} AND c.event_id = ${eventId} ORDER BY c.id LIMIT 1 OFFSET ${skipped})`;
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(event, position, status, fc.boolean(), number, number, times, rate).map(
        ([eventId, positionId, given, isConfirmed, skipped, count, planned, pay]) => `
        INSERT INTO work_shifts (business_id, event_id, call_time_id, position_id, user_id, status, confirmed, ${timeColumns}, pay_rate)
        SELECT ${businessId}, ${eventId}, ${callTimeOf(eventId, skipped - 1)}, ${positionId}, ${userId}, '${given}', ${isConfirmed}, ${planned}, ${pay}
          FROM generate_series(1, ${count})`,
      ),
    },
    fc
      .tuple(status, number)
      .map(([given, of]) => `UPDATE work_shifts s SET status = '${given}' WHERE ${nth(of)} AND ${bare}`),
    number.map((of) => `UPDATE work_shifts s SET confirmed = NOT confirmed WHERE ${nth(of)}`),
    fc
      .oneof(
        position.map((id) => `position_id = ${id}`),
        rate.map((pay) => `pay_rate = ${pay}`),
        times.map((planned) => `(${timeColumns}) = (${planned})`),
      )
      .chain((set) => number.map((of) => `UPDATE work_shifts s SET ${set} WHERE ${nth(of)}`)),
    number.map((of) => `UPDATE work_shifts s SET override_reason = 'Asked for' WHERE ${nth(of)}`),
    fc
      .tuple(number, number)
      .map(
        ([of, skipped]) =>
          `UPDATE work_shifts s SET call_time_id = ${callTimeOf('s.event_id', skipped)} WHERE ${nth(of)}`,
      ),
    fc
      .tuple(event, number, number)
      .map(
        ([eventId, of, skipped]) =>
          `UPDATE work_shifts s SET event_id = ${eventId}, call_time_id = ${callTimeOf(eventId, skipped)} WHERE ${nth(of)} AND ${bare}`,
      ),
    number.map((of) => `DELETE FROM work_shifts s WHERE ${nth(of)} AND ${bare}`),
  );
};

/** Statements that note who came to the shifts of the person, which then stay at their event. */
export const attendanceChange = ({ businessId, userId }: Staffed): Arbitrary<string> => {
  const came = fc.constantFrom(
    `'2126-12-05 18:00Z'::timestamptz, 'admin'::"AttendanceSource"`,
    `NULL::timestamptz, NULL::"AttendanceSource"`,
  );
  const nth = (of: number) => `business_id = ${businessId} AND id % ${of} = 0`;
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(came, number).map(
        ([at, of]) => `
        INSERT INTO attendance (business_id, id, uuid, event_id, checked_in_at, source)
        SELECT business_id, id, uuid, event_id, ${at} FROM work_shifts s WHERE ${nth(of)} AND user_id = ${userId} AND status = 'active'
            ON CONFLICT (business_id, id) DO UPDATE SET checked_in_at = excluded.checked_in_at, source = excluded.source`,
      ),
    },
    number.map((of) => `UPDATE attendance SET break_minutes = 15 WHERE ${nth(of)}`),
    number.map((of) => `DELETE FROM attendance WHERE ${nth(of)}`),
  );
};

const price = (
  paid: string,
  per: string,
  row: string,
  known = (side: string, column: string) => `${row}.${side}${column}`,
) => {
  const elapsed = `extract(epoch FROM ${known('end', 's_at')} - ${known('start', 's_at')})`;
  return `
  CASE ${per} WHEN 'flat' THEN ${paid}
    WHEN 'day' THEN ${paid} * ceil(extract(epoch FROM ${known('end', '_local')} - ${known('start', '_local')}) / 86400)
    ELSE round(${paid} * ${elapsed}::numeric / 3600, 2) END`;
};

/** Rate and unit that a position `p` has for work that starts at a time. */
const rateAt = (column: 'pay_rate' | 'pay_unit', at: string) => `
  coalesce((SELECT r.${column} FROM position_rates r
             WHERE r.business_id = p.business_id AND r.position_id = p.id AND r.ends_at > ${at} ORDER BY r.ends_at LIMIT 1),
           p.${column === 'pay_rate' ? 'default_pay_rate' : column})`;
const startOfShift = 'coalesce(s.starts_at, t.starts_at, e.starts_at)';

/** One row for each call time and each active shift, with the price of one person in dollars. */
const work = (businessId: number) => `
  SELECT c.event_id, c.position_id, c.staff_needed AS needed, a.assigned, a.confirmed, least(c.staff_needed, a.assigned) AS filled, a.present, 0 AS shifts,
         NULL::boolean AS is_confirmed,
         ${price(
           `coalesce(c.pay_rate, ${rateAt('pay_rate', 'c.starts_at')})`,
           `(CASE WHEN c.pay_rate IS NULL THEN ${rateAt('pay_unit', 'c.starts_at')} ELSE c.pay_unit END)`,
           'c',
           (side, column) => `(CASE WHEN NOT c.${side}_tbd THEN c.${side}${column} END)`,
         )} AS price
    FROM call_times c JOIN positions p ON p.business_id = c.business_id AND p.id = c.position_id
   CROSS JOIN LATERAL (
         SELECT count(*) AS assigned, count(*) FILTER (WHERE confirmed) AS confirmed, count(a.checked_in_at) AS present
           FROM work_shifts s LEFT JOIN attendance a ON a.business_id = s.business_id AND a.id = s.id
          WHERE s.business_id = c.business_id AND s.call_time_id = c.id AND s.status = 'active') AS a
   WHERE c.business_id = ${businessId}
  UNION ALL
  SELECT s.event_id, s.position_id, 0, 0, 0, 0, 0, 1, s.confirmed,
         ${price(
           `coalesce(s.pay_rate, t.pay_rate, ${rateAt('pay_rate', startOfShift)})`,
           `(CASE WHEN s.pay_rate IS NOT NULL THEN s.pay_unit WHEN t.pay_rate IS NOT NULL THEN t.pay_unit ELSE ${rateAt('pay_unit', startOfShift)} END)`,
           's',
         )}
    FROM work_shifts s JOIN positions p ON p.business_id = s.business_id AND p.id = s.position_id
    JOIN events e ON e.business_id = s.business_id AND e.id = s.event_id
    LEFT JOIN call_times t ON t.business_id = s.business_id AND t.id = s.call_time_id
   WHERE s.business_id = ${businessId} AND s.status = 'active'`;

const people = 'sum(needed)::int, sum(assigned)::int, sum(confirmed)::int, sum(filled)::int, sum(present)::int';
const cost = `
  coalesce(sum(price) FILTER (WHERE shifts = 1), 0)::numeric(38, 2)::text,
  coalesce(sum(price) FILTER (WHERE is_confirmed), 0)::numeric(38, 2)::text,
  coalesce(sum((needed - filled) * price) FILTER (WHERE shifts = 0), 0)::numeric(38, 2)::text,
  (count(*) FILTER (WHERE shifts = 1 AND price IS NULL))::int,
  coalesce(sum(needed - filled) FILTER (WHERE shifts = 0 AND price IS NULL), 0)::int`;

const costColumns = ['planned_cents', 'confirmed_cents', 'open_cents'];
const storedCost = `${costColumns.map((cents) => `round(${cents} / 100, 2)::text`).join(', ')}, unpriced_shifts, unpriced_open`;
const summedCost = `${costColumns.map((cents) => `round(sum(${cents}) / 100, 2)::text`).join(', ')}, sum(unpriced_shifts), sum(unpriced_open)`;
/** Null for an event with outdated sums. */
const costByEvent = (columns: string) =>
  `CASE WHEN event_id NOT IN (SELECT event_id FROM outdated) THEN jsonb_build_array(${columns}) END`;

/** What is counted, by event or by event and position, and what is stored of it, in one snapshot. */
export interface Staffing {
  readonly counted: object | null;
  readonly stored: object | null;
  readonly countedByPosition: object | null;
  readonly storedByPosition: object | null;
  /** Costs as they are stored by event, and the sums of those that are stored by position, outdated or not. */
  readonly storedCost: object | null;
  readonly storedCostOfPositions: object | null;
}

/** Prices of before the last change of the position do not count: rows by position and costs by event with them are left out. */
export const staffingOf = (businessId: number): string => `
  WITH work AS MATERIALIZED (${work(businessId)}),
       outdated AS MATERIALIZED (
         SELECT t.event_id, t.position_id FROM position_staffing t JOIN positions p ON p.business_id = t.business_id AND p.id = t.position_id
          WHERE t.business_id = ${businessId} AND t.priced_version <> p.rate_version)
  SELECT (SELECT jsonb_object_agg(event_id, row) FROM (
            SELECT event_id, jsonb_build_array(${people}, sum(shifts), ${costByEvent(cost)}) AS row FROM work GROUP BY event_id) AS events) AS counted,
         (SELECT jsonb_object_agg(event_id, jsonb_build_array(needed, assigned, confirmed, filled, present, shifts, ${costByEvent(storedCost)}))
            FROM event_staffing WHERE business_id = ${businessId} AND (needed, shifts) <> (0, 0)) AS stored,
         (SELECT jsonb_object_agg(event_id, jsonb_build_array(${storedCost})) FROM event_staffing
           WHERE business_id = ${businessId} AND (needed, shifts) <> (0, 0)) AS "storedCost",
         (SELECT jsonb_object_agg(event_id, row) FROM (
            SELECT event_id, jsonb_build_array(${summedCost}) AS row FROM position_staffing
             WHERE business_id = ${businessId} GROUP BY event_id) AS events) AS "storedCostOfPositions",
         (SELECT jsonb_object_agg(event_id || '-' || position_id, row) FROM (
            SELECT event_id, position_id, jsonb_build_array(${people}, sum(shifts), ${cost}) AS row FROM work
             WHERE (event_id, position_id) NOT IN (SELECT * FROM outdated) GROUP BY event_id, position_id) AS parts) AS "countedByPosition",
         (SELECT jsonb_object_agg(event_id || '-' || position_id, jsonb_build_array(needed, assigned, confirmed, filled, present, shifts, ${storedCost}))
            FROM position_staffing
           WHERE business_id = ${businessId} AND (event_id, position_id) NOT IN (SELECT * FROM outdated)) AS "storedByPosition"`;

/** The labour cost of the business as its shifts and call times say it, by UUIDs of events or ids of positions. */
export const labourCostBy = (group: 'event' | 'position', businessId: number): string => `
  SELECT ${group === 'event' ? 'e.uuid' : 'position_id'}::text AS key, jsonb_build_array(${cost}) AS sums
    FROM (${work(businessId)}) AS work JOIN events e ON e.business_id = ${businessId} AND e.id = event_id
   WHERE shifts > 0 OR needed > filled GROUP BY key ORDER BY key`;
