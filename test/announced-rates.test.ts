import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { settleDueRates } from '../src/bin/outdated-staffing.ts';
import { countOutdatedStaffing } from '../src/db/outdated-staffing.ts';
import { useService } from './support/app.ts';
import { asker } from './support/ask.ts';
import { askCsv } from './support/csv.ts';
import type { Tenant } from './support/factories.ts';

/* Rates of a position that are announced for later days. A shift is priced by the rate of its start. */

const dayMs = 86_400_000;
const begin = new Date('2027-01-10T15:00:00.000Z');
let now: Date;
let tenant: Tenant;
let position: number;

const service = useService({ clock: () => now });
const mutate = asker(() => service, 'mutation');
const query = asker(() => service, 'query');

beforeEach(async () => {
  now = begin;
  tenant = await service.createTenant();
  await service.prisma.business.update({ where: { id: tenant.business.id }, data: { timezone: 'America/New_York' } });
  const { body } = await send('POST', '/v1/positions', { title: 'Server', default_pay_rate: '20.00' });
  position = body.data.id;
});

const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object, as = tenant.as.key) =>
  service.call(method, url, { as, ...(body && { body }) });
const put = (body: object) => service.call('PUT', `/v1/positions/${position}`, { as: tenant.as.key, body });
const announce = (...rates: [from: string, pay_rate: string, pay_unit?: string][]) =>
  put({
    announced_rates: rates.map(([from, pay_rate, pay_unit]) => ({ from, pay_rate, ...(pay_unit && { pay_unit }) })),
  });
const rates = async () =>
  ((await send('GET', `/v1/positions/${position}`)).body.data.rates as Record<string, string>[]).map(
    ({ starts_at, pay_rate, pay_unit }) => [starts_at, pay_rate, pay_unit],
  );
const current = async () => (await send('GET', `/v1/positions/${position}`)).body.data.default_pay_rate as string;

/** A place for one person, for an hour from an instant on. Returns what it costs, by the report. */
async function createWork(start: Date) {
  const at = (ms: number) => new Date(start.getTime() + ms).toISOString().slice(0, 19).replace('T', ' ');
  const times = { start: at(0), end: at(3_600_000), timezone: 'UTC' };
  const event = await service.createEvent(tenant.business, times);
  await service.createCallTime(event, { positionId: position, start: times.start, end: times.end, staffNeeded: 1 });
  return async (isReported = true) => {
    const { body } = await send('GET', `/v1/events/${event.uuid}?fields=full`);
    const { open } = body.data.labour_cost;
    expect(body.data.call_times[0].pay_rate).toBe(open);
    if (!isReported) return open as string;
    const span = `from=${start.toISOString()}&to=${new Date(start.getTime() + 1000).toISOString()}`;
    const report = await send('GET', `/v1/labour_cost?${span}&group_by=event`);
    const group = report.body.data.groups.find(({ key }: { key: string }) => key === event.uuid);
    expect(group.labour_cost.open).toBe(open);
    return open as string;
  };
}

describe('an announced rate', () => {
  test('holds from the begin of its day in the zone of the business, and is listed with it, in both dialects', async () => {
    const [before, after] = [
      await createWork(new Date('2027-02-01T04:59:59Z')),
      await createWork(new Date('2027-02-01T05:00:00Z')),
    ];
    expect([await before(), await after()]).toEqual(['20.00', '20.00']);
    const { status, body } = await announce(['2027-03-01', '30', 'hour'], ['2027-02-01', '25.00']);
    expect([status, body.data.default_pay_rate, body.data.version]).toEqual([200, '20.00', 2]);
    const listed = [
      [null, '20.00', 'hour'],
      ['2027-02-01T00:00:00-05:00', '25.00', 'hour'],
      ['2027-03-01T00:00:00-05:00', '30.00', 'hour'],
    ];
    expect(await rates()).toEqual(listed);
    expect([await before(), await after()]).toEqual(['20.00', '25.00']);
    const { it } = await query(
      tenant.as.admin,
      '($id: ID!) { it: position(id: $id) { rates { start { local iso } payRate payUnit } } }',
      { id: position },
    );
    expect(
      it.rates.map((rate: { start: { iso: string } | null; payRate: string; payUnit: string }) => [
        rate.start?.iso ?? null,
        rate.payRate,
        rate.payUnit.toLowerCase(),
      ]),
    ).toEqual(listed);
    // The sums that are stored anew are the same.
    expect(await countOutdatedStaffing(service.prisma, 100)).toBeGreaterThan(0);
    expect([await before(), await after()]).toEqual(['20.00', '25.00']);
  });

  test('is announced, replaced and withdrawn through GraphQL as well', async () => {
    const update = (announcedRates: object[]) =>
      mutate(
        tenant.as.admin,
        '($id: ID!, $input: UpdatePositionInput!) { it: updatePosition(id: $id, input: $input) { rates { start { local } payRate payUnit } } }',
        { id: position, input: { announcedRates } },
      );
    const first = { start: null, payRate: '20.00', payUnit: 'HOUR' };
    expect((await update([{ from: '2027-02-01', payRate: '200', payUnit: 'DAY' }])).it.rates).toEqual([
      first,
      { start: { local: '2027-02-01 00:00:00' }, payRate: '200.00', payUnit: 'DAY' },
    ]);
    expect((await update([{ from: '2027-02-02', payRate: '22' }])).it.rates).toEqual([
      first,
      { start: { local: '2027-02-02 00:00:00' }, payRate: '22.00', payUnit: 'HOUR' },
    ]);
    expect((await update([])).it.rates).toEqual([first]);
    expect(await rates()).toEqual([[null, '20.00', 'hour']]);
  });

  test('becomes the rate of the position on its day, and the history tells of both', async () => {
    await announce(['2027-02-01', '25.00'], ['2027-03-01', '30.00']);
    now = new Date('2027-02-01T04:59:59Z');
    await settleDueRates(service.prisma, now);
    expect(await current()).toBe('20.00');
    now = new Date('2027-02-01T05:00:00Z');
    const etag = (await send('GET', '/v1/positions')).headers['etag'];
    await settleDueRates(service.prisma, now);
    expect(await current()).toBe('25.00');
    expect((await send('GET', '/v1/positions')).headers['etag']).not.toBe(etag);
    expect((await rates()).map(([, rate]) => rate)).toEqual(['20.00', '25.00', '30.00']);
    // It has nothing more to do, and nothing changes.
    await settleDueRates(service.prisma, now);
    now = new Date('2027-04-01T00:00:00Z');
    await settleDueRates(service.prisma, now);
    expect([await current(), await rates()]).toEqual([
      '30.00',
      [
        [null, '20.00', 'hour'],
        ['2027-02-01T00:00:00-05:00', '25.00', 'hour'],
        ['2027-03-01T00:00:00-05:00', '30.00', 'hour'],
      ],
    ]);
    const { body } = await send('GET', '/v1/history?kind=position');
    const changes = body.data.data.map(
      ({ operation, fields }: { operation: string; fields: { name: string; after: unknown }[] }) => [
        operation,
        Object.fromEntries(fields.map(({ name, after }) => [name, after])),
      ],
    );
    expect(changes.slice(0, 3)).toEqual([
      ['rates', { default_pay_rate: '30.00', announced_rates: [] }],
      ['rates', { default_pay_rate: '25.00', announced_rates: ['2027-03-01T00:00:00-05:00 30.00 hour'] }],
      [
        'positions.update',
        { announced_rates: ['2027-02-01T00:00:00-05:00 25.00 hour', '2027-03-01T00:00:00-05:00 30.00 hour'] },
      ],
    ]);
  });

  test('stays when a rate from now on is set, also on its day and to the rate of before', async () => {
    await announce(['2027-02-01', '25.00'], ['2027-03-01', '30.00']);
    now = new Date(begin.getTime() + dayMs);
    await put({ default_pay_rate: '21.00' });
    expect((await rates()).map(([, rate]) => rate)).toEqual(['20.00', '21.00', '25.00', '30.00']);
    // No job has run since the day came.
    now = new Date('2027-02-02T12:00:00Z');
    await put({ default_pay_rate: '21.00' });
    expect((await rates()).map(([, rate]) => rate)).toEqual(['20.00', '21.00', '25.00', '21.00', '30.00']);
    expect(await current()).toBe('21.00');
  });

  test('moves with the time zone of the business', async () => {
    await announce(['2027-02-01', '25.00']);
    const work = await createWork(new Date('2027-01-31T16:00:00Z'));
    expect(await work()).toBe('20.00');
    expect((await send('PUT', '/v1/business', { timezone: 'Asia/Tokyo' })).status).toBe(200);
    expect(await rates()).toEqual([
      [null, '20.00', 'hour'],
      ['2027-02-01T00:00:00+09:00', '25.00', 'hour'],
    ]);
    expect(await work()).toBe('25.00');
  });

  test('begins where clocks skip midnight when they go on', async () => {
    await send('PUT', '/v1/business', { timezone: 'Asia/Beirut' });
    await announce(['2027-03-28', '25.00']);
    expect((await rates()).at(-1)).toEqual(['2027-03-28T01:00:00+03:00', '25.00', 'hour']);
  });

  test.each([
    ['today', [['2027-01-10', '25']], /must begin after today in America\/New_York/],
    ['the past', [['2026-01-10', '25']], /must begin after today/],
    [
      'a day twice',
      [
        ['2027-02-01', '25'],
        ['2027-02-01', '26'],
      ],
      /different days/,
    ],
    ['no day', [['2027-02-30', '25']], /./],
    ['no amount', [['2027-02-01', '-1']], /./],
  ] as const)('for %s is refused', async (_, sent, message) => {
    const { status, body } = await announce(...(sent as unknown as [string, string][]));
    expect([status, Object.keys(body.errors)[0]]).toEqual([422, expect.stringMatching(/^announced_rates/)]);
    expect(JSON.stringify(body.errors)).toMatch(message);
    expect(await rates()).toEqual([[null, '20.00', 'hour']]);
  });

  test('changes nothing if it is announced already, and is written back with what a read shows', async () => {
    await announce(['2027-02-01', '25.00']);
    const { body } = await send('GET', `/v1/positions/${position}`);
    expect((await announce(['2027-02-01', '25'])).body.data).toEqual(body.data);
    expect((await put(body.data)).body.data).toEqual(body.data);
    const csv = await askCsv(service, '/v1/positions', { as: tenant.as.admin });
    expect(csv.header).not.toContain('rates');
  });
});

test('whatever is set, announced and withdrawn, work costs the rate of its start', async () => {
  const rate = fc.integer({ min: 1, max: 9000 }).map((cents) => (cents / 100).toFixed(2));
  const step = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), rate }),
    fc.record({
      kind: fc.constant('announce' as const),
      rates: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 60 }), rate), {
        maxLength: 3,
        selector: ([day]) => day,
      }),
    }),
    fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }), settles: fc.boolean() }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 7 }), async (steps) => {
      now = begin;
      const made = await send('POST', '/v1/positions', { title: crypto.randomUUID(), default_pay_rate: '20.00' });
      position = made.body.data.id;
      // What was said: from when on which rate holds.
      let said: { at: number; rate: string }[] = [{ at: -Infinity, rate: '20.00' }];
      const expected = (at: number) => said.filter((each) => each.at <= at).at(-1)!.rate;
      const works = await Promise.all(
        [-3, 1, 9, 20, 33, 47, 62, 90, 140].map(async (day) => {
          const start = new Date(begin.getTime() + day * dayMs);
          return { at: start.getTime(), cost: await createWork(start) };
        }),
      );
      for (const each of steps) {
        if (each.kind === 'set') {
          expect((await put({ default_pay_rate: each.rate })).status).toBe(200);
          said = [
            ...said.filter(({ at }) => at < now.getTime()),
            { at: now.getTime(), rate: each.rate },
            ...said.filter(({ at }) => at > now.getTime()),
          ];
        } else if (each.kind === 'announce') {
          const days = each.rates.map(([day, paid]) => ({
            from: new Date(now.getTime() + day * dayMs).toISOString().slice(0, 10),
            pay_rate: paid,
          }));
          expect((await put({ announced_rates: days })).status).toBe(200);
          said = said.filter(({ at }) => at <= now.getTime());
          // New York: its clocks change on 14 March 2027.
          for (const { from, pay_rate } of days.toSorted((a, b) => a.from.localeCompare(b.from)))
            said.push({ at: Date.parse(`${from}T0${from > '2027-03-14' ? 4 : 5}:00:00Z`), rate: pay_rate });
        } else {
          now = new Date(now.getTime() + each.days * dayMs);
          if (each.settles) await settleDueRates(service.prisma, now);
        }
        for (const { at, cost } of works) expect([at, await cost(false)]).toEqual([at, expected(at)]);
      }
      while ((await countOutdatedStaffing(service.prisma, 100)) > 0);
      for (const { at, cost } of works) expect([at, await cost()]).toEqual([at, expected(at)]);
    }),
    { numRuns: 8 },
  );
});
