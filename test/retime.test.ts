import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { deriveAnew, previewRetime, type Pass, type PassOutcome } from '../src/bin/retime/pass.ts';
import { sumUp } from '../src/bin/retime/report.ts';
import { bindToBusiness } from '../src/db/tenant.ts';
import { readTzState } from '../src/db/tz-state.ts';
import { startApp, type TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { loadTzData, restoreTzData } from './support/tz-data.ts';

/* A database that is written under old time zone data and opened under new ones. */

const rules = {
  // British Columbia stays on summer time, and Arizona begins with it.
  '2098a': { 'America/Vancouver': 'America/Los_Angeles', 'America/Phoenix': 'America/Phoenix' },
  '2099b': { 'America/Vancouver': 'America/Phoenix', 'America/Phoenix': 'America/Denver' },
};
type Version = keyof typeof rules;

let service: TestApp;
let tenant: Tenant;
const now = new Date('2026-11-22T12:00:00Z');

beforeAll(async () => {
  service = await startApp({ clock: () => now });
});

afterAll(async () => {
  await service.close();
  restoreTzData();
});

/** Converts with the data of this version from now on. */
const use = (version: Version) => loadTzData(version, rules[version]);

const derive = (version: Version, more: Partial<Pass> = {}): Promise<PassOutcome> => {
  use(version);
  return deriveAnew({ prisma: service.prisma, version, clock: () => now, ...more });
};

/** Derives anew, and returns what was found in the business of the test. */
async function complete(version: Version, more: Partial<Pass> = {}) {
  const outcome = await derive(version, more);
  if (outcome.kind !== 'complete') throw new Error(`the pass is ${outcome.kind}`);
  return outcome.report.find(({ id }) => id === tenant.business.id)?.zones ?? [];
}

const state = () => readTzState(service.prisma);
const entries = (businessId = tenant.business.id) =>
  service.prisma.auditEntry.findMany({ where: { businessId, action: 'cli.retime' }, orderBy: { id: 'asc' } });
const eventRow = (id: number) =>
  service.prisma.event.findUniqueOrThrow({ where: { businessId_id: { businessId: tenant.business.id, id } } });
const revision = async () =>
  (await service.prisma.businessRevision.findUniqueOrThrow({ where: { businessId: tenant.business.id } })).revision;

beforeEach(async () => {
  await service.prisma.tzState.deleteMany();
  use('2098a');
  tenant = await service.createTenant();
});

const winter = { timezone: 'America/Vancouver', start: '2026-12-05 18:00:00', end: '2026-12-05 23:00:00' };

describe('instants to come', () => {
  test('of zones whose rules have changed are derived anew, with all that depends on them', async () => {
    const event = await service.createEvent(tenant.business, winter);
    const callTime = await service.createCallTime(event, { start: winter.start, end: winter.end });
    const shift = await service.createShift(event, tenant.staff, { start: winter.start, end: null });
    const summer = { ...winter, start: '2027-07-05 18:00:00', end: '2027-07-05 23:00:00' };
    const unchanged = [
      await service.createEvent(tenant.business, summer),
      await service.createEvent(tenant.business, { timezone: 'America/New_York' }),
    ];
    const query = `{ event(id: "${event.uuid}") { version start { utc iso } callTimes { start { utc } } workShifts { start { utc } } } }`;
    const ask = async () => (await service.graphql(query, { as: tenant.as.admin })).body.data.event;
    expect((await ask()).start).toEqual({ utc: '2026-12-06T02:00:00.000Z', iso: '2026-12-05T18:00:00-08:00' });
    await ask();
    await complete('2098a');
    const before = await revision();

    expect(await complete('2099b')).toMatchObject([
      { zone: 'America/Vancouver', changed: { events: 1, call_times: 1, work_shifts: 1 }, problems: 0 },
    ]);
    const utc = '2026-12-06T01:00:00.000Z';
    expect(await ask()).toEqual({
      version: event.version + 1,
      start: { utc, iso: '2026-12-05T18:00:00-07:00' },
      callTimes: [{ start: { utc } }],
      workShifts: [{ start: { utc } }],
    });
    expect(await eventRow(event.id)).toMatchObject({ endsAt: new Date('2026-12-06T06:00:00Z'), modifiedAt: now });
    expect(await revision()).toBeGreaterThan(before);
    for (const each of [callTime, shift]) expect(each.startsAt).toEqual(new Date('2026-12-06T02:00:00Z'));
    for (const each of unchanged) expect(await eventRow(each.id)).toEqual(each);
    expect(await entries()).toMatchObject([
      {
        actorKind: 'operator',
        details: {
          tz_version: { from: '2098a', to: '2099b' },
          zones: { 'America/Vancouver': { events: 1, call_times: 1, work_shifts: 1, problems: 0 } },
          changed: 3,
        },
      },
    ]);
    expect(await state()).toMatchObject({ tzVersion: '2099b', nextVersion: null });
  });

  test('that agree already are not written, and no pass is made twice', async () => {
    const event = await service.createEvent(tenant.business, winter);
    await complete('2099b');
    const row = await eventRow(event.id);
    expect(await derive('2099b')).toEqual({ kind: 'current' });
    const again = await deriveAnew({ prisma: service.prisma, version: '2099b', clock: () => now }, { always: true });
    expect(again).toMatchObject({ kind: 'complete', report: [] });
    expect(await eventRow(event.id)).toEqual(row);
    expect(await entries()).toHaveLength(1);
  });

  test('are judged one by one: what is past stays', async () => {
    const past = await service.createEvent(tenant.business, {
      ...winter,
      start: '2026-11-10 18:00:00',
      end: '2026-11-10 23:00:00',
    });
    // It began two hours ago by the old rules, and three by the new ones.
    const running = await service.createEvent(tenant.business, {
      ...winter,
      start: '2026-11-22 02:00:00',
      end: '2026-11-22 20:00:00',
    });
    await complete('2099b');
    expect(await eventRow(past.id)).toEqual(past);
    expect(await eventRow(running.id)).toMatchObject({
      startsAt: running.startsAt,
      endsAt: new Date(running.endsAt.getTime() - 3_600_000),
    });
  });
});

describe('a row that cannot be derived anew is reported and stays', () => {
  test('where clocks now skip its time', async () => {
    const event = await service.createEvent(tenant.business, {
      timezone: 'America/Phoenix',
      start: '2027-03-14 02:30:00',
      end: '2027-03-14 09:00:00',
    });
    const zones = await complete('2099b');
    expect(zones).toMatchObject([
      {
        zone: 'America/Phoenix',
        changed: { events: 0 },
        problems: 1,
        problemExamples: [
          {
            table: 'events',
            uuid: event.uuid,
            reason:
              '2027-03-14 02:30:00 does not exist in America/Phoenix any more, because clocks skip it; the nearest valid time is 2027-03-14 03:00:00',
          },
        ],
      },
    ]);
    expect(await eventRow(event.id)).toEqual(event);
    expect(await entries()).toMatchObject([{ details: { changed: 0, zones: { 'America/Phoenix': { problems: 1 } } } }]);
  });

  test('where its end would not be after its start', async () => {
    const event = await service.createEvent(tenant.business, {
      ...winter,
      start: '2026-11-22 03:50:00',
      end: '2026-11-22 04:20:00',
    });
    const zones = await complete('2099b');
    expect(zones[0]).toMatchObject({
      problems: 1,
      problemExamples: [{ reason: expect.stringContaining('would not be after its start') }],
    });
    expect(await eventRow(event.id)).toEqual(event);
  });
});

test('a preview shows the same and changes nothing', async () => {
  const event = await service.createEvent(tenant.business, winter);
  use('2099b');
  const report = await previewRetime({ prisma: service.prisma, clock: () => now });
  expect(report.find(({ id }) => id === tenant.business.id)?.zones).toEqual([
    {
      zone: 'America/Vancouver',
      changed: { events: 1, call_times: 0, work_shifts: 0 },
      examples: [
        {
          table: 'events',
          uuid: event.uuid,
          wall: winter.start,
          from: '2026-12-06T02:00:00.000Z',
          to: '2026-12-06T01:00:00.000Z',
        },
      ],
      problems: 0,
      problemExamples: [],
    },
  ]);
  expect(await eventRow(event.id)).toEqual(event);
  expect(await state()).toBeNull();
});

test('a pass that ends midway goes on behind its last batch', async () => {
  const others = [await service.createTenant(), await service.createTenant()];
  for (const { business } of [tenant, ...others]) await service.createEvent(business, winter);
  const closing = new AbortController();
  let batches = 0;
  const clock = () => {
    batches += 1;
    // The first call begins the pass.
    if (batches === 3) closing.abort();
    return now;
  };
  expect(await derive('2099b', { clock, signal: closing.signal })).toEqual({ kind: 'interrupted' });
  const midway = await state();
  expect(midway).toMatchObject({ tzVersion: null, nextVersion: '2099b' });
  expect(midway!.lastBusiness).toBeGreaterThan(0);

  const outcome = await derive('2099b');
  const first = await service.prisma.business.findFirstOrThrow({ orderBy: { id: 'asc' } });
  expect(outcome).toMatchObject({ kind: 'complete' });
  if (outcome.kind === 'complete') expect(outcome.report.map(({ id }) => id)).not.toContain(first.id);
  for (const { business } of [tenant, ...others]) expect(await entries(business.id)).toHaveLength(1);
  expect(await state()).toMatchObject({ tzVersion: '2099b', nextVersion: null });
});

test('several processes at the same time change each row once', async () => {
  const event = await service.createEvent(tenant.business, winter);
  use('2099b');
  const pass = { prisma: service.prisma, version: '2099b', clock: () => now };
  const outcomes = await Promise.all([deriveAnew(pass), deriveAnew(pass), deriveAnew(pass)]);
  const reports = outcomes.flatMap((outcome) => (outcome.kind === 'complete' ? outcome.report : []));
  expect(sumUp(reports.filter(({ id }) => id === tenant.business.id))).toEqual({ changed: 1, problems: 0 });
  expect(await eventRow(event.id)).toMatchObject({ version: event.version + 1 });
  expect(await entries()).toHaveLength(1);
});

describe('a process with older data', () => {
  test('derives nothing back', async () => {
    const event = await service.createEvent(tenant.business, winter);
    await complete('2099b');
    const row = await eventRow(event.id);
    expect(await derive('2098a')).toEqual({ kind: 'older', newest: '2099b' });
    expect(await eventRow(event.id)).toEqual(row);
    expect(await state()).toMatchObject({ tzVersion: '2099b', nextVersion: null });
  });

  test('leaves a pass under way alone', async () => {
    const closing = new AbortController();
    const clock = () => {
      closing.abort();
      return now;
    };
    await derive('2099b', { clock, signal: closing.signal });
    expect(await derive('2098a')).toEqual({ kind: 'older', newest: '2099b' });
    expect(await state()).toMatchObject({ nextVersion: '2099b' });
  });

  test('makes those with newer data look again at what it has written', async () => {
    await complete('2099b');
    await derive('2098a');
    const event = await service.createEvent(tenant.business, winter);
    expect(await complete('2099b')).toMatchObject([{ zone: 'America/Vancouver', changed: { events: 1 } }]);
    expect(await eventRow(event.id)).toMatchObject({ startsAt: new Date('2026-12-06T01:00:00Z') });
    const later = new Date(now.getTime() + 3 * 3_600_000);
    expect(await derive('2099b', { clock: () => later })).toMatchObject({ kind: 'complete' });
    expect(await derive('2099b', { clock: () => later })).toEqual({ kind: 'current' });
  });
});

test('no operation reaches the state of the derivation', async () => {
  const { db } = bindToBusiness(service.prisma, tenant.business.id);
  const { tzState } = db as unknown as Pick<typeof service.prisma, 'tzState'>;
  await expect(tzState.findMany()).rejects.toThrow('TzState belongs to no business.');
});
