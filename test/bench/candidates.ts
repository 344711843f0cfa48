import pg from 'pg';
import { ask, graphql, rest } from './requests.ts';
import { median } from './rounds.ts';
import type { Scene, StaffedBusiness } from './scene.ts';
import type { Service } from './service.ts';
import { documents } from './shapes.ts';
import { staffed } from './staffed.ts';

/** The staff of a large business as candidates, and what its rules cost an assignment. */
export interface Candidates {
  /** Times of the candidates of one call time after the other, each computed afresh. */
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Median times of an assignment with and without the settings of rest and weekly hours. */
  readonly assignMs: number;
  readonly assignUncheckedMs: number;
  /** Median time of the payroll of all staff over a month, in which everybody came. */
  readonly payrollMs: number;
}

/** Null: the scene has no such business. */
export async function measureCandidates(
  { staffed: business, databaseUrl }: Scene,
  { origin }: Service,
  reads: number,
): Promise<Candidates | null> {
  if (!business) return null;
  const { id, key } = business;
  const calls = await readCalls(databaseUrl, id);
  const send = graphql(documents.service.candidates, key);
  const times: number[] = [];
  for (let read = -Math.ceil(reads / 5); read < reads; read++) {
    const callTimeId = calls[(read + reads) * 37]!;
    const startedAt = performance.now();
    const { bytes } = await ask(origin, send({ callTimeId }));
    if (read >= 0) times.push(performance.now() - startedAt);
    if (!bytes.includes('"verdict"')) throw new Error(bytes.toString().slice(0, 1000));
  }
  const sorted = times.toSorted((a, b) => a - b);
  const p95Ms = sorted[Math.ceil(sorted.length * 0.95) - 1]!;
  const assigned = await measureAssigning(origin, business, calls, reads);
  return {
    medianMs: median(times),
    p95Ms,
    ...assigned,
    payrollMs: await measurePayroll(databaseUrl, origin, business, reads),
  };
}

/** Both kinds in turn, so that whatever the machine does meets both. */
async function measureAssigning(origin: string, { key, userIds }: StaffedBusiness, calls: string[], reads: number) {
  const times = { checked: [] as number[], unchecked: [] as number[] };
  const switchRules = (restHours: number | null, weeklyHours: number | null) =>
    ask(origin, rest.send(key, 'PUT', '/v1/business', { rest_hours: restHours, weekly_hours: weeklyHours }));
  let at = 0;
  for (let round = 0; round < 10; round++)
    for (const kind of ['checked', 'unchecked'] as const) {
      await switchRules(kind === 'checked' ? 11 : null, kind === 'checked' ? 48 : null);
      for (let count = 0; count < reads / 2; count++, at++) {
        const body = {
          call_time_uuid: calls[at * 7],
          user_id: userIds[(at * 13) % userIds.length],
          override_reason: 'Measured',
        };
        const startedAt = performance.now();
        const { bytes } = await ask(origin, rest.send(key, 'POST', '/v1/work_shifts', body));
        if (round > 0) times[kind].push(performance.now() - startedAt);
        if (!bytes.includes('"success":true')) throw new Error(bytes.toString().slice(0, 1000));
      }
    }
  return { assignMs: median(times.checked), assignUncheckedMs: median(times.unchecked) };
}

async function measurePayroll(databaseUrl: string, origin: string, { id, key }: StaffedBusiness, reads: number) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO attendance (business_id, id, uuid, event_id, checked_in_at, checked_out_at, source)
       SELECT business_id, id, uuid, event_id, starts_at, ends_at, 'admin' FROM work_shifts
        WHERE business_id = $1 AND starts_at < timestamptz '${staffed.firstDay} 00:00Z' + interval '31 days'
           ON CONFLICT DO NOTHING`,
      [id],
    );
    await client.query('ANALYZE attendance');
  } finally {
    await client.end();
  }
  const times: number[] = [];
  const to = new Date(Date.parse(staffed.firstDay) + 30 * 86_400_000).toISOString().slice(0, 10);
  for (let read = -2; read < reads / 5; read++) {
    // Another first day each time, so that no answer is a cached one.
    const from = new Date(Date.parse(staffed.firstDay) - (read + 3) * 86_400_000).toISOString().slice(0, 10);
    const startedAt = performance.now();
    const { bytes } = await ask(origin, rest.get(key, `/v1/payroll?from=${from}&to=${to}`));
    if (read >= 0) times.push(performance.now() - startedAt);
    if (!bytes.includes('"success":true')) throw new Error(bytes.toString().slice(0, 1000));
  }
  return median(times);
}

async function readCalls(databaseUrl: string, businessId: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ uuid: string }>(
      'SELECT uuid FROM call_times WHERE business_id = $1 ORDER BY id',
      [businessId],
    );
    return rows.map(({ uuid }) => uuid);
  } finally {
    await client.end();
  }
}
