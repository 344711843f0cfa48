import pg from 'pg';

/** The business whose staff is ranked. */
export const staffed = { staff: 5000, events: 10_000, shiftsOfEvent: 20, days: 400, firstDay: '2027-01-04' } as const;

/**
 * Gives a business, whose events have no children yet, its staff with availability and certificates, and each event a call time with
 * its shifts. Rest and weekly hours are set.
 */
export async function fillStaffed(databaseUrl: string, businessId: number): Promise<number[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT set_config('callboard.log', 'off', TRUE)`);
    for (const statement of fillStatements) await client.query(statement, [businessId]);
    const { rows } = await client.query<{ id: number }>(
      `SELECT id FROM users WHERE business_id = $1 AND role = 'staff' ORDER BY id`,
      [businessId],
    );
    await client.query('COMMIT');
    await client.query('VACUUM ANALYZE');
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
}

const placed = (table: string, also = '') =>
  `SELECT t.*, row_number() OVER (ORDER BY id) - 1 AS place, count(*) OVER () AS total FROM ${table} t WHERE business_id = $1 ${also}`;
const staff = placed('users', `AND role = 'staff'`);

const fillStatements = [
  `UPDATE businesses SET rest_hours = 11, weekly_hours = 48 WHERE id = $1`,
  `INSERT INTO users (business_id, role, name, first_name, last_name, email, email_key, phone)
   SELECT $1, 'staff', 'Person ' || n, 'Person', n::text, 'p' || n || '@b' || $1 || '.example', 'p' || n || '@b' || $1 || '.example', '+1 555 ' || n
     FROM generate_series(1, ${staffed.staff} - (SELECT count(*)::int FROM users WHERE business_id = $1 AND role = 'staff')) AS n`,
  `UPDATE events e SET timezone = 'UTC', start_local = n.at, starts_at = n.at AT TIME ZONE 'UTC',
          end_local = n.at + interval '8 hours', ends_at = (n.at + interval '8 hours') AT TIME ZONE 'UTC', venue_name = 'Venue ' || (n.place % 200)
     FROM (SELECT id, place, timestamp '${staffed.firstDay} 06:00' + make_interval(days => (place * ${staffed.days} / total)::int, hours => (place % 14)::int) AS at
             FROM (${placed('events')}) AS p) AS n
    WHERE e.business_id = $1 AND e.id = n.id`,
  `INSERT INTO call_times (business_id, event_id, position_id, staff_needed, start_local, starts_at, end_local, ends_at)
   SELECT $1, e.id, p.id, ${staffed.shiftsOfEvent}, e.start_local, e.starts_at, e.end_local, e.ends_at
     FROM (${placed('events')}) AS e JOIN (${placed('positions')}) AS p ON p.place = e.place % p.total`,
  `INSERT INTO work_shifts (business_id, event_id, call_time_id, position_id, user_id, start_local, starts_at, end_local, ends_at)
   SELECT $1, c.event_id, c.id, c.position_id, u.id, c.start_local, c.starts_at, c.end_local, c.ends_at
     FROM (${placed('call_times')}) AS c CROSS JOIN generate_series(0, ${staffed.shiftsOfEvent - 1}) AS s
     JOIN (${staff}) AS u ON u.place = (c.place * 977 + s * 251) % u.total`,
  `INSERT INTO availability_patterns (business_id, user_id, rule, weekday, start_time, end_time, timezone)
   SELECT $1, u.id, (CASE WHEN d.at = u.place % 7 THEN 'preferred' ELSE 'available' END)::"AvailabilityRule", d.weekday::"Weekday",
          lpad((6 + u.place % 5)::text, 2, '0') || ':00', CASE WHEN u.place % 3 = 0 THEN '02:00' ELSE '20:30' END, 'Europe/Berlin'
     FROM (${staff}) AS u
     JOIN unnest(ARRAY['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']) WITH ORDINALITY AS d (weekday, at)
       ON d.at % 7 <> u.place % 7 AND u.place % 5 < 4`,
  `INSERT INTO availability_exceptions (business_id, user_id, rule, starts_at, ends_at)
   SELECT $1, u.id, 'unavailable', at, at + interval '10 days'
     FROM (${staff}) AS u CROSS JOIN generate_series(0, 2) AS n
    CROSS JOIN LATERAL (SELECT timestamptz '${staffed.firstDay} 00:00Z' + make_interval(days => (u.place * 7 + n * 130)::int % ${staffed.days}) AS at) AS a`,
  `INSERT INTO qualifications (business_id, name) VALUES ($1, 'Forklift'), ($1, 'First aid')`,
  `INSERT INTO requirements (business_id, position_id, qualification_id)
   SELECT $1, p.id, q.id FROM (${placed('positions')}) AS p JOIN (${placed('qualifications')}) AS q ON q.place <= p.place % 3 - 1`,
  `INSERT INTO user_qualifications (business_id, user_id, qualification_id, valid_until)
   SELECT $1, u.id, q.id, CASE WHEN u.place % 7 = 0 THEN date '${staffed.firstDay}' + 200 END
     FROM (${staff}) AS u CROSS JOIN (${placed('qualifications')}) AS q WHERE (u.place + q.place) % 10 < 8`,
];
