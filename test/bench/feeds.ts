import pg from 'pg';
import { generateFeed } from '../../src/access/api-keys.ts';
import { fillForRoad } from './scene.ts';
import { startService } from './service.ts';

/** A calendar feed of 500 shifts of one person. */
export interface Feeds {
  readonly afreshMs: number;
  readonly unchangedMs: number;
}

const shifts = 500;
const reads = 60;

export async function measureFeeds(databaseUrl: string): Promise<Feeds> {
  const { id: businessId } = await fillForRoad(databaseUrl);
  const url = await fill(databaseUrl, businessId);
  const service = await startService({ DATABASE_URL: databaseUrl });
  try {
    const timesOf = async (headers: Record<string, string>, status: number) => {
      const times: number[] = [];
      for (let read = 0; read < 2 * reads; read++) {
        const startedAt = performance.now();
        const answer = await fetch(`${service.origin}${url}`, { headers });
        const text = await answer.text();
        times.push(performance.now() - startedAt);
        const entries = text.split('BEGIN:VEVENT').length - 1;
        if (answer.status !== status || (status === 200 && entries !== shifts))
          throw new Error(`${answer.status} with ${entries} entries`);
      }
      // The first half warms up.
      return times.slice(reads).sort((a, b) => a - b)[reads / 2]!;
    };
    const { headers } = await fetch(`${service.origin}${url}`);
    return {
      afreshMs: await timesOf({}, 200),
      unchangedMs: await timesOf({ 'if-none-match': headers.get('etag')! }, 304),
    };
  } finally {
    await service.stop();
  }
}

/** Gives a person shifts over 250 days at the events of the business, and a feed. Returns its address. */
async function fill(databaseUrl: string, businessId: number): Promise<string> {
  const { publicId, secret, secretHash } = generateFeed();
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query(`UPDATE events SET status = 'active' WHERE business_id = $1`, [businessId]);
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO users (business_id, role, name, first_name, last_name, email, email_key)
       VALUES ($1, 'staff', 'Robin Feed', 'Robin', 'Feed', 'robin@feed.example', 'robin@feed.example') RETURNING id`,
      [businessId],
    );
    const userId = rows[0]!.id;
    await client.query(
      `INSERT INTO work_shifts (business_id, event_id, position_id, user_id, confirmed, start_local, starts_at, end_local, ends_at)
       SELECT $1, e.id, (SELECT min(id) FROM positions WHERE business_id = $1), $2, TRUE, at, at AT TIME ZONE e.timezone, at + interval '5 hours', (at + interval '5 hours') AT TIME ZONE e.timezone
         FROM generate_series(0, ${shifts} - 1) AS n
         JOIN (SELECT id, timezone, row_number() OVER (ORDER BY id) - 1 AS place, count(*) OVER () AS total FROM events WHERE business_id = $1) AS e ON e.place = n % e.total
        CROSS JOIN LATERAL (SELECT date_trunc('day', now() AT TIME ZONE 'UTC') + make_interval(days => 1, hours => 8 + 12 * n) AS at) AS t`,
      [businessId, userId],
    );
    await client.query(
      `INSERT INTO feeds (business_id, user_id, kind, name, public_id, secret_hash) VALUES ($1, $2, 'shifts', 'Shifts', $3, $4)`,
      [businessId, userId, publicId, secretHash],
    );
    await client.query('VACUUM ANALYZE');
    return `/v1/feeds/${publicId}.${secret}.ics`;
  } finally {
    await client.end();
  }
}
