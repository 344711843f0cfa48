import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';
import { fillForRoad, type Business } from './scene.ts';
import { startService } from './service.ts';

export interface Mails {
  readonly mails: number;
  /** From the first offer until the last mail, while the mail of one person hangs. */
  readonly seconds: number;
  readonly perSecond: number;
}

const people = 1000;
const perOffer = 500;
const delayMs = 20;
const withinMs = 120_000;

/** How fast the mails of offers to many people reach a server that takes its time, and never answers for one of them. */
export async function measureMails(databaseUrl: string): Promise<Mails> {
  const business = await fillForRoad(databaseUrl);
  const receiver = await startReceiver();
  const userIds = await storePeople(databaseUrl, business.id);
  const service = await startService({
    DATABASE_URL: databaseUrl,
    NODE_ENV: 'development',
    SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
    MAIL_FROM: 'no-reply@callboard.example',
    PUBLIC_URL: 'https://staff.callboard.example',
  });
  const send = (url: string, body: object) => post(`${service.origin}${url}`, business, body);
  try {
    const times = { start_time: '2030-01-01 18:00:00', end_time: '2030-01-01 23:00:00' };
    const event = await send('/v1/events', { title: 'Mails', ...times, timezone: 'UTC' });
    const { id: position } = await send('/v1/positions', { title: `Mails ${Date.now()}`, default_pay_rate: '20.00' });
    // From its first look on, a service tells what changes.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const startedAt = performance.now();
    for (let from = 0; from < people; from += perOffer) {
      const callTime = await send('/v1/call_times', {
        ...{ event_uuid: event['uuid'], position_id: position, staff_needed: perOffer },
        ...times,
      });
      await send('/v1/offers', { call_time_uuid: callTime['uuid'], user_ids: userIds.slice(from, from + perOffer) });
    }
    const seconds = ((await receiver.all) - startedAt) / 1000;
    return { mails: people, seconds, perSecond: people / seconds };
  } finally {
    await service.stop();
    receiver.close();
  }
}

async function startReceiver() {
  const received = new Set<string>();
  let onAll: (at: number) => void = () => undefined;
  const all = new Promise<number>((resolve, reject) => {
    onAll = resolve;
    const late = () => reject(new Error(`only ${received.size} of ${people} mails were sent`));
    setTimeout(late, withinMs).unref();
  });
  all.catch(() => undefined);
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const [recipient] = envelope.rcptTo;
      stream.resume();
      stream.on('end', () => {
        if (recipient!.address.startsWith('hang')) return;
        received.add(recipient!.address);
        setTimeout(done, delayMs);
        if (received.size === people - 1) onAll(performance.now());
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return { port: (server.server.address() as AddressInfo).port, all, close: () => server.close() };
}

/** Adds the people to a business on whose clocks it is day, of whom the first has a server that hangs. */
async function storePeople(databaseUrl: string, businessId: number): Promise<number[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const hour = new Date().getUTCHours();
    const zone = hour < 12 ? `Etc/GMT-${12 - hour}` : `Etc/GMT+${hour - 12}`;
    await client.query(`UPDATE businesses SET plan = 'enterprise', timezone = $2 WHERE id = $1`, [businessId, zone]);
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO users (business_id, name, first_name, last_name, email, email_key, role)
       SELECT $1::int, 'Kim ' || n, 'Kim', n::text, mail, mail, 'staff'
         FROM generate_series(1, $2::int) AS n, LATERAL (SELECT CASE n WHEN 1 THEN 'hang' ELSE 'kim' END || n || '@mails' || $1::int || '.example' AS mail) AS m
       RETURNING id`,
      [businessId, people],
    );
    await client.query('ANALYZE');
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
}

async function post(url: string, { key }: Business, body: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const { data, ...rest } = (await answer.json()) as { data: Record<string, unknown> };
  if (answer.status >= 300) throw new Error(`${url} was answered ${answer.status}: ${JSON.stringify(rest)}`);
  return data;
}
