import { beforeAll, describe, expect, test } from '@jest/globals';
import { useOneTenant, useService } from './support/app.ts';

/* Events that run in a span of time, also those that started before it. */

const service = useService();
const tenant = useOneTenant(service);

beforeAll(async () => {
  const { business } = tenant;
  const at = (title: string, start: string, end: string, more: object = {}) =>
    service.createEvent(business, {
      title,
      start: `2026-${start}:00`,
      end: `2026-${end}:00`,
      timezone: 'UTC',
      ...more,
    });
  const wedding = await at('Wedding', '12-04 18:00', '12-05 01:30');
  await at('Lunch', '12-05 12:00', '12-05 14:00', { endTbd: true });
  await at('Fair', '11-01 09:00', '12-20 18:00', { status: 'draft' });
  await at('Ball', '12-06 00:00', '12-06 03:00');
  await at('Gone', '12-05 12:00', '12-05 14:00', { status: 'deleted' });
  const callTime = await service.createCallTime(wedding, {
    staffNeeded: 3,
    start: '2026-12-04 18:00:00',
    end: '2026-12-05 01:00:00',
  });
  await service.createShift(wedding, tenant.staff, { callTimeId: callTime.id, positionId: callTime.positionId });
  const strike = await at('Strike', '09-01 09:00', '09-01 10:00');
  await service.createCallTime(strike, { start: '2026-12-22 20:00:00', end: '2026-12-22 22:00:00' });
  // The events of another business last longer, and are not read.
  const stranger = await service.createTenant();
  await service.createEvent(stranger.business, { start: '2020-01-01 00:00:00', end: '2026-12-30 00:00:00' });
});

async function titlesIn(filter: { runsFrom?: string; runsTo?: string }, as = tenant.as.admin) {
  const { body } = await service.graphql(
    'query ($filter: EventFilter) { events(filter: $filter) { totalCount nodes { title } } }',
    { as, variables: { filter } },
  );
  expect(body.errors).toBeUndefined();
  const { nodes, totalCount } = body.data.events;
  const titles = nodes.map(({ title }: { title: string }) => title);
  const query = new URLSearchParams({
    ...(filter.runsFrom && { runs_from: filter.runsFrom }),
    ...(filter.runsTo && { runs_to: filter.runsTo }),
  });
  const rest = await service.call('GET', `/v1/events?${query}`, { as });
  expect(rest.body.data.data.map(({ title }: { title: string }) => title)).toEqual(titles);
  expect([totalCount, rest.body.data.total]).toEqual([titles.length, titles.length]);
  return titles;
}

describe('the events that run', () => {
  test.each<[string, { runsFrom?: string; runsTo?: string }, string[]]>([
    ['in a day', { runsFrom: '2026-12-05T00:00:00Z', runsTo: '2026-12-06T00:00:00Z' }, ['Fair', 'Wedding', 'Lunch']],
    ['in the night', { runsFrom: '2026-12-05T01:29:59Z', runsTo: '2026-12-05T02:00:00Z' }, ['Fair', 'Wedding']],
    ['from their end', { runsFrom: '2026-12-05T01:30:00Z', runsTo: '2026-12-05T02:00:00Z' }, ['Fair']],
    ['to a start', { runsFrom: '2026-12-05T23:00:00Z', runsTo: '2026-12-06T00:00:00Z' }, ['Fair']],
    ['at an instant', { runsFrom: '2026-12-05T13:00:00Z', runsTo: '2026-12-05T13:00:00Z' }, ['Fair', 'Lunch']],
    ['after a tentative end', { runsFrom: '2026-12-05T14:00:00Z', runsTo: '2026-12-05T15:00:00Z' }, ['Fair']],
    ['from an instant on', { runsFrom: '2026-12-05T10:00:00Z' }, ['Fair', 'Lunch', 'Ball']],
    ['until an instant', { runsTo: '2026-12-05T00:00:00Z' }, ['Strike', 'Fair', 'Wedding']],
    ['by a call time alone', { runsFrom: '2026-12-22T00:00:00Z', runsTo: '2026-12-23T00:00:00Z' }, ['Strike']],
    ['when none does', { runsFrom: '2027-01-05T00:00:00Z' }, []],
  ])('%s', async (_when, filter, titles) => {
    expect(await titlesIn(filter)).toEqual(titles);
  });
});

describe('the coverage of the events that run in a span', () => {
  const span = { from: '2026-12-05T00:00:00Z', to: '2026-12-06T00:00:00Z' };
  const open = '{ needed open }';

  test.each([
    ['also those that started before, if asked for', true, ['Fair', 'Wedding', 'Lunch'], { needed: 3, open: 2 }],
    ['only those that start in it, by default', undefined, ['Lunch'], { needed: 0, open: 0 }],
    ['only those that start in it', false, ['Lunch'], { needed: 0, open: 0 }],
  ])('counts %s', async (_what, running, labels, total) => {
    const { body } = await service.graphql(
      `query ($from: DateTimeISO!, $to: DateTimeISO!, $running: Boolean) {
         coverage(from: $from, to: $to, running: $running, groupBy: EVENT) { total ${open} groups { label } }
         labourCost(from: $from, to: $to, running: $running, groupBy: EVENT) { groups { label } } }`,
      { as: tenant.as.admin, variables: { ...span, ...(running !== undefined && { running }) } },
    );
    expect(body.errors).toBeUndefined();
    const { coverage, labourCost } = body.data;
    expect(coverage).toEqual({ total, groups: labels.map((label) => ({ label })) });
    expect(labourCost.groups).toEqual(total.needed > 0 ? [{ label: 'Wedding' }] : []);

    const query = new URLSearchParams({
      ...span,
      group_by: 'event',
      ...(running !== undefined && { running: `${running}` }),
    });
    const rest = await service.call('GET', `/v1/coverage?${query}`, { as: tenant.as.admin });
    expect(rest.body.data.groups.map(({ label }: { label: string }) => label)).toEqual(labels);
  });
});
