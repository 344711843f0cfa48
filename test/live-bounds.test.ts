import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import type { User, WorkShift } from '../src/generated/prisma/client.ts';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { keepOpen, openStream, subscribe, type OpenStream, type ReadEvent } from './support/streams.ts';

/* What streams may take: objects and bytes of a result, memory while clients do not read, and points of the rate limit. */

let service: TestApp;
let origin: string;
let tenant: Tenant;
let person: User;
let shift: WorkShift;

beforeAll(async () => {
  service = await startApp({ env: { CALLBOARD_ANSWER_LIMIT: '1' } });
  origin = await service.app.http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => service.close());

const per = 200;

beforeEach(async () => {
  tenant = await service.createTenant('free');
  const event = await service.createEvent(tenant.business);
  person = await service.createUser(tenant.business, 'staff');
  shift = await service.createShift(event, person);
  const { id: _id, uuid: _uuid, ...columns } = shift;
  await service.prisma.workShift.createMany({ data: Array.from({ length: per - 1 }, () => columns) });
});

const keep = keepOpen();
const follow = (fields: string) =>
  keep(
    subscribe(origin, `subscription { changes { changes { node { ... on WorkShift { user { ${fields} } } } } } }`, {
      as: tenant.as.admin,
    }),
  );
const change = (confirmed: boolean) =>
  service.prisma.workShift.updateMany({ where: { uuid: shift.uuid }, data: { confirmed } });
const isChange = ({ data }: ReadEvent) => data?.data?.changes?.changes.length > 0;
/** Resolves when so many results have come that show changes. */
const untilChanges = (stream: OpenStream, count: number) =>
  stream.until((event) => stream.events.filter(isChange).indexOf(event) === count - 1);
const left = async () =>
  Number((await service.call('GET', '/v1/revision', { as: tenant.as.admin })).headers['x-ratelimit-remaining']);

describe('a result that does not fit', () => {
  test.each([
    ['objects', 'shifts { user { shifts { user { id } } } }', limits.graphqlObjects],
    ['bytes', 'shifts { user { shifts { uuid firstName lastName startsAt } } }', 1_048_576],
  ])('for its %s ends its stream with the reason, and no other', async (limit, fields, max) => {
    const other = await follow('shifts { id }');
    const stream = await follow(fields);
    await Promise.all([other.until(() => true), stream.until(() => true)]);
    await change(true);
    await stream.ended;
    expect(stream.events.slice(-2)).toMatchObject([
      { event: 'next', data: { errors: [{ extensions: { code: 'GRAPHQL_LIMIT_EXCEEDED', limit, max } }] } },
      { event: 'complete' },
    ]);
    const { data } = await other.until(isChange);
    expect(data.data.changes.changes[0].node.user.shifts).toHaveLength(per);
    await change(false);
    await untilChanges(other, 2);
  });

  test('ends a stream of REST with the reason', async () => {
    const stream = await keep(openStream(origin, '/v1/changes/stream', { as: tenant.as.admin }));
    await stream.until(() => true);
    const { id: _id, uuid: _uuid, ...columns } = await service.createEvent(tenant.business);
    const description = 'x'.repeat(limits.longTextChars);
    const events = Array.from({ length: 60 }, () => ({ ...columns, description, privateNotes: description }));
    await service.prisma.event.createMany({ data: events });
    await stream.ended;
    expect(stream.events.at(-1)).toMatchObject({ event: 'failure', data: { code: 'VALIDATION_FAILED' } });
  });
});

test('many streams get equal results, although they are computed one at a time', async () => {
  const streams = await Promise.all(Array.from({ length: 30 }, (_, index) => follow(`a${index % 3}: shifts { id }`)));
  await Promise.all(streams.map((stream) => stream.until(() => true)));
  await change(true);
  for (const [index, stream] of streams.entries())
    expect((await stream.until(isChange)).data.data.changes.changes[0].node.user[`a${index % 3}`]).toHaveLength(per);
});

/** Runs checks again if a new window of the rate limit has begun meanwhile, however slow the machine is. */
async function inOneWindow(check: () => Promise<void>): Promise<void> {
  const resetS = async () =>
    Number((await service.call('GET', '/v1/revision', { as: tenant.as.admin })).headers['x-ratelimit-reset']);
  for (;;) {
    const [startedAt, before] = [performance.now(), await resetS()];
    const failure = await check().catch((error: Error) => error);
    const isSame = performance.now() - startedAt < before * 1000 && (await resetS()) <= before;
    if (isSame && failure) throw failure;
    if (isSame) return;
  }
}

test('streams pay for their objects, and leave the last third of the rate limit to requests', async () => {
  // 38,000 objects for each change: 6 points of 60.
  const fields = Array.from({ length: 95 }, (_, index) => `a${index}: shifts { user { __typename } }`).join(' ');
  const stream = await follow(fields);
  await stream.until(() => true);
  let sent = 0;
  await inOneWindow(async () => {
    while ((await left()) > 30) await service.call('GET', '/v1/skill_levels', { as: tenant.as.admin });
    const before = await left();
    await change(++sent % 2 === 0);
    // It is paid once it is sent. In a new window, more is left than before.
    for (let now = before; now > before - 5 && now <= before; now = await left()) await wait(50);
    // The last third is reached: the stream sends one more result, and waits until it can pay for it.
    await change(++sent % 2 === 0);
    await wait(500);
    await change(++sent % 2 === 0);
    await wait(500);
    expect(await left()).toBeGreaterThanOrEqual(18);
  });
});

test('a client that does not read holds a bounded amount of memory, and no other stream waits for it', async () => {
  const large = Array.from({ length: 20 }, (_, index) => `a${index}: shifts { id uuid }`).join(' ');
  const paused = await Promise.all(Array.from({ length: 20 }, () => follow(large)));
  await Promise.all(paused.map((stream) => stream.until(() => true)));
  for (const stream of paused) stream.pause();
  const other = await service.createTenant();
  const reader = await keep(subscribe(origin, 'subscription { changes { nextCursor } }', { as: other.as.admin }));
  await reader.until(() => true);
  for (let number = 0; number < 5; number++) await change(number % 2 === 0);
  await service.createEvent(other.business);
  await reader.until((event) => event === reader.events[1]);
  expect(service.app.answerBytes()).toBeLessThan(64 * 1_048_576);
});
