import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createTokens } from '../../src/access/tokens.ts';
import { ask, graphql, rest } from './requests.ts';
import { fillForRoad } from './scene.ts';
import { startService, type Service } from './service.ts';

/** Asking people, in a business with 500 staff and 100,000 call times that they can claim. */
export interface Offers {
  /** Page 1 of the call times that one person can claim. */
  readonly openMedianMs: number;
  readonly openP95Ms: number;
  /** SQL statements of an offer. */
  readonly to1Statements: number;
  readonly to500Statements: number;
  /** Answers of 50 people who accept at once for 10 places. */
  readonly acceptMedianMs: number;
  readonly acceptP95Ms: number;
}

const staff = 500;
const events = 2000;
const claimable = 100_000;
const answering = 50;
const rounds = 10;

export async function measureOffers(databaseUrl: string): Promise<Offers> {
  const { id: businessId, key } = await fillForRoad(databaseUrl, events);
  const secret = randomBytes(32).toString('base64url');
  const people = await fill(databaseUrl, businessId, secret);
  const service = await startService({ DATABASE_URL: databaseUrl, JWT_SECRETS: `bench:${secret}` });
  try {
    const open = await timesOf(people, ({ token }) => graphql(openPlaces, token)({}), service);
    const callTimes = await readCallTimes(databaseUrl, businessId);
    const offer = async (to: number, callTime: string) => {
      const before = await service.counts();
      const body = { call_time_uuid: callTime, user_ids: people.slice(0, to).map(({ id }) => id) };
      const { bytes } = await ask(service.origin, rest.send(key, 'POST', '/v1/offers', body));
      let now = before;
      while (now.requests === before.requests) now = await service.counts();
      const { data } = JSON.parse(bytes.toString()) as { data: { recipients: { uuid: string; user_id: number }[] } };
      return { statements: now.statements - before.statements, recipients: data.recipients };
    };
    const [to1Statements, to500Statements] = [
      (await offer(1, callTimes[0]!)).statements,
      (await offer(staff, callTimes[1]!)).statements,
    ];
    const accepted: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const { recipients } = await offer(answering, callTimes[2 + round]!);
      const answers = await Promise.all(
        recipients.map(async ({ uuid, user_id: userId }) => {
          const { token } = people.find(({ id }) => id === userId)!;
          const startedAt = performance.now();
          const { bytes } = await ask(
            service.origin,
            rest.send(token, 'POST', `/v1/offer_recipients/${uuid}/actions/accept`, {}),
          );
          const { data } = JSON.parse(bytes.toString()) as { data: { state: string } };
          return { state: data.state, ms: performance.now() - startedAt };
        }),
      );
      const placed = answers.filter(({ state }) => state === 'accepted').length;
      if (placed !== 10) throw new Error(`${placed} of ${answering} people have a place.`);
      // The first round warms up.
      if (round > 0) accepted.push(...answers.map(({ ms }) => ms));
    }
    return {
      ...{ openMedianMs: quantile(open, 0.5), openP95Ms: quantile(open, 0.95), to1Statements, to500Statements },
      ...{ acceptMedianMs: quantile(accepted, 0.5), acceptP95Ms: quantile(accepted, 0.95) },
    };
  } finally {
    await service.stop();
  }
}

const openPlaces =
  '{ openCallTimes(perPage: 50) { totalCount nodes { uuid eventTitle position startTime openPlaces } } }';

const quantile = (times: readonly number[], at: number): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * at) - 1]!;

interface Person {
  readonly id: number;
  readonly token: string;
}

async function timesOf(
  people: readonly Person[],
  requestOf: (person: Person) => Parameters<typeof ask>[1],
  service: Service,
) {
  const times: number[] = [];
  for (const [index, person] of people.slice(0, 100).entries()) {
    const startedAt = performance.now();
    const { bytes } = await ask(service.origin, requestOf(person));
    if (!bytes.includes('"openPlaces"')) throw new Error(bytes.toString('utf8', 0, 500));
    if (index >= 20) times.push(performance.now() - startedAt);
  }
  return times;
}

async function fill(databaseUrl: string, businessId: number, secret: string): Promise<Person[]> {
  const tokens = createTokens([{ kid: 'bench', secret }]);
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT set_config('callboard.log', 'off', TRUE)`);
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO users (business_id, role, name, first_name, last_name, email, email_key)
       SELECT $1, 'staff', 'Asked ' || n, 'Asked', n::text, 'asked' || n || '@b.example', 'asked' || n || '@b.example'
         FROM generate_series(1, ${staff}) AS n RETURNING id`,
      [businessId],
    );
    const people: Person[] = [];
    for (const { id } of rows) {
      const { token, jti, expiresAt } = tokens.sign({ businessId, userId: id }, new Date());
      await client.query(
        'INSERT INTO personal_tokens (business_id, user_id, jti, expires_at) VALUES ($1, $2, $3, $4)',
        [businessId, id, jti, expiresAt],
      );
      people.push({ id, token });
    }
    // Years ahead, so that nobody is booked then; each person has worked in one of the positions.
    await client.query(`UPDATE events SET status = 'active' WHERE business_id = $1`, [businessId]);
    await client.query(
      `INSERT INTO call_times (business_id, event_id, position_id, staff_needed, claims, start_local, starts_at, end_local, ends_at)
       SELECT $1, e.id, p.id, 10, 'open', at, at AT TIME ZONE e.timezone, at + interval '5 hours', (at + interval '5 hours') AT TIME ZONE e.timezone
         FROM generate_series(0, ${claimable} - 1) AS n
         JOIN (SELECT id, timezone, row_number() OVER (ORDER BY id) - 1 AS place, count(*) OVER () AS total FROM events WHERE business_id = $1) AS e ON e.place = n % e.total
         JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place, count(*) OVER () AS total FROM positions WHERE business_id = $1) AS p ON p.place = n % p.total
        CROSS JOIN LATERAL (SELECT timestamp '2035-01-01 08:00' + make_interval(hours => 12 * (n / 50)) AS at) AS t`,
      [businessId],
    );
    await client.query(
      `INSERT INTO work_shifts (business_id, event_id, position_id, user_id, start_local, starts_at, end_local, ends_at)
       SELECT $1, (SELECT min(id) FROM events WHERE business_id = $1), p.id, u.id, '2020-01-01 08:00', '2020-01-01 08:00Z', '2020-01-01 12:00', '2020-01-01 12:00Z'
         FROM users u JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place, count(*) OVER () AS total FROM positions WHERE business_id = $1) AS p ON p.place = u.id % p.total
        WHERE u.business_id = $1 AND u.name LIKE 'Asked %'`,
      [businessId],
    );
    await client.query('COMMIT');
    await client.query('VACUUM ANALYZE');
    return people;
  } finally {
    await client.end();
  }
}

/** Call times at different times of the same days. */
async function readCallTimes(databaseUrl: string, businessId: number): Promise<string[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ uuid: string }>(
      // In one time zone they cannot overlap.
      `SELECT DISTINCT ON (c.starts_at) c.uuid FROM call_times c JOIN events e ON e.id = c.event_id
        WHERE c.business_id = $1 AND c.claims = 'open'
          AND e.timezone = (SELECT timezone FROM events WHERE business_id = $1 ORDER BY id LIMIT 1)
        ORDER BY c.starts_at, c.id LIMIT ${rounds + 3}`,
      [businessId],
    );
    return rows.map(({ uuid }) => uuid);
  } finally {
    await client.end();
  }
}
