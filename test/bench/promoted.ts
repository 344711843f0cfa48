import type { Request } from 'autocannon';
import pg from 'pg';
import { ask, serviceBoard } from './requests.ts';
import { fillForRoad } from './scene.ts';
import { startService } from './service.ts';

/** Bytes of a board that outlive the young generation, before and after the connections to PostgreSQL were opened again. */
export interface Promoted {
  readonly before: number;
  readonly after: number;
}

/** The most of both: it was three times as much where pg made a promise and a timer for each statement. */
export const mostPromoted = 150_000;

const warmUps = 300;
const boards = 250;
const atATime = 10;
const servedWithinMs = 60_000;
const events = 200;
const beforeAll = Date.UTC(2020, 0, 1);

export async function measurePromoted(databaseUrl: string): Promise<Promoted> {
  const business = await fillForRoad(databaseUrl, events);
  const env = { DATABASE_URL: databaseUrl, CALLBOARD_ANSWER_CACHE: '0' };
  const service = await startService(env, { nodeOptions: ['--trace-gc-nvp'] });
  const board = serviceBoard(business);
  let sent = 0;
  const send = async (count: number) => {
    const end = sent + count;
    const inTurn = async () => {
      while (sent < end) await askUntilServed(service.origin, board(15, new Date(beforeAll + sent++).toISOString()));
    };
    await Promise.all(Array.from({ length: atATime }, inTurn));
    return (await service.counts()).promoted ?? 0;
  };
  try {
    const start = await send(warmUps);
    const middle = await send(boards);
    await endConnections(databaseUrl);
    return { before: (middle - start) / boards, after: ((await send(boards)) - middle) / boards };
  } finally {
    await service.stop();
  }
}

/** A service that has just started on a slow machine is too busy for ten boards at a time. */
async function askUntilServed(origin: string, request: Request): Promise<void> {
  const endsAt = performance.now() + servedWithinMs;
  for (;;)
    try {
      return void (await ask(origin, request));
    } catch (error) {
      if (!String(error).includes(': 503 ') || performance.now() > endsAt) throw error;
    }
}

/** Ends those of the service, as an idle time-out, a failover or a restart of the database does. */
async function endConnections(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'callboard'`);
  await client.end();
}
