import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';
import { changeable, type Rows } from './support/changes.ts';
import type { Tenant } from './support/factories.ts';
import { guideProgram } from './support/guide-program.ts';

/* The program of the integrators' guide keeps a copy in step, through changes, deletions, and an expired cursor. */

let service: TestApp;
let tenant: Tenant;
let rows: Rows;
let folder: string;
let client: ChildProcess;
let start: () => void;
let errors = '';

beforeAll(async () => {
  service = await startApp();
  tenant = await service.createTenant();
  rows = await changeable(service, tenant);
  const origin = await service.app.http.listen({ host: '127.0.0.1', port: 0 });
  folder = await mkdtemp(join(tmpdir(), 'callboard-sync-'));
  // Rounds follow each other faster than in the guide, so that the test takes less time.
  await writeFile(join(folder, 'sync.mjs'), guideProgram('sync.mjs').replace('wait(1000)', 'wait(50)'));
  start = () => {
    client = spawn(process.execPath, ['sync.mjs'], {
      cwd: folder,
      env: { ...process.env, CALLBOARD_URL: origin, CALLBOARD_TOKEN: tenant.as.admin },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    client.stderr?.on('data', (text) => (errors += String(text)));
  };
  start();
});

async function stop(): Promise<void> {
  const end = client.exitCode === null ? once(client, 'exit') : null;
  client.kill();
  await end;
}

afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true });
  await service.close();
});

type Copy = Record<string, { uuid: string }[]> & { cursor: string };

const readCopy = async () => JSON.parse(await readFile(join(folder, 'copy.json'), 'utf8')) as Copy;

const byUuid = (list: readonly { uuid: string }[]) => Object.fromEntries(list.map((row) => [row.uuid, row]));

/** What the whole list shows now. */
async function readAll() {
  const { body } = await service.call('GET', '/v1/events?fields=full&per_page=100', { as: tenant.as.admin });
  const events = body.data.data as { uuid: string; call_times: { uuid: string }[]; work_shifts: { uuid: string }[] }[];
  return {
    event: byUuid(events.map(({ call_times: _callTimes, work_shifts: _shifts, ...event }) => event)),
    callTime: byUuid(events.flatMap(({ call_times: callTimes }) => callTimes)),
    workShift: byUuid(events.flatMap(({ work_shifts: shifts }) => shifts)),
  };
}

/** Figures follow from the rows of the event, which the copy has: they change with rows that are entries of their own. */
const withoutFigures = (copy: Record<string, Record<string, object>>) =>
  JSON.parse(
    JSON.stringify(copy, (key, value: unknown) => (key === 'coverage' || key === 'labour_cost' ? undefined : value)),
  ) as unknown;

async function expectCopy(): Promise<void> {
  const expected = withoutFigures(await readAll());
  for (let round = 0; ; round += 1) {
    const text = await readFile(join(folder, 'copy.json'), 'utf8').catch(() => '');
    const { cursor: _cursor, ...copy } = (text ? JSON.parse(text) : {}) as Copy;
    const held = withoutFigures(Object.fromEntries(Object.entries(copy).map(([kind, list]) => [kind, byUuid(list)])));
    if (
      round === 200 ||
      client.exitCode !== null ||
      JSON.stringify(sorted(held)) === JSON.stringify(sorted(expected))
    ) {
      expect({ held, errors }).toEqual({ held: expected, errors: '' });
      return;
    }
    await wait(50);
  }
}

const sorted = (value: unknown): unknown =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .toSorted(([a], [b]) => a.localeCompare(b))
          .map(([key, inner]) => [key, sorted(inner)]),
      )
    : value;

const send = async (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
  expect((await service.call(method, url, { as: tenant.as.admin, ...(body && { body }) })).status).toBeLessThan(300);

test('it reads everything, and then follows changes, new rows and deletions', async () => {
  await expectCopy();
  await send('PUT', `/v1/events/${rows.event.uuid}`, { room: 'Annex', timezone: 'Asia/Tokyo' });
  const other = await service.createEvent(tenant.business);
  const callTime = await service.createCallTime(other);
  await service.createShift(other, tenant.staff, { positionId: callTime.positionId, callTimeId: callTime.id });
  await send('PUT', `/v1/events/${other.uuid}/custom_fields`, {
    values: [{ field_uuid: rows.customField.uuid, value: 'red' }],
  });
  await expectCopy();
  await send('POST', `/v1/work_shifts/${rows.workShift.uuid}/actions/cancel`);
  await send('DELETE', `/v1/call_times/${rows.callTime.uuid}`);
  await send('DELETE', `/v1/events/${other.uuid}`);
  await expectCopy();
  await send('PUT', `/v1/events/${other.uuid}`, { status: 'active' });
  await expectCopy();
});

test('it reads everything again when its cursor has expired', async () => {
  await expectCopy();
  const { id: businessId } = tenant.business;
  // It must not ask between these: without any commit, its cursor would be ahead of the business.
  client.kill('SIGSTOP');
  await service.createEvent(tenant.business);
  const newest = await service.prisma.commit.findFirstOrThrow({
    where: { businessId },
    orderBy: { revision: 'desc' },
  });
  await service.prisma.rowChange.deleteMany({ where: { businessId, batch: { not: newest.batch! } } });
  await service.prisma.commit.deleteMany({ where: { businessId, revision: { not: newest.revision } } });
  client.kill('SIGCONT');
  await expectCopy();
});

test('it goes on where it was when it is started again', async () => {
  await expectCopy();
  await stop();
  const saved = await readCopy();
  await send('PUT', `/v1/events/${rows.event.uuid}`, { room: 'Cellar' });
  // A row that a full read would not have shows that there was none.
  await writeFile(
    join(folder, 'copy.json'),
    JSON.stringify({ ...saved, callTime: [...saved['callTime']!, { uuid: 'held' }] }),
  );
  start();
  const list = async () =>
    (await readCopy()) as unknown as { event: { uuid: string; room: string }[]; callTime: { uuid: string }[] };
  for (let round = 0; round < 200; round += 1) {
    if ((await list()).event.find(({ uuid }) => uuid === rows.event.uuid)?.room === 'Cellar') break;
    await wait(50);
  }
  const held = await list();
  expect(held.event.find(({ uuid }) => uuid === rows.event.uuid)?.room).toBe('Cellar');
  expect(held.callTime).toContainEqual({ uuid: 'held' });
});
