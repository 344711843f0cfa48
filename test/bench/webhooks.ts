import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { createSecretBox } from '../../src/access/secret-box.ts';
import { residentMb } from './meters.ts';
import type { Business, Scene } from './scene.ts';
import { startService } from './service.ts';

export interface Webhooks {
  readonly deliveries: number;
  readonly endpoints: number;
  /** From the first change until the last delivery. */
  readonly seconds: number;
  readonly perSecond: number;
  /** Memory of the service at the end. */
  readonly residentMb: number | null;
}

const endpoints = 50;
const changes = 20;
const deliveries = endpoints * changes;
const withinMs = 120_000;

/** How fast a service delivers the messages of some changes to many endpoints, which are all on this machine. */
export async function measureWebhooks({ databaseUrl, small }: Pick<Scene, 'databaseUrl' | 'small'>): Promise<Webhooks> {
  const [business] = small;
  if (!business) throw new Error('there is no business');
  const receiver = await startReceiver();
  const key = randomBytes(32).toString('base64url');
  await storeEndpoints(databaseUrl, business.id, receiver.origin, key);
  const service = await startService({
    DATABASE_URL: databaseUrl,
    // In production, only https is used.
    NODE_ENV: 'development',
    CALLBOARD_WEBHOOK_KEYS: `bench:${key}`,
    CALLBOARD_WEBHOOK_ALLOW: '127.0.0.0/8',
  });
  try {
    const startedAt = performance.now();
    for (let change = 0; change < changes; change++) await createEvent(service.origin, business);
    const endedAt = await receiver.all;
    const seconds = (endedAt - startedAt) / 1000;
    return { deliveries, endpoints, seconds, perSecond: deliveries / seconds, residentMb: residentMb(service.pid) };
  } finally {
    await service.stop();
    receiver.close();
  }
}

async function startReceiver() {
  const ids = new Set<string>();
  let onAll: (at: number) => void = () => undefined;
  const all = new Promise<number>((resolve, reject) => {
    onAll = resolve;
    const late = () => reject(new Error(`only ${ids.size} of ${deliveries} messages were delivered`));
    setTimeout(late, withinMs).unref();
  });
  const server = createServer((request, response) => {
    ids.add(String(request.headers['webhook-id']));
    request.resume();
    response.writeHead(204).end();
    if (ids.size === deliveries) onAll(performance.now());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, all, close };
}

async function storeEndpoints(databaseUrl: string, businessId: number, origin: string, key: string): Promise<void> {
  const box = createSecretBox([{ kid: 'bench', secret: key }]);
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    for (let index = 0; index < endpoints; index++)
      await client.query(
        `INSERT INTO webhook_endpoints (business_id, url, types, secret, revision)
         SELECT $1, $2, '{event.created}', $3, revision FROM business_revisions WHERE business_id = $1`,
        [businessId, `${origin}/${index}`, box.seal(`whsec_${randomBytes(24).toString('base64')}`)],
      );
    // As autovacuum has done by then, where it is on: other measurements made most of the log that is read.
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
}

async function createEvent(origin: string, { key }: Business): Promise<void> {
  const event = {
    title: 'Webhooks',
    start_time: '2030-01-01 18:00:00',
    end_time: '2030-01-01 23:00:00',
    timezone: 'UTC',
  };
  const answer = await fetch(`${origin}/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
  if (answer.status >= 300) throw new Error(`creating an event was answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}
