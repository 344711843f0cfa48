import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { guideProgram } from './support/guide-program.ts';
import { isNightly } from './support/share.mjs';

/* The program of the integrators' guide imports a season: 500 events with 1,000 call times and 4,000 shifts, a part of them in the short form. */

const eventCount = isNightly ? 500 : 75;
const dayMs = 86_400_000;

const service = useService();
let origin: string;
let folder: string;
let tenant: Tenant;
let season: object[];
/** Points that each request of the program took from the rate limit. */
let points: number[];
let client: ChildProcess | undefined;
/** The request at which the program is killed. */
let killedAt: number | null;
let requests: number;

beforeAll(async () => {
  origin = await service.app.http.listen({ host: '127.0.0.1', port: 0 });
  folder = await mkdtemp(join(tmpdir(), 'callboard-season-'));
  await writeFile(join(folder, 'import.mjs'), guideProgram('import.mjs'));
  await once(between.listen(0, '127.0.0.1'), 'listening');
});

let before = Number.NaN;
/** Stands between the program and the service, and sees each request. */
const between = createServer((request, response) => void forward(request, response));

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  requests += 1;
  if (requests === killedAt) client?.kill('SIGKILL');
  // A program that is killed may cut what it sends.
  const body = await text(request).catch(() => null);
  if (body === null) return;
  const { authorization = '', 'content-type': type = '', 'idempotency-key': key = '' } = request.headers;
  const answer = await fetch(origin + request.url, {
    method: 'POST',
    headers: { authorization, 'content-type': type, 'idempotency-key': String(key) },
    body,
  });
  const [limit, left] = ['limit', 'remaining'].map((name) => Number(answer.headers.get(`x-ratelimit-${name}`)));
  // Behind the end of a minute, what is left is counted from the limit.
  points.push((left! < before ? before : limit!) - left!);
  before = left!;
  const retryAfter = answer.headers.get('retry-after');
  response.writeHead(answer.status, retryAfter === null ? {} : { 'retry-after': retryAfter }).end(await answer.text());
}

afterAll(async () => {
  client?.kill('SIGKILL');
  between.close();
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  [points, killedAt, requests] = [[], null, 0];
  before = Number.NaN;
  tenant = await service.createTenant('enterprise');
  const position = await service.createPosition(tenant.business);
  const people = await Promise.all(Array.from({ length: 40 }, () => service.createUser(tenant.business, 'staff')));
  const at = (day: number, time: string) =>
    `${new Date(Date.UTC(2027, 0, 1) + day * dayMs).toISOString().slice(0, 10)} ${time}`;
  season = Array.from({ length: eventCount }, (_, day) => ({
    title: `Night ${day + 1}`,
    resource_id: `S-${day + 1}`,
    start_time: at(day, '18:00:00'),
    end_time: at(day, '23:00:00'),
    timezone: 'America/Chicago',
    call_times: [16, 17].map((hour, half) => ({
      position_id: position.id,
      staff_needed: 4,
      start_time: at(day, `${hour}:00:00`),
      end_time: at(day, '23:30:00'),
      people: Array.from({ length: 4 }, (_none, place) => ({
        user_id: people[(day + half * 4 + place) % people.length]!.id,
      })),
    })),
  }));
  await writeFile(join(folder, 'season.json'), JSON.stringify(season));
});

async function runProgram() {
  client = spawn(process.execPath, ['import.mjs'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      CALLBOARD_URL: `http://127.0.0.1:${(between.address() as AddressInfo).port}`,
      CALLBOARD_TOKEN: tenant.as.admin,
    },
  });
  let output = '';
  client.stdout?.on('data', (written) => (output += String(written)));
  client.stderr?.on('data', (written) => (output += String(written)));
  const [code] = (await once(client, 'close')) as [number | null];
  return { code, output };
}

const countRows = async () => {
  const where = { where: { businessId: tenant.business.id } };
  const { event, callTime, workShift } = service.prisma;
  return [await event.count(where), await callTime.count(where), await workShift.count(where)];
};
const whole = [eventCount, 2 * eventCount, 8 * eventCount];
const done = { code: 0, output: `${eventCount} events sent.\n` };
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

test('a season takes one request for 25 events, and 12 points for each of them', async () => {
  expect(await runProgram()).toEqual(done);
  expect(await countRows()).toEqual(whole);
  expect(points).toEqual(Array.from({ length: eventCount / 25 }, () => 12));
  // At full size, the bounds are 25 requests and 300 points.
  expect(points.length).toBeLessThanOrEqual(eventCount / 20);
  expect(sum(points)).toBeLessThan((300 * eventCount) / 500);
});

test('a program that is killed and started again stores nothing twice', async () => {
  killedAt = Math.ceil(eventCount / 50);
  expect((await runProgram()).code).toBeNull();
  const [events] = await countRows();
  expect(events).toBeGreaterThanOrEqual(25);
  expect(events).toBeLessThan(eventCount);
  expect(await runProgram()).toEqual(done);
  expect(await countRows()).toEqual(whole);
});

test('batches that are cut differently refuse by its resource id what is there already', async () => {
  const url = '/v1/business';
  expect((await service.call('PUT', url, { as: tenant.as.admin, body: { unique_resource_ids: true } })).status).toBe(
    200,
  );
  const inputs = season.slice(0, 20);
  await service.call('POST', '/v1/events/batch', { as: tenant.as.admin, body: { inputs } });
  const { code, output } = await runProgram();
  expect([code, output.match(/^Night \d+ CONFLICT /gm)?.length]).toEqual([0, 20]);
  expect(await countRows()).toEqual(whole);
});
