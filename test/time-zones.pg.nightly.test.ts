import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';
import { signingSecret } from './support/config.ts';
import type { Tenant } from './support/factories.ts';
import { startProcess, stopAll, type ServiceProcess } from './support/process.ts';

/* One database, three processes whose machines and whose sessions of PostgreSQL keep other times. */

let service: TestApp;
let tenant: Tenant;
let processes: ServiceProcess[];

beforeAll(async () => {
  service = await startApp();
  tenant = await service.createTenant();
  await service.prisma.$executeRawUnsafe(`
    DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = ''Asia/Kathmandu''', current_database()); END $$`);
  processes = [];
  for (const TZ of ['UTC', 'America/New_York', 'Pacific/Kiritimati']) {
    const DATABASE_URL = service.database.config().db.url ?? '';
    processes.push(await startProcess({ TZ, DATABASE_URL, JWT_SECRETS: `test:${signingSecret}` }));
  }
});

afterAll(async () => {
  for (const one of processes) await one.stop();
  stopAll();
  await service.close();
});

async function ask(origin: string, path: string, body?: object): Promise<string> {
  const answer = await fetch(`${origin}${path}`, {
    headers: { authorization: `Bearer ${tenant.as.admin}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  expect(answer.status).toBeLessThan(300);
  return answer.text();
}

test('the time zones of the machine and of PostgreSQL have no effect', async () => {
  const written: { start_time: string; title: string }[] = [];
  for (const { origin } of processes) {
    const sent = {
      title: 'Night',
      start_time: '2026-11-01 01:30:00',
      end_time: '2026-11-01 04:00:00',
      timezone: 'America/New_York',
    };
    const { data } = JSON.parse(await ask(origin, '/v1/events', sent));
    expect(data).toMatchObject(sent);
    written.push(data);
  }
  const rows = await service.prisma.event.findMany({ where: { businessId: tenant.business.id } });
  expect(rows.map(({ startsAt }) => startsAt.toISOString())).toEqual(Array(3).fill('2026-11-01T05:30:00.000Z'));
  for (const { createdAt } of rows) expect(Math.abs(createdAt.getTime() - Date.now())).toBeLessThan(60_000);

  for (const path of [
    '/v1/events',
    '/v1/objects/events',
    ...rows.map(({ uuid }) => `/v1/events/${uuid}`),
    '/api/v1/users',
  ]) {
    const [first, ...others] = await Promise.all(processes.map(({ origin }) => ask(origin, path)));
    for (const other of others) expect(other).toBe(first);
  }
  const query = { query: '{ events { nodes { startTime start { local iso utc dst } createdAt } } }' };
  const [first, ...others] = await Promise.all(processes.map(({ origin }) => ask(origin, '/graphql', query)));
  for (const other of others) expect(other).toBe(first);
  expect(first).toContain('2026-11-01T01:30:00-04:00');
});
