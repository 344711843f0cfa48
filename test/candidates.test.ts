import { beforeAll, describe, expect, test } from '@jest/globals';
import type { CallTime, Event, User } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService } from './support/app.ts';
import { asker } from './support/ask.ts';

/* The candidates of a call time: verdicts, order, pages and who may ask. The rules themselves: candidates-model.test.ts. */

const service = useService({ env: { CALLBOARD_ANSWER_CACHE: '0' } });
const tenant = useOneTenant(service);
const query = asker(() => service, 'query');

let event: Event;
let call: CallTime;
let people: Record<'ready' | 'keen' | 'silent' | 'busy' | 'away', User>;

const times = { start: '2026-12-05 16:00:00', end: '2026-12-05 23:00:00' };
const names = (nodes: { user: { name: string } }[]) => nodes.map(({ user }) => user.name);
const named = ({ name }: { name: string }) => /^(Keen|Ready|Silent|Busy|Away)$/.test(name);

beforeAll(async () => {
  const { business, client } = tenant;
  const { prisma } = service;
  const [ready, keen, silent, busy, away] = [
    await service.createUser(business, 'staff', { name: 'Ready', phone: '+1 555 0100' }),
    await service.createUser(business, 'staff', { name: 'Keen' }),
    await service.createUser(business, 'staff', { name: 'Silent' }),
    await service.createUser(business, 'staff', { name: 'Busy' }),
    await service.createUser(business, 'staff', { name: 'Away' }),
  ];
  people = { ready, keen, silent, busy, away };
  const position = await service.createPosition(business);
  const shared = { timezone: 'UTC', venueName: 'The Old Granary', clientId: client.id };
  event = await service.createEvent(business, { ...shared, ...times });
  call = await service.createCallTime(event, { ...times, positionId: position.id });
  const before = { start: '2026-11-05 16:00:00', end: '2026-11-05 20:00:00' };
  const earlier = await service.createEvent(business, { ...shared, clientId: null, ...before });
  await service.createShift(earlier, ready, { ...before, positionId: position.id });
  const elsewhere = { start: '2026-12-05 20:00:00', end: '2026-12-06 01:00:00' };
  const gala = await service.createEvent(business, { title: 'Gala', timezone: 'UTC', ...elsewhere });
  await service.createShift(gala, busy, elsewhere);
  const said = { businessId: business.id, startTime: '08:00', endTime: '08:00', timezone: 'UTC' };
  await prisma.availabilityPattern.createMany({
    data: [
      { ...said, userId: ready.id, rule: 'available', weekday: 'saturday' },
      { ...said, userId: keen.id, rule: 'preferred', weekday: 'saturday' },
      { ...said, userId: busy.id, rule: 'available', weekday: 'saturday' },
      { ...said, userId: away.id, rule: 'available', weekday: 'sunday' },
    ],
  });
});

const ask = async (args: string, callTimeId = call.uuid, as = tenant.as.admin) =>
  query(
    as,
    `($id: ID!) { it: candidates(callTimeId: $id${args}) {
      totalCount pageInfo { hasNextPage endCursor }
      nodes { user { databaseId name phone } verdict weekHours score reasons { code severity text until }
        scoreParts { availability hours client venue position reliability } reliability { noShows late declinedLate } } } }`,
    { id: callTimeId },
  );

describe('candidates', () => {
  test('are ranked by verdict and score, with the reasons, alike in both dialects', async () => {
    const { it } = await ask(', first: 20');
    const nodes = it.nodes.filter(({ user }: { user: { name: string } }) => named(user));
    expect(nodes).toMatchObject([
      {
        user: { name: 'Ready', phone: '+1 555 0100' },
        verdict: 'READY',
        weekHours: 0,
        scoreParts: { availability: 0.7, hours: 1, client: 0, venue: 1, position: 1, reliability: 1 },
        reasons: [
          { code: 'KNOWS_VENUE', severity: 'SOFT', text: 'Has worked at this venue', until: null },
          { code: 'KNOWS_POSITION' },
        ],
      },
      {
        user: { name: 'Keen' },
        verdict: 'READY',
        scoreParts: { availability: 1, hours: 1, client: 0, venue: 0, position: 0 },
        reasons: [{ code: 'PREFERRED' }],
      },
      { user: { name: 'Silent' }, verdict: 'ASK', reasons: [{ code: 'AVAILABILITY_UNKNOWN', severity: 'SOFT' }] },
      {
        user: { name: 'Away' },
        verdict: 'BLOCKED',
        scoreParts: { availability: 0 },
        reasons: [{ code: 'UNAVAILABLE', severity: 'HARD', text: 'Not available at that time' }],
      },
      {
        user: { name: 'Busy' },
        verdict: 'BLOCKED',
        weekHours: 5,
        scoreParts: { availability: 0.7, hours: 0 },
        reasons: [
          {
            code: 'DOUBLE_BOOKED',
            severity: 'HARD',
            text: 'Works at “Gala” at the same time',
            until: '2026-12-06T01:00:00.000Z',
          },
        ],
      },
    ]);
    expect(nodes[0].score).toBeCloseTo((0.7 + 1 + 0 + 1 + 1 + 1) / 6);
    const { body } = await service.call('GET', `/v1/call_times/${call.uuid}/candidates`, { as: tenant.as.admin });
    expect(body.data.data.filter(named)).toEqual(
      nodes.map(({ user, weekHours, scoreParts, ...node }: Record<string, unknown>) => {
        const { databaseId, ...person } = user as { databaseId: number };
        const reliability = { no_shows: 0, late: 0, declined_late: 0 };
        const others = { week_hours: weekHours, score_parts: scoreParts, ...node, reliability };
        return { user_id: databaseId, ...(person as object), ...others };
      }),
    );
  });

  test('come page by page, by search and by verdict', async () => {
    const seen: string[] = [];
    for (let after: string | null = null; ;) {
      const { it } = await ask(`, first: 2${after ? `, after: "${after}"` : ''}`);
      seen.push(...names(it.nodes));
      if (!it.pageInfo.hasNextPage) break;
      after = it.pageInfo.endCursor;
    }
    expect(seen).toEqual(names((await ask(', first: 20')).it.nodes));
    expect(names((await ask(', search: "sILenT"')).it.nodes)).toEqual(['Silent']);
    expect((await ask(', verdicts: [READY]')).it).toMatchObject({ totalCount: 2 });
    const url = `/v1/call_times/${call.uuid}/candidates`;
    const ready = await service.call('GET', `${url}?verdicts=READY&verdicts=BLOCKED&per_page=1&page=2`, {
      as: tenant.as.admin,
    });
    expect(ready.body.data).toMatchObject({ total: 4, data: [{ name: 'Keen' }] });
    const wrong = await service.call('GET', `${url}?verdicts=MAYBE`, { as: tenant.as.admin });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['verdicts.0']]);
    expect((await ask(', first: 2, after: "nonsense"')).errors).toHaveProperty('after');
  });

  test('are asked, never ready, while a time is to be determined', async () => {
    const open = await service.createCallTime(event, { ...times, endTbd: true });
    const { it } = await ask(', first: 20', open.uuid);
    const verdicts = Object.fromEntries(
      it.nodes.map(({ user, verdict }: { user: { name: string }; verdict: string }) => [user.name, verdict]),
    );
    expect(verdicts).toMatchObject({ Ready: 'ASK', Keen: 'ASK', Silent: 'ASK', Away: 'ASK', Busy: 'BLOCKED' });
  });

  test('fill a gap over REST: the best one is assigned, and is on the call time then', async () => {
    const gap = await service.createCallTime(event, { ...times, positionId: call.positionId });
    const url = `/v1/call_times/${gap.uuid}/candidates`;
    const { body } = await service.call('GET', `${url}?verdicts=READY&per_page=1`, { as: tenant.as.admin });
    const [best] = body.data.data;
    const assigned = await service.call('POST', '/v1/work_shifts', {
      as: tenant.as.admin,
      body: { call_time_uuid: gap.uuid, user_id: best.user_id },
    });
    expect([assigned.status, assigned.body.data.user_id]).toEqual([201, people.ready.id]);
    const after = await service.call('GET', `${url}?search=Ready`, { as: tenant.as.admin });
    expect(after.body.data.data).toMatchObject([
      {
        verdict: 'BLOCKED',
        reasons: [{ code: 'DOUBLE_BOOKED', text: 'Works at this event at the same time' }, {}, {}],
      },
    ]);
    await service.prisma.workShift.deleteMany({ where: { callTimeId: gap.id } });
  });
});

test('somebody who came late once is listed with the reason, in both dialects', async () => {
  const hours = (from: number) => ({ startsAt: new Date(Date.now() + from * 3_600_000) });
  const { business } = tenant;
  const tardy = await service.createUser(business, 'staff', { name: 'Tardy Person' });
  const wall = (from: number) => hours(from).startsAt.toISOString().slice(0, 19).replace('T', ' ');
  const past = { start: wall(-30), end: wall(-24) };
  const worked = await service.createEvent(business, { timezone: 'UTC', ...past });
  const shift = await service.createShift(worked, tardy, past);
  const noted = await service.call('PUT', `/v1/work_shifts/${shift.uuid}/attendance`, {
    as: tenant.as.admin,
    body: { checked_in_at: hours(-29).startsAt.toISOString() },
  });
  expect(noted.status).toBe(200);
  const { it } = await ask(', search: "Tardy"');
  const url = `/v1/call_times/${call.uuid}/candidates?search=Tardy`;
  const { body } = await service.call('GET', url, { as: tenant.as.admin });
  const codes = (reasons: { code: string }[]) => reasons.map(({ code }) => code);
  expect(codes(it.nodes[0].reasons)).toContain('NOT_RELIABLE');
  expect(codes(it.nodes[0].reasons)).toEqual(codes(body.data.data[0].reasons));
});
