import pg from 'pg';

/** The business whose reports are measured: its events start within so many days. */
export const reportedSpan = { events: 60_000, days: 400, firstDay: '2027-01-01' } as const;

/** All shifts, and days with about 240,000 of them. */
export const reportedShifts = { all: 18 * reportedSpan.events, days: 89 } as const;

/**
 * Moves the events of a business, which have no children yet, into 400 days, and gives each three call times and 18 shifts, of
 * which one in ten is canceled.
 */
export async function fillReported(databaseUrl: string, businessId: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT set_config('callboard.log', 'off', TRUE)`);
    for (const statement of fillStatements) await client.query(statement, [businessId]);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

/** Rows by their place among those of the business, from 0. */
const placed = (table: string, also = '') =>
  `SELECT t.*, row_number() OVER (ORDER BY id) - 1 AS place, count(*) OVER () AS total FROM ${table} t WHERE business_id = $1 ${also}`;

const fillStatements = [
  `UPDATE events e SET timezone = 'UTC', start_local = n.at, starts_at = n.at AT TIME ZONE 'UTC',
          end_local = n.at + interval '6 hours', ends_at = (n.at + interval '6 hours') AT TIME ZONE 'UTC'
     FROM (SELECT id, timestamp '${reportedSpan.firstDay} 10:00' + make_interval(days => (place * ${reportedSpan.days} / total)::int, hours => (place % 9)::int) AS at
             FROM (${placed('events')}) AS p) AS n
    WHERE e.business_id = $1 AND e.id = n.id`,
  `INSERT INTO call_times (business_id, event_id, position_id, staff_needed, start_local, starts_at, end_local, ends_at, pay_rate)
   SELECT $1, e.id, p.id, 2 + c, e.start_local, e.starts_at, e.end_local, e.ends_at, CASE WHEN c > 0 THEN 20.5 + c END
     FROM (${placed('events')}) AS e CROSS JOIN generate_series(0, 2) AS c
     JOIN (${placed('positions')}) AS p ON p.place = (e.place + c) % p.total`,
  `INSERT INTO work_shifts (business_id, event_id, call_time_id, position_id, user_id, status, confirmed, start_local, starts_at,
                            end_local, ends_at, pay_rate)
   SELECT $1, c.event_id, c.id, c.position_id, u.id, (CASE WHEN (c.place + s) % 10 = 0 THEN 'canceled' ELSE 'active' END)::"ShiftStatus",
          (c.place + s) % 3 > 0, c.start_local, c.starts_at, c.end_local, c.ends_at, CASE WHEN s = 0 THEN 24.25 END
     FROM (${placed('call_times')}) AS c CROSS JOIN generate_series(0, 5) AS s
     JOIN (${placed('users', "AND role = 'staff'")}) AS u ON u.place = (c.place * 6 + s) % u.total`,
];
