import { beforeAll, expect, test } from '@jest/globals';
import { useOneTenant, useService } from './support/app.ts';

/** The zones whose clocks are furthest from UTC, and UTC. */
const zones = ['Pacific/Kiritimati', 'Pacific/Apia', 'UTC', 'Pacific/Pago_Pago', 'Etc/GMT+12'];
const titles = zones.flatMap((zone) => [`first of ${zone}`, `last of ${zone}`]).sort();

const service = useService();
const tenant = useOneTenant(service);

beforeAll(async () => {
  for (const timezone of zones) {
    const end = '2027-01-01 08:00:00';
    await service.createEvent(tenant.business, {
      title: `first of ${timezone}`,
      timezone,
      start: '2026-12-31 00:00:00',
      end,
    });
    await service.createEvent(tenant.business, {
      title: `last of ${timezone}`,
      timezone,
      start: '2026-12-31 23:59:59',
      end,
    });
  }
});

test.each([
  ['dateFrom: "2026-12-31", dateTo: "2026-12-31"', titles],
  ['dateFrom: "2026-12-31"', titles],
  ['dateTo: "2026-12-31"', titles],
  ['dateFrom: "2027-01-01"', []],
  ['dateTo: "2026-12-30"', []],
])('local dates are in the time zone of each event, however far from UTC: %s', async (filter, found) => {
  const query = `{ events(perPage: 100, filter: { ${filter} }) { totalCount nodes { title } } }`;
  const { events } = (await service.graphql(query, { as: tenant.as.admin })).body.data;
  expect(events.nodes.map(({ title }: { title: string }) => title).sort()).toEqual(found);
  expect(events.totalCount).toBe(found.length);
});
