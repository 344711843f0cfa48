import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { createTokens } from '../../src/access/tokens.ts';
import { ask, graphql, rest } from './requests.ts';
import { median } from './rounds.ts';
import { fillForRoad, type Business } from './scene.ts';
import { startService, type Service } from './service.ts';
import { documents } from './shapes.ts';
import { medianTimes } from './timed.ts';

/** The day and its accounts, in a business of 2,000 staff who have worked 200,000 shifts in a year. */
export interface Attendance {
  /** 1,000 people check in at one event within a minute, each with the code, and every tenth twice at once. */
  readonly checkInMedianMs: number;
  readonly checkInP95Ms: number;
  readonly stored: number;
  /** Payroll of all staff over a month. */
  readonly payrollMs: number;
  /** Reports on the year, and candidates, beside the same in a business in which nobody has checked in. */
  readonly coverageMs: number;
  readonly coverageWithoutMs: number;
  readonly labourCostMs: number;
  readonly labourCostWithoutMs: number;
  readonly candidatesMs: number;
  readonly candidatesWithoutMs: number;
}

const year = { staff: 2000, events: 10_000, shiftsOfEvent: 20, days: 365 } as const;
const arrivals = 1000;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

export async function measureAttendance(
  databaseUrl: string,
  reads: number,
  say: (line: string) => void,
): Promise<Attendance> {
  say('attendance: seeding two businesses with 200,000 shifts each');
  const [attended, planned] = [await fillForRoad(databaseUrl), await fillForRoad(databaseUrl)];
  const secret = randomBytes(32).toString('base64url');
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    for (const business of [attended, planned]) await fillYear(client, business.id);
    await noteYear(client, attended.id);
    const people = await addArrivals(client, attended.id, secret);
    await client.query('VACUUM ANALYZE');
    // The limit of the plan holds: a check-in costs a tenth of a request.
    const env = { DATABASE_URL: databaseUrl, JWT_SECRETS: `bench:${secret}`, CALLBOARD_ENTERPRISE_PER_MINUTE: '1000' };
    const service = await startService(env);
    let times: number[];
    say('attendance: check-ins of a minute');
    try {
      times = await checkIn(service, attended, people);
    } finally {
      await service.stop();
    }
    const { rows } = await client.query<{ stored: number }>(
      `SELECT count(*)::int AS stored FROM attendance WHERE event_id = $1 AND checked_in_at IS NOT NULL AND version = 1`,
      [people[0]!.eventId],
    );
    say('attendance: payroll, reports and candidates');
    const sorted = times.toSorted((a, b) => a - b);
    return {
      checkInMedianMs: median(times),
      checkInP95Ms: sorted[Math.ceil(sorted.length * 0.95) - 1]!,
      stored: rows[0]!.stored,
      ...(await measureReads(client, databaseUrl, attended, planned, reads)),
    };
  } finally {
    await client.end();
  }
}

interface Arrival {
  readonly uuid: string;
  readonly eventId: number;
  readonly eventUuid: string;
  readonly token: string;
}

/** In an open loop: nobody waits for the one before. */
async function checkIn({ origin }: Service, { key }: Business, people: readonly Arrival[]): Promise<number[]> {
  const readCode = async () => {
    const { bytes } = await ask(origin, rest.get(key, `/v1/events/${people[0]!.eventUuid}/check_in_code`));
    return (JSON.parse(bytes.toString()) as { data: { code: string } }).data.code;
  };
  const times: number[] = [];
  const startedAt = performance.now();
  let code = await readCode();
  const sent: Promise<void>[] = [];
  for (const [index, { uuid, token }] of people.entries()) {
    await wait(Math.max(0, startedAt + (index * 0.95 * minuteMs) / arrivals - performance.now()));
    if (index % 150 === 0) code = await readCode();
    const one = async () => {
      const at = performance.now();
      const request = rest.send(token, 'POST', `/v1/work_shifts/${uuid}/actions/check_in`, { code });
      // The service may ask to try again, as on a busy machine: people wait for that as well.
      let refusals = 0;
      const send = (): Promise<unknown> =>
        ask(origin, request).catch(async (error: Error) => {
          if (!error.message.includes(': 503 ') || ++refusals > 5) throw error;
          await wait(500);
          return send();
        });
      await send();
      times.push(performance.now() - at);
    };
    sent.push(one());
    if (index % 10 === 0) sent.push(one());
  }
  await Promise.all(sent);
  return times;
}

async function measureReads(
  client: pg.Client,
  databaseUrl: string,
  attended: Business,
  planned: Business,
  reads: number,
) {
  const service = await startService({ DATABASE_URL: databaseUrl });
  let serial = 0;
  const now = Date.now();
  const report = (document: string, { key }: Business) => {
    const send = graphql(document, key);
    return () => {
      const from = now - year.days * dayMs + serial++;
      return send({ from: new Date(from).toISOString(), to: new Date(from + year.days * dayMs).toISOString() });
    };
  };
  const candidates = async ({ id, key }: Business) => {
    const { rows } = await client.query<{ uuid: string }>(
      'SELECT uuid FROM call_times WHERE business_id = $1 ORDER BY id DESC LIMIT 500',
      [id],
    );
    return () => rest.get(key, rest.afresh(`/v1/call_times/${rows[serial++ % rows.length]!.uuid}/candidates`));
  };
  const payroll = () => {
    const day = (back: number) => new Date(now - back * dayMs).toISOString().slice(0, 10);
    const from = 40 + (serial++ % 200);
    return rest.get(attended.key, `/v1/payroll?from=${day(from)}&to=${day(from - 30)}`);
  };
  try {
    return await medianTimes(
      service.origin,
      {
        payrollMs: payroll,
        coverageMs: report(documents.service.coverage, attended),
        coverageWithoutMs: report(documents.service.coverage, planned),
        labourCostMs: report(documents.service.labourCost, attended),
        labourCostWithoutMs: report(documents.service.labourCost, planned),
        candidatesMs: await candidates(attended),
        candidatesWithoutMs: await candidates(planned),
      },
      reads,
    );
  } finally {
    await service.stop();
  }
}

const placed = (table: string, also = '') =>
  `SELECT t.*, row_number() OVER (ORDER BY id) - 1 AS place, count(*) OVER () AS total FROM ${table} t WHERE business_id = $1 ${also}`;

/** A year of events up to now, each with a call time that is filled. */
async function fillYear(client: pg.Client, businessId: number): Promise<void> {
  await client.query(`SELECT set_config('callboard.log', 'off', FALSE)`);
  // The staffing of each event is counted once, at the end.
  const counted = ['call_times', 'work_shifts'];
  for (const table of counted) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER staffing_added`);
  for (const statement of [
    `UPDATE events SET status = 'deleted' WHERE business_id = $1`,
    `INSERT INTO users (business_id, role, name, first_name, last_name, email, email_key)
     SELECT $1, 'staff', 'Crew ' || n, 'Crew', n::text, 'crew' || n || '@b' || $1 || '.example', 'crew' || n || '@b' || $1 || '.example'
       FROM generate_series(1, ${year.staff} - (SELECT count(*)::int FROM users WHERE business_id = $1 AND role = 'staff')) AS n`,
    `INSERT INTO events (business_id, title, timezone, start_local, starts_at, end_local, ends_at)
     SELECT $1, 'Show ' || n, 'UTC', at, at AT TIME ZONE 'UTC', at + interval '8 hours', (at + interval '8 hours') AT TIME ZONE 'UTC'
       FROM generate_series(1, ${year.events}) AS n
      CROSS JOIN LATERAL (SELECT date_trunc('minute', now() AT TIME ZONE 'UTC') - interval '12 hours' - make_interval(mins => (n * ${(year.days * 1440) / year.events})::int) AS at) AS t`,
    `INSERT INTO call_times (business_id, event_id, position_id, staff_needed, start_local, starts_at, end_local, ends_at)
     SELECT $1, e.id, p.id, ${year.shiftsOfEvent}, e.start_local, e.starts_at, e.end_local, e.ends_at
       FROM (${placed('events', `AND status = 'active'`)}) AS e JOIN (${placed('positions')}) AS p ON p.place = e.place % p.total`,
    `INSERT INTO work_shifts (business_id, event_id, call_time_id, position_id, user_id, confirmed, start_local, starts_at, end_local, ends_at)
     SELECT $1, c.event_id, c.id, c.position_id, u.id, TRUE, c.start_local, c.starts_at, c.end_local, c.ends_at
       FROM (${placed('call_times', `AND event_id IN (SELECT id FROM events WHERE business_id = $1 AND status = 'active')`)}) AS c
      CROSS JOIN generate_series(0, ${year.shiftsOfEvent - 1}) AS s
       JOIN (${placed('users', `AND role = 'staff'`)}) AS u ON u.place = (c.place * ${year.shiftsOfEvent} + s) % u.total`,
  ])
    await client.query(statement, [businessId]);
  for (const table of counted) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER staffing_added`);
  await client.query('ANALYZE');
  await client.query('SELECT count_staffing($1, id) FROM events WHERE business_id = $1', [businessId]);
}

/** Everybody came, one in twenty too late, and of a hundred one did not. */
async function noteYear(client: pg.Client, businessId: number): Promise<void> {
  await client.query(
    `INSERT INTO attendance (business_id, id, uuid, event_id, no_show, late, checked_in_at, checked_out_at, source, created_at)
     SELECT business_id, id, uuid, event_id, id % 100 = 0, id % 20 = 7,
            CASE WHEN id % 100 > 0 THEN starts_at + CASE WHEN id % 20 = 7 THEN interval '9 minutes' ELSE interval '-3 minutes' END END,
            CASE WHEN id % 100 > 0 THEN ends_at END, CASE WHEN id % 100 > 0 THEN 'code'::"AttendanceSource" END, ends_at
       FROM work_shifts WHERE business_id = $1 AND status = 'active' AND starts_at < now()
        AND event_id IN (SELECT id FROM events WHERE business_id = $1 AND status = 'active')`,
    [businessId],
  );
}

/** An event that begins soon, with a shift and a credential for each of 1,000 people. */
async function addArrivals(client: pg.Client, businessId: number, secret: string): Promise<Arrival[]> {
  const tokens = createTokens([{ kid: 'bench', secret }]);
  const { rows: events } = await client.query<{ id: number; uuid: string }>(
    `INSERT INTO events (business_id, title, timezone, start_local, starts_at, end_local, ends_at)
     SELECT $1, 'Tonight', 'UTC', at, at AT TIME ZONE 'UTC', at + interval '8 hours', (at + interval '8 hours') AT TIME ZONE 'UTC'
       FROM (SELECT date_trunc('minute', now() AT TIME ZONE 'UTC') + interval '20 minutes' AS at) AS t RETURNING id, uuid`,
    [businessId],
  );
  const [event] = events;
  const { rows } = await client.query<{ uuid: string; userId: number }>(
    `INSERT INTO work_shifts (business_id, event_id, position_id, user_id, start_local, starts_at, end_local, ends_at)
     SELECT $1, e.id, (SELECT min(id) FROM positions WHERE business_id = $1), u.id, e.start_local, e.starts_at, e.end_local, e.ends_at
       FROM events e, (SELECT id FROM users WHERE business_id = $1 AND role = 'staff' ORDER BY id LIMIT ${arrivals}) AS u
      WHERE e.business_id = $1 AND e.id = $2 RETURNING uuid, user_id AS "userId"`,
    [businessId, event!.id],
  );
  const people: Arrival[] = [];
  for (const { uuid, userId } of rows) {
    const { token, jti, expiresAt } = tokens.sign({ businessId, userId }, new Date());
    await client.query('INSERT INTO personal_tokens (business_id, user_id, jti, expires_at) VALUES ($1, $2, $3, $4)', [
      ...[businessId, userId, jti, expiresAt],
    ]);
    people.push({ uuid, eventId: event!.id, eventUuid: event!.uuid, token });
  }
  return people;
}
